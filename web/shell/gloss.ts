import type { Language } from './localized.ts';

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
  /** Below or above the line: the index of W_q, the exponent of e^k. */
  readonly script?: 'sub' | 'sup';
}

/** A letter or a number with an index or an exponent: W_q, h̄_{s′}, W_i^Q, 2^9, e^(q·k), e^−1.5. Names as word_embeddings are none. */
const SCRIPTED = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{Script=Greek}\p{N}_.])((?:[\p{Script=Latin}\p{Script=Greek}]|\d+)\p{M}?)` +
    String.raw`(?:_(\{[^{}]*\}|[\p{Script=Latin}\p{Script=Greek}\p{N}]+))?` +
    String.raw`(?:\^(\{[^{}]*\}|\([^()]*\)|[−-]?(?:\d+\.)?\d+|[\p{Script=Latin}\p{Script=Greek}]))?`,
  'gu',
);

/** The formulas of a text, as W_q = W_k, with what stands below and above the line apart. */
function scriptsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: all, 1: base = '', 2: below, 3: above, index } of text.matchAll(SCRIPTED)) {
    if (below === undefined && above === undefined) continue;
    parts.push({ text: text.slice(from, index) + base });
    const bare = (script: string): string => script.replace(/^[{(](.*)[})]$/u, '$1');
    if (below !== undefined) parts.push({ text: bare(below), script: 'sub' });
    if (above !== undefined) parts.push({ text: bare(above), script: 'sup' });
    from = index + all.length;
  }
  return [...parts, { text: text.slice(from) }];
}

/** A text of the page, its formulas and its glosses apart: "query 查询" in English, "查询（query）" in Chinese; without a language no glosses. */
export function partsOf(text: string, language: Language | null): TextPart[] {
  if (language === null) return scriptsOf(plain(text)).filter((part) => part.text !== '');
  const [before, after, lang] = language === 'zh' ? ['（', '）', 'en'] : [' ', '', 'zh-Hans'];
  // Splitting by a group keeps what it matched: glosses have the odd places.
  return text
    .split(GLOSS)
    .flatMap((part, i): TextPart[] =>
      i % 2 === 0 ? scriptsOf(part) : [{ text: before }, { text: part, lang }, { text: after }],
    )
    .filter((part) => part.text !== '');
}
