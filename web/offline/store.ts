/** The files that are kept: each under its path and the hash of its bytes, so that versions share what they have in common. */

import { cacheName, type Failure, type OwnFile } from './files.ts';

/** Requests at a time: enough to fill a line, few enough to leave the page's own their turn. */
const AT_ONCE = 4;

export class NotKept extends Error {
  readonly failure: Failure;
  readonly path: string;
  constructor(failure: Failure, path: string) {
    super(`${path}: ${failure}`);
    this.failure = failure;
    this.path = path;
  }
}

export const keyOf = ({ path, hash }: OwnFile, scope: string): string => new URL(`${path}?${hash}`, scope).href;

/**
 * Fetches what is missing of `files`, each checked by its hash: a cache that was half written is completed, and a host in the middle of an
 * upload is found out.
 */
export async function fill(
  cache: Cache,
  files: readonly OwnFile[],
  scope: string,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const waiting = [...files];
  let done = 0;
  let failed: unknown;
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const key = keyOf(file, scope);
      if (!(await cache.match(key))) await put(cache, key, await fetchChecked(file, scope), file.path);
      done += file.bytes;
      progress(done, total);
    }
  };
  const stop = (error: unknown): void => {
    failed ??= error;
    waiting.length = 0;
  };
  // All of them have ended when this ends: nothing is written later.
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch(stop)));
  if (failed !== undefined) throw failed;
}

/** The file as it was built; where the browser had an older one, the server is asked once more. */
async function fetchChecked(file: OwnFile, scope: string): Promise<Response> {
  for (const cache of ['no-cache', 'reload'] as const) {
    const response = await fetch(new URL(file.path, scope), { cache }).catch(() => undefined);
    if (!response?.ok) throw new NotKept('network', file.path);
    const kept = await checked(response, file).catch(() => {
      throw new NotKept('network', file.path);
    });
    if (kept) return kept;
  }
  throw new NotKept('changed', file.path);
}

/** The response without the names of its encoding, which the browser has undone; undefined where its bytes are not those built. */
export async function checked(response: Response, { hash }: OwnFile): Promise<Response | undefined> {
  const body = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  if (Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') !== hash) return undefined;
  const headers = new Headers(response.headers);
  for (const name of ['Content-Encoding', 'Content-Length', 'Transfer-Encoding', 'Vary']) headers.delete(name);
  return new Response(body, { headers });
}

/** Asking makes no cache, as opening one would: a cache that was removed stays away. */
export function keptAt(scope: string, key: string, options?: CacheQueryOptions): Promise<Response | undefined> {
  return caches.match(key, { ...options, cacheName: cacheName(scope) });
}

export async function put(cache: Cache, key: string, response: Response, path: string): Promise<void> {
  await cache.put(key, response).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'QuotaExceededError' ? new NotKept('quota', path) : error;
  });
}

/** Removes each file that is in none of the lists. */
export async function sweep(cache: Cache, lists: readonly (readonly OwnFile[])[], scope: string): Promise<void> {
  const kept = new Set(lists.flat().map((file) => keyOf(file, scope)));
  for (const request of await cache.keys())
    if (!kept.has(request.url) && !isNote(request.url, scope)) await cache.delete(request);
}

const NOTES = 'notes/';
const noteKey = (name: string, scope: string): string => new URL(`${NOTES}${name}`, scope).href;
const isNote = (url: string, scope: string): boolean => url.startsWith(noteKey('', scope));

/** A service worker has no localStorage: what it must remember stands beside the files. */
export async function writeNote(cache: Cache, scope: string, name: string, value: unknown): Promise<void> {
  await cache.put(noteKey(name, scope), new Response(JSON.stringify(value)));
}

export async function readNote(scope: string, name: string): Promise<unknown> {
  return (await keptAt(scope, noteKey(name, scope)))?.json();
}
