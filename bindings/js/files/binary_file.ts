/** A file that is being read: every range that is asked for comes whole, or there is an error that names the file. */
import { fail } from '../errors/errors.ts';
import { openSource, unreadable, type Bytes, type OpenNamed, type Source } from './source.ts';

export class BinaryFile {
  readonly fn: string;
  readonly name: string;
  readonly size: number;
  readonly #source: Source;

  constructor(fn: string, source: Source) {
    this.fn = fn;
    this.name = source.name;
    this.size = source.size;
    this.#source = source;
  }

  /** Throws the `value` error of a file that is not as its format says. */
  bad(rule: string, cause?: unknown): never {
    fail('value', this.fn, `${this.name}: ${rule}`, cause);
  }

  /** Reads a range that lies within the file, and whose length has been checked against what may be there. */
  async read(from: number, to: number): Promise<Bytes> {
    let bytes: Bytes;
    try {
      bytes = await this.#source.read(from, to);
    } catch (error) {
      if (error instanceof RangeError)
        fail('memory', this.fn, `there is no room for ${to - from} bytes of ${this.name}`, error);
      return unreadable(this.fn, this.name, error);
    }
    if (bytes.length !== to - from) this.bad(`it must not change while it is read: ${bytes.length} of ${to - from} bytes came`);
    return bytes;
  }

  /** A header in UTF-8, which begins at `from`. Bytes that are no UTF-8 are not replaced, and a byte order mark stays. */
  async readHeader(from: number, length: number, most: number): Promise<string> {
    const room = Math.min(most, this.size - from);
    if (length > room) this.bad(`the header must end within the file and have at most ${most} bytes, got ${length} of ${room}`);
    const bytes = await this.read(from, from + length);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      return this.bad('the header must be UTF-8', error);
    }
  }
}

/** The result of `use` with a file, which is closed afterwards in any case. */
export async function withFile<R>(
  fn: string,
  openNamed: OpenNamed,
  given: unknown,
  use: (file: BinaryFile) => Promise<R>,
): Promise<R> {
  const source = await openSource(fn, openNamed, given);
  try {
    return await use(new BinaryFile(fn, source));
  } finally {
    await source.close();
  }
}
