/** A file of a server from its first byte on: the parts that are kept, then bytes as they arrive, which are kept in turn. */
import { fail, messageOf } from '../../errors/errors.ts';
import { isSameValidator, PartWriter, validatorOf, type KeptFile, type KeptFiles, type Version } from './kept_files.ts';
import { checkOk, discard, isOwnOrigin, PLAIN, request, type Access } from './request.ts';
import { StaleCopy } from './stale_copy.ts';

interface Opened {
  readonly access: Access;
  readonly url: URL;
  /** Null: nothing is kept. */
  readonly files: KeptFiles | null;
  /** Its parts in the cache. */
  readonly kept: KeptFile | null;
  /** Null: it is asked for where the kept parts end. */
  readonly response: Response | null;
  /** The version that arrives; null: it is not kept. */
  readonly version: Version | null;
}

export class Download {
  readonly #opened: Opened;
  readonly #writer: PartWriter | null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #part = 0;
  /** Bytes of the answer that have come before. */
  #skipped = 0;

  constructor(opened: Opened) {
    const { files, url, kept, response, version } = opened;
    this.#opened = opened;
    this.#writer = files === null || version === null ? null : new PartWriter(files, url, version, kept?.parts);
    this.#reader = response?.body?.getReader();
  }

  /** The next bytes; null at the end. */
  async next(): Promise<Uint8Array | null> {
    const { access, url, kept, files } = this.#opened;
    access.signal?.throwIfAborted();
    if (kept !== null && this.#part < kept.parts) return files!.read(access.fn, url, kept, this.#part++);
    if (kept !== null && this.#reader === undefined) {
      if (kept.bytes === kept.size) return null;
      this.#reader = await this.#resume(kept);
    }
    for (let piece = await this.#pull(); piece !== null; piece = await this.#pull()) {
      const begin = Math.min(this.#skipped, piece.length);
      this.#skipped -= begin;
      const bytes = piece.subarray(begin);
      if (bytes.length === 0) continue;
      await this.#writer?.add(bytes);
      return bytes;
    }
    return null;
  }

  /** Reads on until the part that has begun is whole, so that a second load needs no byte that the first one had. */
  async finish(): Promise<void> {
    const begun = this.#writer?.begun ?? null;
    try {
      while (begun !== null && this.#writer!.begun === begun && (await this.next()) !== null);
    } catch {
      // Nobody needs these bytes now.
    }
    this.#opened.access.signal?.throwIfAborted();
  }

  async close(): Promise<void> {
    await this.#reader?.cancel().catch(() => undefined);
  }

  /** Drops what is kept of it; whether bytes of it came from there. */
  async forget(): Promise<boolean> {
    const { files, url, kept, version } = this.#opened;
    const size = Math.max(kept?.size ?? 0, version?.size ?? 0);
    if (files !== null && size > 0) await files.forget(url, size);
    return kept !== null;
  }

  async #pull(): Promise<Uint8Array | null> {
    const { access, url } = this.#opened;
    try {
      const { value, done } = (await this.#reader?.read()) ?? { value: undefined, done: true };
      return done || value === undefined ? null : value;
    } catch (error) {
      access.signal?.throwIfAborted();
      return fail('load', access.fn, `${url.href} cannot be read to its end: ${messageOf(error)}`, error);
    }
  }

  /** Asks for what follows the kept parts; for the whole, whose beginning is skipped, where the server sends no ranges. */
  async #resume(kept: KeptFile): Promise<ReadableStreamDefaultReader<Uint8Array> | undefined> {
    const { access, url } = this.#opened;
    const { value } = kept.validator;
    // A weak ETag is no condition of a range: RFC 9110, 13.1.5.
    const isConditional = isOwnOrigin(url) && !value.startsWith('W/');
    const headers = { range: `bytes=${kept.bytes}-`, ...(isConditional ? { 'if-range': value } : {}) };
    // Where another origin refuses the header, it may give the whole.
    let response = await request(access, url, { method: 'GET', headers }).catch(() => null);
    if (response !== null && isRest(response, kept, isConditional)) return response.body?.getReader();
    if (response?.status !== 200) {
      await discard(response);
      response = await request(access, url, PLAIN);
      checkOk(access.fn, url, response);
    }
    if (!isSameValidator(validatorOf(response), kept.validator)) {
      await discard(response);
      await this.forget();
      throw new StaleCopy(access.fn, `${url.href} has changed while it was read`);
    }
    this.#skipped = kept.bytes;
    return response.body?.getReader();
  }
}

/** Whether an answer begins where the kept parts end. `isConditional`: the server sends a part of the kept version alone. */
function isRest(response: Response, { validator, bytes, size }: KeptFile, isConditional: boolean): boolean {
  const { status, headers } = response;
  const own = validatorOf(response);
  if (status !== 206 || isEncoded(response)) return false;
  if (own === null ? !isConditional : !isSameValidator(own, validator)) return false;
  // Servers of other origins may keep content-range to themselves.
  const range = headers.get('content-range');
  if (range === null) return Number(headers.get('content-length')) === size - bytes;
  return new RegExp(`^bytes ${bytes}-${size - 1}/(${size}|\\*)$`).test(range.trim());
}

export function isEncoded({ headers }: Response): boolean {
  return (headers.get('content-encoding') ?? 'identity') !== 'identity';
}
