/** Threads on web pages, for who starts them; their workers run thread_worker.web.ts. */
import type { ThreadWorker } from './glue.ts';
import { createCore } from './thread_worker.web.ts';
import { threadsOn, type ThreadedVariant } from './threads.ts';

export { oneThread } from './threads.ts';

export function processors(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}

export function assetUrl(variant: ThreadedVariant): URL {
  // Two literals, as bundlers look for exactly this form.
  return variant === 'relaxed-threads'
    ? new URL('./fovea-relaxed-threads.wasm', import.meta.url)
    : new URL('./fovea-simd128-threads.wasm', import.meta.url);
}

function startWorker(): ThreadWorker {
  // In this form, with options that are a literal, bundlers see a worker, and build it.
  return new Worker(new URL('./thread-worker.web.js', import.meta.url), { type: 'module', name: 'em-pthread' }) as ThreadWorker;
}

export const startThreads = threadsOn({ createCore, processors, startWorker });
