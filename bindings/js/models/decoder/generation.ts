/** Tokens of a text, one after another, as they are asked for. */
import type { GeneratedToken, Generation, GenerationEnd } from '../types/index.ts';

/** The tokens of a generation, and how it ended. */
export type Tokens = AsyncGenerator<GeneratedToken, GenerationEnd, undefined>;

/** A generation of tokens that come from anywhere. Documented in types/decoder.ts. */
export class TokenGeneration implements Generation {
  readonly finished: Promise<GenerationEnd>;
  readonly #tokens: Tokens;
  #promptTokens = 0;
  #end!: { readonly resolve: (end: GenerationEnd) => void; readonly reject: (reason: unknown) => void };

  /** @param begin - makes the tokens, and notes how many those of the prompt are */
  constructor(begin: (note: (promptTokens: number) => void) => Tokens) {
    this.#tokens = begin((promptTokens) => (this.#promptTokens = promptTokens));
    this.finished = new Promise((resolve, reject) => (this.#end = { resolve, reject }));
    // Who reads the tokens sees the error there.
    this.finished.catch(() => undefined);
  }

  /** 0 before the first token. */
  get promptTokens(): number {
    return this.#promptTokens;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<GeneratedToken, void, undefined> {
    let tokens = 0;
    try {
      for (;;) {
        const { value, done } = await this.#tokens.next();
        if (done) return this.#end.resolve(value);
        tokens++;
        yield value;
      }
    } catch (error) {
      this.#end.reject(error);
      throw error;
    } finally {
      // Where the loop was left, the tokens free what they hold.
      const left: GenerationEnd = { reason: 'stop', promptTokens: this.#promptTokens, tokens };
      await this.#tokens.return(left);
      this.#end.resolve(left);
    }
  }

  async text(): Promise<string> {
    let text = '';
    for await (const token of this) text += token.text;
    return text;
  }
}
