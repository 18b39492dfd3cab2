/** Each worker of a pool runs this file in Node. As thread_worker.web.ts, it names no worker. */
// First, as it makes a worker look like a page's worker, and the glue looks while it is imported.
export { THREAD } from './node_thread.ts';
export { default as createCore } from '../../../build/wasm/simd128-threads/fovea.web.mjs';
