import type { Localized } from '../shell/localized.ts';

/** A visitor's file or text cannot be used; `text` says why, in place. The content before it stays. */
export class Refusal extends Error {
  readonly text: Localized;

  constructor(text: Localized) {
    super(text.en);
    this.name = 'Refusal';
    this.text = text;
  }
}
