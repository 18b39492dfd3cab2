/**
 * Keeps the page's own files, and answers with them: all pages work without a network after one visit. A new version is fetched beside the old
 * one and waits until a visitor takes it. Built into a file of its own by plugins/offline_files.ts, which gives it the list of files.
 */

import { cacheName, pathIn, WORKER, type OwnFile, type ToPage, type ToWorker } from './files.ts';
import { checked, fill, keyOf, keptAt, NotKept, put, readNote, sweep, writeNote } from './store.ts';

declare const OWN_FILES: readonly OwnFile[];

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Asking extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** The part of ServiceWorkerGlobalScope that this file uses; its declarations cannot stand beside those of a page. */
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { includeUncontrolled: boolean }): Promise<readonly { postMessage(message: ToPage): void }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Asking) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker> & Lasting) => void): void;
}
const worker = self as unknown as Scope;
const { scope } = worker.registration;
const byPath = new Map(OWN_FILES.map((file) => [file.path, file]));
const ahead = OWN_FILES.filter(({ optional }) => !optional);
const openCache = (): Promise<Cache> => caches.open(cacheName(scope));

async function tell(message: ToPage): Promise<void> {
  for (const client of await worker.clients.matchAll({ includeUncontrolled: true })) client.postMessage(message);
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));

async function install(): Promise<void> {
  const cache = await openCache();
  let said = 0;
  try {
    await fill(cache, ahead, scope, (done, total) => {
      if (done < total && done - said < total / 50) return;
      said = done;
      void tell({ type: 'progress', done, total });
    });
  } catch (error) {
    if (error instanceof NotKept) {
      // Room that cannot be had is given back; files that arrived stay for the next try.
      if (error.failure === 'quota') await sweep(cache, [await takenFiles()], scope);
      await tell({ type: 'failed', failure: error.failure, path: error.path });
    }
    throw error;
  }
}

/** The files of the version before stay: pages that it opened may still ask for parts of themselves. */
async function activate(): Promise<void> {
  const cache = await openCache();
  await sweep(cache, [OWN_FILES, await takenFiles()], scope);
  await writeNote(cache, scope, 'taken', OWN_FILES);
  await worker.clients.claim();
}

/** The list of the version that answers now, empty before the first. */
async function takenFiles(): Promise<readonly OwnFile[]> {
  return ((await readNote(scope, 'taken')) as readonly OwnFile[] | undefined) ?? [];
}

worker.addEventListener('message', (event) => {
  if (event.data.type === 'take') event.waitUntil(worker.skipWaiting());
  if (event.data.type === 'isolate') event.waitUntil(isolate(event.data.on));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = pathIn(scope, request.url);
  if (request.method !== 'GET' || request.headers.has('range') || path === undefined || path === WORKER) return;
  if (request.mode === 'navigate') event.waitUntil(endIfWithdrawn());
  event.respondWith(answer(event, path));
});

async function answer(event: Asking, path: string): Promise<Response> {
  const file = byPath.get(path);
  const kept = await keptAt(scope, file ? keyOf(file, scope) : new URL(path, scope).href, { ignoreSearch: !file });
  if (kept) return withIsolation(kept);
  const response = await fetch(event.request);
  if (file && response.ok) event.waitUntil(keep(file, response.clone()));
  return withIsolation(response);
}

/** A file that was not fetched ahead. Where there is no room for it, it is fetched again the next time. */
async function keep(file: OwnFile, response: Response): Promise<void> {
  const kept = await checked(response, file);
  // A cache that was removed stays away.
  if (kept && (await caches.has(cacheName(scope))) && !withdrawn)
    await put(await openCache(), keyOf(file, scope), kept, file.path).catch(() => undefined);
}

/** Read once for each start of this worker. */
let isolated: boolean | undefined;

async function isolate(on: boolean): Promise<void> {
  isolated = on;
  await writeNote(await openCache(), scope, 'isolated', on);
  await tell({ type: 'isolated', on });
}

/** Threads share memory, which browsers allow to pages that come with these headers. A host of plain files cannot send them. */
async function withIsolation(response: Response): Promise<Response> {
  isolated ??= (await readNote(scope, 'isolated')) === true;
  if (!isolated || response.type === 'opaqueredirect') return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  const { status, statusText } = response;
  return new Response(status === 204 || status === 304 ? null : response.body, { status, statusText, headers });
}

/** Set before the cache is removed, so that nothing that is kept meanwhile makes it anew. */
let withdrawn = false;

/** Offline copies end when the site's owner removes this file from the server, or leaves it empty. */
async function endIfWithdrawn(): Promise<void> {
  const response = await fetch(new URL(WORKER, scope), { cache: 'no-store' }).catch(() => undefined);
  if (!response) return;
  const gone = response.status === 404 || response.status === 410;
  if (!gone && !(response.ok && (await response.text()).trim() === '')) return;
  withdrawn = true;
  await worker.registration.unregister();
  await caches.delete(cacheName(scope));
}
