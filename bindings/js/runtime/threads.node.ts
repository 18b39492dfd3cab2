/** Threads in Node, for who starts them; their workers run thread_worker.node.ts. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ThreadWorker } from './glue.ts';
import { createCore, THREAD } from './thread_worker.node.ts';
import { threadsOn, type ThreadedVariant } from './threads.ts';

export { oneThread } from './threads.ts';
export { availableParallelism as processors };

export function assetUrl(variant: ThreadedVariant): URL {
  return new URL(`./fovea-${variant}.wasm`, import.meta.url);
}

/** A worker thread of Node in the shape of a page's worker. */
function startWorker(): ThreadWorker {
  // The program's own flags are not for it: --input-type and --import would change what it runs.
  const thread = new Worker(new URL('./thread-worker.node.js', import.meta.url), { workerData: THREAD, execArgv: [] });
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

export const startThreads = threadsOn({ createCore, processors: availableParallelism, startWorker });
