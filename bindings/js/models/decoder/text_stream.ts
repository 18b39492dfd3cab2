/** The text of tokens that come one by one: no half character, and nothing of a text at which the generation stops. */
import type { TokenizerLike } from '../types/index.ts';

/** Tokens of the prompt that are decoded along, as the text of a token may depend on those before it. */
const CONTEXT = 8;

export class TextStream {
  readonly #tokenizer: TokenizerLike;
  readonly #stops: readonly string[];
  readonly #ids: number[];
  /** The tokens before these are not decoded again. */
  #from = 0;
  /** The tokens before these have given their text. */
  #to: number;
  /** Text that may be the beginning of a stop. */
  #held = '';
  #stopped = false;

  constructor(tokenizer: TokenizerLike, stops: readonly string[], prompt: readonly number[]) {
    this.#tokenizer = tokenizer;
    this.#stops = stops;
    this.#ids = prompt.slice(-CONTEXT);
    this.#to = this.#ids.length;
  }

  /** Whether a stop has come. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** The text that is certain with this token. */
  push(id: number): string {
    this.#ids.push(id);
    const before = this.#decode(this.#from, this.#to);
    const now = this.#decode(this.#from, this.#ids.length);
    // The rest of a character is still to come.
    if (now.endsWith('\ufffd')) return '';
    this.#from = this.#to;
    this.#to = this.#ids.length;
    return this.#release(this.#held + now.slice(before.length));
  }

  /** The text that is left when no token follows; a stop may be in it. */
  end(): string {
    const before = this.#decode(this.#from, this.#to);
    if (this.#stopped) return '';
    const rest = this.#release(this.#held + this.#decode(this.#from, this.#ids.length).slice(before.length));
    const held = this.#held;
    this.#held = '';
    return rest + held;
  }

  #release(text: string): string {
    const found = this.#stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    if (found.length > 0) {
      this.#stopped = true;
      this.#held = '';
      return text.slice(0, Math.min(...found));
    }
    const kept = Math.max(0, ...this.#stops.map((stop) => overlap(text, stop)));
    this.#held = text.slice(text.length - kept);
    return text.slice(0, text.length - kept);
  }

  #decode(from: number, to: number): string {
    const ids = this.#ids.slice(from, to);
    return ids.length === 0 ? '' : this.#tokenizer.decode(ids, { skip_special_tokens: true });
  }
}

/** How long the longest end of the text is that begins `stop`, and is not all of it. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--)
    if (text.endsWith(stop.slice(0, length))) return length;
  return 0;
}
