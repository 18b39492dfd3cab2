/**
 * Files that were downloaded, kept in parts in the Cache API: a download that was cut off goes on where it ended, and a file that has not changed
 * is downloaded once. Each part is an entry of its own, under the file's URL and the part's number. Its headers tell the size of the file, and the
 * ETag or Last-Modified by which its server tells versions apart. Where the cache fails, loading goes on without it.
 */
import { ownProperties } from '../../errors/options.ts';
import { StaleCopy } from './stale_copy.ts';

/** docs/models.md tells the name: `caches.delete` frees what is kept. */
const CACHE = 'fovea-models';
const PART_BYTES = 2 ** 24;
const SIZE_HEADER = 'fovea-size';

/** By which a server tells versions of a file apart. */
export interface Validator {
  readonly name: 'etag' | 'last-modified';
  readonly value: string;
}

/** A version of a file. */
export interface Version {
  readonly validator: Validator;
  /** Bytes of the whole. */
  readonly size: number;
}

/** The first parts of a file. */
export interface KeptFile extends Version {
  readonly parts: number;
  readonly bytes: number;
}

export function validatorOf({ headers }: Response): Validator | null {
  for (const name of ['etag', 'last-modified'] as const) {
    const value = headers.get(name);
    if (value !== null && value !== '') return { name, value };
  }
  return null;
}

export function isSameValidator(a: Validator | null, b: Validator): boolean {
  return a !== null && a.name === b.name && a.value === b.value;
}

/** Null where there is no Cache API, as in Node and outside of secure contexts, or where a page may not use it. */
export function openKeptFiles(): KeptFiles | null {
  try {
    const { caches } = globalThis as { readonly caches?: CacheStorage };
    return caches === undefined ? null : new KeptFiles(caches);
  } catch {
    return null;
  }
}

const partsOf = ({ size }: Pick<Version, 'size'>): number => Math.ceil(size / PART_BYTES);

const partLength = (size: number, part: number): number => Math.min(PART_BYTES, size - part * PART_BYTES);

function keyOf(url: URL, part: number): string {
  const key = new URL(url);
  key.searchParams.set('fovea-part', String(part));
  return key.href;
}

/** The version of which a response of the cache is a part. */
function versionOf(response: Response | undefined): Version | null {
  const validator = response === undefined ? null : validatorOf(response);
  const size = Number(response?.headers.get(SIZE_HEADER) ?? NaN);
  return validator !== null && Number.isSafeInteger(size) && size > 0 ? { validator, size } : null;
}

const isSameVersion = (a: Version | null, b: Version): boolean =>
  a !== null && a.size === b.size && isSameValidator(a.validator, b.validator);

export class KeptFiles {
  readonly #caches: CacheStorage;
  #opened: Cache | undefined;
  /** False after the cache has refused a part, as where the quota is used up. */
  #isWritable = true;
  readonly #forgotten = new Set<string>();

  constructor(caches: CacheStorage) {
    this.#caches = caches;
  }

  /** Null where no part is there. */
  async find(url: URL): Promise<KeptFile | null> {
    if (this.#forgotten.has(url.href)) return null;
    try {
      // Opening would make the cache.
      if (!(await this.#caches.has(CACHE))) return null;
      const cache = await this.#open();
      const version = versionOf(await cache.match(keyOf(url, 0)));
      if (version === null) return null;
      let parts = 1;
      while (parts < partsOf(version) && isSameVersion(versionOf(await cache.match(keyOf(url, parts))), version)) parts++;
      return { ...version, parts, bytes: Math.min(version.size, parts * PART_BYTES) };
    } catch {
      return null;
    }
  }

  /** The bytes of a part. Throws StaleCopy where they are no longer there. */
  async read(fn: string, url: URL, kept: KeptFile, part: number): Promise<Uint8Array> {
    try {
      const response = await (await this.#open()).match(keyOf(url, part));
      if (response !== undefined && isSameVersion(versionOf(response), kept)) {
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (bytes.length === partLength(kept.size, part)) return bytes;
      }
    } catch {
      // Another program of the origin may have cleared its storage.
    }
    await this.forget(url, kept.size);
    throw new StaleCopy(fn, `${url.href} cannot be read: its copy in the cache is broken`);
  }

  /** Whether it is kept. */
  async keep(url: URL, { validator, size }: Version, part: number, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    if (!this.#isWritable) return false;
    const headers = ownProperties({ [validator.name]: validator.value, [SIZE_HEADER]: String(size) });
    try {
      await (await this.#open()).put(keyOf(url, part), new Response(bytes, ownProperties({ headers })));
    } catch {
      this.#isWritable = false;
    }
    return this.#isWritable;
  }

  /** Drops the parts of a file of `size` bytes. They are not found again, also where they cannot be dropped. */
  async forget(url: URL, size: number): Promise<void> {
    this.#forgotten.add(url.href);
    try {
      if (!(await this.#caches.has(CACHE))) return;
      const cache = await this.#open();
      for (let part = 0; part < partsOf({ size }); part++) await cache.delete(keyOf(url, part));
    } catch {
      // They stay, and the next load asks for their version.
    }
  }

  async #open(): Promise<Cache> {
    return (this.#opened ??= await this.#caches.open(CACHE));
  }
}

/** Puts the bytes of a file together to parts, and keeps each that is whole. */
export class PartWriter {
  readonly #files: KeptFiles;
  readonly #url: URL;
  readonly #version: Version;
  #number: number;
  #part: Uint8Array<ArrayBuffer> | null = null;
  #filled = 0;
  #isEnded = false;

  /** @param number - of the part with which the bytes begin */
  constructor(files: KeptFiles, url: URL, version: Version, number = 0) {
    this.#files = files;
    this.#url = url;
    this.#version = version;
    this.#number = number;
  }

  /** The number of the part that has begun and is not whole. */
  get begun(): number | null {
    return this.#part === null ? null : this.#number;
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0 && !this.#isEnded;) {
      const length = partLength(this.#version.size, this.#number);
      if (length <= 0) return;
      this.#part ??= new Uint8Array(length);
      const added = rest.subarray(0, length - this.#filled);
      this.#part.set(added, this.#filled);
      this.#filled += added.length;
      rest = rest.subarray(added.length);
      if (this.#filled === length) await this.#end(this.#part);
    }
  }

  async #end(part: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#isEnded = !(await this.#files.keep(this.#url, this.#version, this.#number++, part));
    this.#part = null;
    this.#filled = 0;
  }
}
