/**
 * Each worker of a pool runs this file on web pages: the glue of the threaded builds, which sees by the worker's name that it is to become
 * a thread. It names no worker: where a worker's file names that file again, a bundler that follows workers never ends (Turbopack).
 */
export { default as createCore } from '../../../build/wasm/simd128-threads/fovea.web.mjs';
