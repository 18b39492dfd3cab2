/** A text, or a sentence with slots, in English and in simplified Chinese. */
export interface Localized<T = string> {
  readonly en: T;
  readonly zh: T;
}
