/** The public surface of `fovea`: what both entries export, and the types. */
import type { Fovea } from './fovea.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export type { Fovea } from './fovea.ts';
export { toNested, type Nested } from '../tensor/nested.ts';
export { format, print, type FormatOptions } from '../tensor/print.ts';
export { Tensor } from '../tensor/tensor.ts';
export type * from '../attention/types/index.ts';
export type * from '../call/out_targets.ts';
export type * from '../runtime/instance_types.ts';
export type * from '../tensor/array_input.ts';
export type * from '../tensor/array_types.ts';
export type * from '../trace/stages.ts';

/**
 * Makes an instance: its own wasm memory, no global state. Importing fovea does nothing by itself, so it is safe in
 * server-side rendering. Fetches (in Node: reads) the package's own .wasm file and nothing else; with `threads` also the
 * script that its workers run.
 *
 * @returns an instance that runs the relaxed-SIMD build where the engine has it, else simd128. Relaxed multiply-add changes
 *   last bits between CPUs; `{ deterministic: true }` gives the same bytes in every engine.
 * @throws AttentionError `load` where no build can run or the file is missing, an HTML page, damaged, or of another version:
 *   the message says which, and what to do; `option` and `value` for wrong options.
 * @example
 * import { load } from 'fovea';
 * const fovea = await load();
 * const { output } = fovea.attention([[1, 0]], [[1, 0], [0, 1]], [[1, 2], [3, 4]]);
 */
export declare function load(options?: LoadOptions): Promise<Fovea>;
