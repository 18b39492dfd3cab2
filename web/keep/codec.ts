import type { Json } from '../shell/kept.svelte.ts';
import { base64UrlOf, bytesOfUrl } from '../shell/base64.ts';

/** A page's state as text for its address: version, then base64url of deflated JSON. Texts come from anybody: sizes are capped before they are read. */

export type State = Readonly<Record<string, Json>>;
export type Problem = 'broken' | 'version' | 'large';

/** Raised when states of an older page would be read wrongly. */
export const VERSION = 1;
/** More characters than this belong in a file. */
export const LONGEST_LINK = 4000;
/** JSON of a link, in bytes: more than this is not inflated. */
const LARGEST_LINKED = 2 ** 18;
const MAX_DEPTH = 12;

export async function encode(state: State): Promise<string> {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(state)), Infinity);
  return `${VERSION}.${base64UrlOf(bytes!)}`;
}

/** Never throws. */
export async function decode(text: string): Promise<State | Problem> {
  if (text.length > LONGEST_LINK) return 'large';
  const [, version, body] = /^(\d{1,6})\.([\w-]*)$/.exec(text) ?? [];
  if (body === undefined) return 'broken';
  if (Number(version) !== VERSION) return 'version';
  const deflated = bytesOfUrl(body);
  if (!deflated) return 'broken';
  try {
    const bytes = await through(new DecompressionStream('deflate-raw'), deflated, LARGEST_LINKED);
    return bytes ? parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) : 'large';
  } catch {
    return 'broken';
  }
}

/** The state that JSON holds, or 'broken'. Never throws. */
export function parse(text: string): State | 'broken' {
  try {
    const json = JSON.parse(text) as Json;
    return isRecord(json) && isTame(json, MAX_DEPTH) ? json : 'broken';
  } catch {
    return 'broken';
  }
}

export const isRecord = (json: unknown): json is State => typeof json === 'object' && json !== null && !Array.isArray(json);

/** Names that are more than a name to an object. */
const NAMES_OF_OBJECTS = new Set(['__proto__', 'constructor', 'prototype']);

function isTame(json: Json, depth: number): boolean {
  if (typeof json === 'number') return Number.isFinite(json);
  if (typeof json !== 'object' || json === null) return true;
  if (depth === 0) return false;
  return Object.entries(json).every(([name, value]) => !NAMES_OF_OBJECTS.has(name) && isTame(value as Json, depth - 1));
}

/** Null where more than `most` bytes come out: the rest is not made. */
async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
  most: number,
): Promise<Uint8Array | null> {
  const writer = stream.writable.getWriter();
  // Reading throws the errors of writing, too.
  const written = writer.write(bytes as Uint8Array<ArrayBuffer>).then(() => writer.close());
  written.catch(() => {});
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      void reader.cancel().catch(() => {});
      return null;
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
