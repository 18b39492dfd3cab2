/** Array arguments, and the type of the results that they lead to. */
import type { NDArray, PlainArray } from './array_types.ts';
import type { Tensor } from './tensor.ts';

/**
 * Any array argument: `{ data, shape }`, also with the `stride` and `offset` of ndarray, `{ data, dims }` as onnxruntime and
 * transformers.js have it, nested numbers, a list of equally long typed arrays, or a Tensor that lives in wasm memory.
 */
export type ArrayInput = PlainArray | Tensor;

/** The type of a call's results for a first array argument of type Q: Tensors for a Tensor, else plain arrays. */
export type ResultArray<Q> = Q extends Tensor ? Tensor : NDArray;
