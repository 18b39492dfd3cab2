import { listJoint } from '../../build/generated/texts/page.ts';

/** The languages that the page speaks. */
export type Language = 'en' | 'zh';

/** A text, or a sentence with slots, in English and in simplified Chinese. */
export interface Localized<T = string> {
  readonly en: T;
  readonly zh: T;
}

/** The value of a slot: a word, or a number as it is written; a choice between variants may be made by true or false. */
export type Slot = string | number | boolean;
export type Slots<Names extends string> = Readonly<Record<Names, Slot>>;

/** A text with its slots filled, in both languages; what differs by language is given as { en, zh }. */
export function fill<Names extends string>(
  text: Localized<(slots: Slots<Names>) => string>,
  slots: Readonly<Record<Names, Slot | Localized<Slot>>>,
): Localized {
  const inLanguage = (language: keyof Localized): Slots<Names> => {
    const own = Object.entries<Slot | Localized<Slot>>(slots).map(([name, slot]) => [
      name,
      typeof slot === 'object' ? slot[language] : slot,
    ]);
    return Object.fromEntries(own) as Slots<Names>;
  };
  return { en: text.en(inLanguage('en')), zh: text.zh(inLanguage('zh')) };
}

/** Words or numbers one after another. */
export const series = (parts: readonly (string | number)[]): Localized => ({
  en: parts.join(listJoint.en),
  zh: parts.join(listJoint.zh),
});

/** The texts of a group, in their order. */
export function listOf(texts: Readonly<Record<string, Localized>>): Localized<readonly string[]> {
  const all = Object.values(texts);
  return { en: all.map(({ en }) => en), zh: all.map(({ zh }) => zh) };
}

/** The choices of a question, in the order of its texts: choice1, choice2, … */
export function choicesOf(texts: Readonly<Record<string, unknown>>): readonly Localized[] {
  return Object.entries(texts).flatMap(([name, text]) => (name.startsWith('choice') ? [text as Localized] : []));
}
