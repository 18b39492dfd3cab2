/** Helpers of the tests of fovea/files: files made byte by byte, and what must be said of bad ones. */
import assert from 'node:assert/strict';
import { AttentionError } from 'fovea/files';

export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

export function concat(...parts: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A safetensors file out of any header, a text or what JSON makes of it, and its data. */
export function rawSafetensors(header: unknown, data: ArrayLike<number> = [], length?: bigint): Uint8Array<ArrayBuffer> {
  const text = header instanceof Uint8Array ? header : encodeText(typeof header === 'string' ? header : JSON.stringify(header));
  const first = new DataView(new ArrayBuffer(8));
  first.setBigUint64(0, length ?? BigInt(text.length), true);
  return concat(new Uint8Array(first.buffer), text, data);
}

/** An npy file out of any header and its data. */
export function rawNpy(header: string, data: ArrayLike<number> = [], major = 1, length?: number): Uint8Array<ArrayBuffer> {
  const text = encodeText(header);
  const size = length ?? text.length;
  const bytes = [size & 255, (size >> 8) & 255, (size >> 16) & 255, size >>> 24].slice(0, major === 1 ? 2 : 4);
  return concat([0x93], encodeText('NUMPY'), [major, 0], bytes, text, data);
}

/** The file amid bytes that are none of it. */
export function amid(file: Uint8Array, before = 24, after = 40): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(before + file.length + after).fill(0x7b);
  larger.set(file, before);
  return larger.subarray(before, before + file.length);
}

/** Asserts that the promise is rejected with an AttentionError (`kind`: that of another platform) of this code, whose message matches. */
export async function refuses(
  code: string,
  message: RegExp,
  promise: Promise<unknown>,
  kind: typeof AttentionError = AttentionError,
): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof kind, `an AttentionError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
}

/** A Blob that tells what is read of it, and that nothing beyond it is. */
export function watched(file: Uint8Array): { blob: Blob; ranges: [number, number][] } {
  const inner = new Blob([file as Uint8Array<ArrayBuffer>]);
  const ranges: [number, number][] = [];
  const blob = {
    size: inner.size,
    slice(from: number, to: number) {
      assert.ok(from >= 0 && from <= to && to <= inner.size, `[${from}, ${to}] lies within the file`);
      ranges.push([from, to]);
      return inner.slice(from, to);
    },
    arrayBuffer: () => Promise.reject(new Error('the whole file is never read at once')),
  };
  return { blob: blob as unknown as Blob, ranges };
}
