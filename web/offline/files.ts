/** The page's own files as the service worker knows them: by path, with a hash of their bytes. Made by plugins/offline_files.ts. */

export interface OwnFile {
  /** Relative to the page's folder: "assets/index-Cvma0.js". */
  readonly path: string;
  /** SHA-256 of the file, in hex. */
  readonly hash: string;
  readonly bytes: number;
  /** Too large to be fetched ahead: kept once a visitor has asked for it. */
  readonly optional: boolean;
}

/** The file that tells a page what its service worker keeps; its name is part of no hash. */
export const SUMMARY = 'offline.json';
export const WORKER = 'service-worker.js';

export interface Summary {
  readonly version: string;
  /** Fetched ahead: how many, their size, and their size compressed by gzip. */
  readonly files: number;
  readonly bytes: number;
  readonly wireBytes: number;
  readonly optional: readonly { readonly path: string; readonly bytes: number }[];
}

/** Messages of a page to its service worker. */
export type ToWorker = { readonly type: 'take' } | { readonly type: 'isolate'; readonly on: boolean };

/** Why files are not kept: the browser gave no room, a file did not arrive, or arrived with other bytes than those built. */
export type Failure = 'quota' | 'network' | 'changed';

/** Messages of a service worker to its pages. */
export type ToPage =
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'failed'; readonly failure: Failure; readonly path: string }
  | { readonly type: 'isolated'; readonly on: boolean };

/** One cache for each folder that the page is served from, so that two copies on one host do not share theirs. */
export const cacheName = (scope: string): string => `fovea ${new URL(scope).pathname}`;

/** The path that a request names, relative to the page's folder; undefined where it lies outside. */
export function pathIn(scope: string, url: string): string | undefined {
  const [base, asked] = [new URL(scope), new URL(url)];
  if (asked.origin !== base.origin || !asked.pathname.startsWith(base.pathname)) return undefined;
  return asked.pathname.slice(base.pathname.length) || 'index.html';
}
