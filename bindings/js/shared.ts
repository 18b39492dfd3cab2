/** The part that all entries share, built once: classes keep their identity, whichever entry made them. */
export { AttentionError } from './errors.ts';
export { toNested } from './nested.ts';
export { Tensor } from './tensor.ts';
/** @internal */
export { fail } from './errors.ts';
/** @internal */
export { loadWith } from './load.ts';
/** @internal */
export { compileBytes, notFound } from './wasm_bytes.ts';
