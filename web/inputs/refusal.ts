import type { Localized } from '../shell/localized.ts';

/** What a visitor brought cannot be used; `text` says why, in place. What was there before stays. */
export class Refusal extends Error {
  readonly text: Localized;

  constructor(text: Localized) {
    super(text.en);
    this.name = 'Refusal';
    this.text = text;
  }
}
