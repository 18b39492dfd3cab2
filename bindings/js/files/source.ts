/** Where bytes come from: one interface for buffers, Blobs, URLs and, in Node, files. */
import { readProperty, tagOf } from '../errors/objects.ts';
import { isRevoked } from '../errors/options.ts';
import { typedArrayKind } from '../tensor/typed_arrays.ts';
import { AttentionError, describe, fail, messageOf } from '../errors/errors.ts';
import type { BlobLike, ResponseLike } from './types.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Source {
  /** Its name in messages. */
  readonly name: string;
  readonly size: number;
  /** The bytes from `from` up to `to`, at the beginning of a buffer of their own: fewer where the file has become shorter. */
  read(from: number, to: number): Promise<Bytes>;
  close(): Promise<void>;
}

/** Opens what a text or a URL names, which differs between the entries. */
export type OpenNamed = (fn: string, where: string | URL) => Promise<Source>;

export async function openSource(fn: string, openNamed: OpenNamed, given: unknown): Promise<Source> {
  if (typeof given === 'string' || tagOf(given) === 'URL') return openNamed(fn, given as string | URL);
  if (isBlob(given)) return fromBlob(given);
  if (tagOf(given) === 'Response')
    return fromResponse(fn, (given as ResponseLike).url || 'the Response', given as ResponseLike);
  if (ArrayBuffer.isView(given))
    return fromBuffer(fn, `the ${typedArrayKind(given) ?? 'DataView'}`, given.buffer, given.byteOffset, given.byteLength);
  if (/^(Shared)?ArrayBuffer$/.test(tagOf(given))) return fromBuffer(fn, 'the buffer', given as ArrayBufferLike);
  return fail('value', fn, `source must be a path or a URL, a File, a Blob or a Response, or bytes, got ${describe(given)}`);
}

/** Throws the `load` error of a file that cannot be had. */
export function unreadable(fn: string, name: string, error: unknown, remedy = ''): never {
  if (error instanceof AttentionError) throw error;
  fail('load', fn, `${name} cannot be read: ${messageOf(error)}${remedy}`, error);
}

/** The result of `make`, or a `memory` error where an array of its size cannot be had. */
export function withRoom<R>(fn: string, what: string, make: () => R): R {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) fail('memory', fn, `there is no room for ${what}: ${error.message}`, error);
    throw error;
  }
}

export function fromBytes(name: string, bytes: Uint8Array): Source {
  return { name, size: bytes.length, read: async (from, to) => bytes.slice(from, to) as Bytes, close: async () => {} };
}

function fromBuffer(fn: string, name: string, buffer: ArrayBufferLike, from?: number, length?: number): Source {
  try {
    return fromBytes(name, new Uint8Array(buffer, from, length));
  } catch (error) {
    return fail('value', fn, `${name} must not be detached`, error);
  }
}

/** The whole answer of a server. */
export async function fromResponse(fn: string, name: string, response: ResponseLike): Promise<Source> {
  const { ok, status, statusText = '' } = response;
  if (!ok) fail('load', fn, `${name} cannot be read: the server answered ${`${status} ${statusText}`.trimEnd()}`);
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    return unreadable(fn, name, error);
  }
  if (bytes.length === 0) fail('load', fn, `${name} cannot be read: the answer is empty`);
  return fromBytes(name, bytes);
}

function isBlob(value: unknown): value is BlobLike {
  if (typeof value !== 'object' || value === null || isRevoked(value)) return false;
  const [size, slice, arrayBuffer] = ['size', 'slice', 'arrayBuffer'].map((name) => readProperty(value, name));
  return (
    Number.isSafeInteger(size) && (size as number) >= 0 && typeof slice === 'function' && typeof arrayBuffer === 'function'
  );
}

function fromBlob(blob: BlobLike): Source {
  return {
    name: typeof blob.name === 'string' ? blob.name : 'the Blob',
    size: blob.size,
    read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
    close: async () => {},
  };
}
