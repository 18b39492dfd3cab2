/** `Generation`: tokens of a text, one after another, as they are asked for. */
import type { GeneratedToken, GenerationEnd } from '../types.ts';

/** The tokens of a generation, and how it ended. */
export type Tokens = AsyncGenerator<GeneratedToken, GenerationEnd, undefined>;

/**
 * What `generate` gives: a loop `for await` over its tokens, or all of their text at once. It begins when it is asked for, and can be read once.
 * Leaving the loop frees the memory that it held.
 */
export class Generation implements AsyncIterable<GeneratedToken> {
  /** How it ended; rejects with what `for await` and `text` throw. */
  readonly finished: Promise<GenerationEnd>;
  readonly #tokens: Tokens;
  #end!: { readonly resolve: (end: GenerationEnd) => void; readonly reject: (reason: unknown) => void };

  /** @internal */
  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.finished = new Promise((resolve, reject) => (this.#end = { resolve, reject }));
    // Who reads the tokens sees the error there.
    this.finished.catch(() => undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<GeneratedToken, void, undefined> {
    let seen = 0;
    try {
      for (;;) {
        const { value, done } = await this.#tokens.next();
        if (done) return this.#end.resolve(value);
        seen++;
        yield value;
      }
    } catch (error) {
      this.#end.reject(error);
      throw error;
    } finally {
      // Where the loop was left: what it held is freed.
      const { value } = await this.#tokens.return({ reason: 'stop', promptTokens: 0, tokens: seen });
      this.#end.resolve(value as GenerationEnd);
    }
  }

  /** All of the text. */
  async text(): Promise<string> {
    let text = '';
    for await (const token of this) text += token.text;
    return text;
  }
}
