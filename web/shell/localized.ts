/** The languages that the page speaks. */
export type Language = 'en' | 'zh';

/** A text, or a sentence with slots, in English and in simplified Chinese. */
export interface Localized<T = string> {
  readonly en: T;
  readonly zh: T;
}

/** English: 1 word, 2 words; a number that is written already stays as it is. */
export const plural = (n: number | string, one: string): string => `${n} ${one}${String(n) === '1' ? '' : 's'}`;
