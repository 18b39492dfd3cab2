/** The option `out`. */
import type { NDArray } from '../tensor/array_types.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** Where results go instead of fresh arrays. Sizes must match; overlap with an input is a `value` error. */
export interface OutTargets {
  readonly output?: NDArray | Tensor | undefined;
  readonly weights?: NDArray | Tensor | undefined;
  readonly lse?: NDArray | Tensor | undefined;
}
