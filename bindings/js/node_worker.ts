/**
 * Node's worker threads in the shape of a page's workers, for the glue: on the side of the thread, where importing this
 * file is enough, and on the side that starts it.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { ThreadWorker } from './glue.ts';

/** By this name the glue knows that it is to become a thread. */
const NAME = 'em-pthread';

if (workerData === NAME && parentPort !== null) {
  const port = parentPort;
  const scope = Object.assign(globalThis, {
    self: globalThis,
    name: NAME,
    location: { href: import.meta.url },
    importScripts() {},
    postMessage: (message: unknown) => port.postMessage(message),
  }) as unknown as ThreadWorker;
  port.on('message', (data) => scope.onmessage?.({ data }));
}

export function startNodeWorker(file: URL): ThreadWorker {
  // The program's own flags are not for it: --input-type and --import would change what it runs.
  const thread = new Worker(file, { workerData: NAME, execArgv: [] });
  const worker: ThreadWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
    unref: () => thread.unref(),
  };
  thread.on('message', (data) => worker.onmessage?.({ data }));
  thread.on('error', ({ message }) => worker.onerror?.({ message }));
  thread.on('exit', (code) => worker.onerror?.({ message: `it ended with exit code ${code}` }));
  return worker;
}
