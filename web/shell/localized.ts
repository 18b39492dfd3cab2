/** The languages that the page speaks. */
export type Language = 'en' | 'zh';

/** A text, or a sentence with slots, in English and in simplified Chinese. */
export interface Localized<T = string> {
  readonly en: T;
  readonly zh: T;
}

/** English: 1 word, 2 words; a number that is written already stays as it is. */
export const plural = (n: number | string, one: string): string => `${n} ${one}${String(n) === '1' ? '' : 's'}`;

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
export const series = (parts: readonly (string | number)[]): Localized => ({ en: parts.join(', '), zh: parts.join('、') });

/** The choices of a question, in the order of its texts: choice1, choice2, … */
export function choicesOf(texts: Readonly<Record<string, unknown>>): readonly Localized[] {
  return Object.entries(texts).flatMap(([name, text]) => (name.startsWith('choice') ? [text as Localized] : []));
}
