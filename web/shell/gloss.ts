import type { Language } from './settings.svelte.ts';

/**
 * A word in the other language after a word of the text: "query" + gloss('查询'). It stands between Unicode's marks of an interlinear annotation,
 * which no visitor types; `Glossed.svelte` shows it or leaves it out, as the visitor chose.
 */
export const gloss = (word: string): string => `\ufffa${word}\ufffb`;

const GLOSS = /\ufffa([^\ufffb]*)\ufffb/;

/** The text without its glosses: for names that are read out, and for files. */
export const plain = (text: string): string => text.replaceAll(new RegExp(GLOSS, 'g'), '');

export interface TextPart {
  readonly text: string;
  /** The language of a gloss, which is not the page's. */
  readonly lang?: string;
}

/** A text of the page, its glosses apart: "query 查询" in English, "查询（query）" in Chinese. */
export function partsOf(text: string, language: Language): TextPart[] {
  const [before, after, lang] = language === 'zh' ? ['（', '）', 'en'] : [' ', '', 'zh-Hans'];
  // Splitting by a group keeps what it matched: glosses have the odd places.
  return text
    .split(GLOSS)
    .flatMap((part, i): TextPart[] =>
      i % 2 === 0 ? [{ text: part }] : [{ text: before }, { text: part, lang }, { text: after }],
    )
    .filter((part) => part.text !== '');
}
