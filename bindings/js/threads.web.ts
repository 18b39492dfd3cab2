/**
 * Threads on web pages and in their workers: the glue of the threaded builds. Each worker runs this same file: the glue sees
 * by the worker's name what it is to become.
 */
import createCore from '../../build/wasm/simd128-threads/fovea.web.mjs';
import type { ThreadWorker } from './glue.ts';
import type { ThreadedVariant } from './threads.ts';

export { createCore };

export function assetUrl(variant: ThreadedVariant): URL {
  // Two literals, as bundlers look for exactly this form.
  return variant === 'relaxed-threads'
    ? new URL('./fovea-relaxed-threads.wasm', import.meta.url)
    : new URL('./fovea-simd128-threads.wasm', import.meta.url);
}

export function startWorker(): ThreadWorker {
  // In this form, with options that are a literal, bundlers see a worker, and build it.
  return new Worker(new URL('./threads.web.js', import.meta.url), { type: 'module', name: 'em-pthread' }) as ThreadWorker;
}
