/** The public surface of `fovea/serve`: the worker's side of a connection of `fovea/worker`, for a module of one's own. */
import type { ServeOptions } from './serve_options.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export type { ServeOptions } from './serve_options.ts';
export type { ServedCall, ServedFunction } from '../worker/served_types.ts';

/**
 * Makes the worker whose module calls it the other end of `connect({ worker })` of fovea/worker: functions of yours run beside the
 * worker's own instance, and all methods of the connection work. A module calls it once. The instance is loaded with
 * the options of `connect`.
 *
 * A function is called with the instance, one input, and `{ signal, post }`. Calls of the connection, its own methods and these
 * functions, are done one after the other, in the order in which they were made. A Tensor of the input is the caller's. A Tensor in the
 * result is the caller's afterwards; any other that the function makes stays until it is disposed: `fovea.scope` does it.
 *
 * @param options the functions by name.
 * @throws AttentionError `load` outside of a dedicated worker; `value` for what is no function, or for a second call; `option`
 *   for wrong options.
 * @example
 * // model.worker.js; the page: connect({ worker: new Worker(new URL('./model.worker.js', import.meta.url), { type: 'module' }) })
 * import { serve } from 'fovea/serve';
 * import { softmax } from 'fovea/ops';
 * const functions = {
 *   async embed(fovea, sentences, { signal, post }) {
 *     const rows = [];
 *     for (const x of sentences) {
 *       rows.push(softmax(fovea, fovea.attention(x, x, x).output));
 *       await post({ done: rows.length, total: sentences.length }); // lets an abort in
 *       signal.throwIfAborted();
 *     }
 *     return rows;
 *   },
 * };
 * serve({ functions });
 */
export declare function serve(options: ServeOptions): void;
