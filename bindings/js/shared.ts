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

// What a worker needs to do calls in slices.
/** @internal */
export { ATTENTION_FIELDS, MATMUL_FIELDS } from './abi.ts';
/** @internal */
export { attention } from './attention.ts';
/** @internal */
export { runWhole, type Call } from './call.ts';
/** @internal */
export type { Fovea } from './fovea.ts';
/** @internal */
export { combine } from './combine.ts';
/** @internal */
export { instanceOf } from './instances.ts';
/** @internal */
export { linear, matmul } from './matmul.ts';
/** @internal */
export { multiHeadAttention } from './multi_head_attention.ts';
/** @internal */
export { EXACT_ROWS, narrow } from './narrow.ts';
/** @internal */
export { selfAttention } from './self_attention.ts';
/** @internal */
export { softmaxLike } from './softmax.ts';
/** @internal */
export { isTensor, tensorStorage } from './tensor.ts';
