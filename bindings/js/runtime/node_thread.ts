/** Inside a thread of Node that is to become one of a pool: importing this file makes it look like a page's worker to the glue. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadWorker } from './glue.ts';

/** By this name the glue knows that it is to become a thread. */
export const THREAD = 'em-pthread';

if (workerData === THREAD && parentPort !== null) {
  const port = parentPort;
  const scope = {
    self: globalThis,
    name: THREAD,
    location: { href: import.meta.url },
    importScripts() {},
    onmessage: null,
    postMessage: (message: unknown) => port.postMessage(message),
  };
  // Defined, not assigned: Deno has some of them already, and only for reading.
  for (const [name, value] of Object.entries(scope))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  port.on('message', (data) => (globalThis as unknown as ThreadWorker).onmessage?.({ data }));
}
