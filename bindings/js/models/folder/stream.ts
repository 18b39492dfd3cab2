/** Bytes that arrive in order, as a source. */
import type { Bytes, Source } from '../../files/source.ts';

/** This many first bytes may be read twice: they tell what came in place of a file. */
const BEGINNING = 64;

/** Ranges are read in order: each begins where the last one ended, or behind it, or lies within the beginning. */
export class Stream implements Source {
  readonly name: string;
  readonly size: number;
  readonly #next: () => Promise<Uint8Array | null>;
  readonly #close: () => Promise<void>;
  #beginning: Uint8Array = new Uint8Array();
  /** Bytes that have come and were not asked for yet. */
  #rest: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(name: string, size: number, next: () => Promise<Uint8Array | null>, close: () => Promise<void>) {
    this.name = name;
    this.size = size;
    this.#next = next;
    this.#close = close;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async read(from: number, to: number): Promise<Bytes> {
    if (from < this.#at && to <= BEGINNING) return this.#readAgain(from, to);
    if (from < this.#at) throw new Error('it arrives once, and is read in order');
    const bytes = new Uint8Array(to - from);
    while (this.#at < to) {
      if (this.#rest.length === 0 && !(await this.#pull())) return bytes.slice(0, Math.max(0, this.#at - from));
      const wanted = this.#at < from ? from - this.#at : to - this.#at;
      const part = this.#rest.subarray(0, wanted);
      if (this.#at >= from) bytes.set(part, this.#at - from);
      this.#rest = this.#rest.subarray(part.length);
      this.#at += part.length;
    }
    return bytes;
  }

  async #readAgain(from: number, to: number): Promise<Bytes> {
    while (this.#beginning.length < to && (await this.#pull()));
    return this.#beginning.slice(from, to) as Bytes;
  }

  /** Whether more has come. */
  async #pull(): Promise<boolean> {
    const piece = await this.#next();
    if (piece === null) return false;
    const missing = BEGINNING - this.#beginning.length;
    if (missing > 0) this.#beginning = joined([this.#beginning, piece.subarray(0, missing)]);
    this.#rest = this.#rest.length === 0 ? piece : joined([this.#rest, piece]);
    return true;
  }
}

export function joined(pieces: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
