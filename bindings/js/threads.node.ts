/** Threads in Node: the glue of the threaded builds. Each worker runs this same file. */
// First, as it makes a worker look like a page's worker, and the glue looks while it is imported.
import { startNodeWorker } from './node_worker.ts';
import createCore from '../../build/wasm/simd128-threads/fovea.web.mjs';
import type { ThreadWorker } from './glue.ts';
import type { ThreadedVariant } from './threads.ts';

export { createCore };

export function assetUrl(variant: ThreadedVariant): URL {
  return new URL(`./fovea-${variant}.wasm`, import.meta.url);
}

export function startWorker(): ThreadWorker {
  return startNodeWorker(new URL('./threads.node.js', import.meta.url));
}
