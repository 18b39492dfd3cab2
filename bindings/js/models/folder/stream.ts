/** The answer of a server as a source that is read from its beginning to its end, while it arrives. */
import { fail, messageOf } from '../../errors/errors.ts';
import type { HostSignal } from '../../errors/host_types.ts';
import { fromBytes, type Bytes, type Source } from '../../files/source.ts';

/** Where the server does not tell the size of the body, the whole is awaited first. */
export async function streamOf(
  fn: string,
  name: string,
  response: Response,
  onLoaded: (loaded: number, total: number | null) => void,
  signal: HostSignal | undefined,
): Promise<Source> {
  const isEncoded = (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
  const size = Number(response.headers.get('content-length') ?? NaN);
  const { body } = response;
  const isSized = body !== null && !isEncoded && Number.isSafeInteger(size) && size > 0;
  const reader = body?.getReader();
  const next = async (): Promise<Uint8Array | null> => {
    try {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      return done || value === undefined ? null : value;
    } catch (error) {
      signal?.throwIfAborted();
      return fail('load', fn, `${name} cannot be read to its end: ${messageOf(error)}`, error);
    }
  };
  if (isSized)
    return new Stream(
      name,
      size,
      next,
      () => reader!.cancel(),
      (loaded) => onLoaded(loaded, size),
    );
  const pieces: Uint8Array[] = [];
  let loaded = 0;
  for (let piece = await next(); piece !== null; piece = await next()) {
    pieces.push(piece);
    loaded += piece.length;
    onLoaded(loaded, null);
  }
  if (loaded === 0) fail('load', fn, `${name} cannot be read: the answer is empty`);
  return fromBytes(name, joined(pieces, loaded));
}

function joined(pieces: readonly Uint8Array[], length: number): Bytes {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Ranges are read in order: each begins where the last one ended, or behind it, or is the beginning that was read last. */
class Stream implements Source {
  readonly name: string;
  readonly size: number;
  readonly close: () => Promise<void>;
  readonly #next: () => Promise<Uint8Array | null>;
  readonly #onLoaded: (loaded: number) => void;
  /** Bytes that have come and were not asked for yet. */
  #rest: Uint8Array = new Uint8Array();
  #at = 0;
  #loaded = 0;

  constructor(
    name: string,
    size: number,
    next: () => Promise<Uint8Array | null>,
    close: () => Promise<void>,
    onLoaded: (loaded: number) => void,
  ) {
    this.name = name;
    this.size = size;
    this.#next = next;
    this.#onLoaded = onLoaded;
    this.close = () => close().catch(() => undefined);
  }

  async read(from: number, to: number): Promise<Bytes> {
    if (from < this.#at) throw new Error('it arrives once, and is read in order');
    const bytes = new Uint8Array(to - from);
    while (this.#at < to) {
      if (this.#rest.length === 0) {
        const piece = await this.#next();
        if (piece === null) return bytes.slice(0, Math.max(0, this.#at - from));
        this.#rest = piece;
        this.#loaded += piece.length;
        this.#onLoaded(this.#loaded);
      }
      const wanted = this.#at < from ? from - this.#at : to - this.#at;
      const part = this.#rest.subarray(0, wanted);
      if (this.#at >= from) bytes.set(part, this.#at - from);
      this.#rest = this.#rest.subarray(part.length);
      this.#at += part.length;
    }
    return bytes;
  }
}
