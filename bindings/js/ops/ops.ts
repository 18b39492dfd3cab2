/** The type of `fovea.ops`. */
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AxisOptions } from './axis_options.ts';

/** Functions that know no mechanism. They throw AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`. */
export interface Ops {
  /**
   * exp(x - max) / Σ exp(x - max) along `axis`. -Infinity gets weight exactly 0; a line of nothing but -Infinity is all 0.
   *
   * @param x any shape of at least one axis.
   * @returns the shape of x.
   * @example
   * fovea.ops.softmax([[0, 0], [1, -Infinity]]); // [[0.5, 0.5], [1, 0]]
   */
  softmax<X extends ArrayInput>(x: X, options?: AxisOptions): ResultArray<X>;

  /**
   * x - logSumExp(x) along `axis`; a line of nothing but -Infinity is all -Infinity.
   *
   * @param x any shape of at least one axis.
   * @returns the shape of x.
   * @example
   * fovea.ops.logSoftmax([[0, 0]]); // [[-0.693, -0.693]]
   */
  logSoftmax<X extends ArrayInput>(x: X, options?: AxisOptions): ResultArray<X>;

  /**
   * ln Σ exp(x) along `axis`; -Infinity for an empty axis.
   *
   * @param x any shape of at least one axis.
   * @returns the shape of x without the axis.
   * @example
   * fovea.ops.logSumExp([[0, 0], [1, -Infinity]]); // [0.693, 1]
   */
  logSumExp<X extends ArrayInput>(x: X, options?: AxisOptions): ResultArray<X>;

  /**
   * The matrix product a·b. Leading axes broadcast by NumPy's rule; a vector counts as one row (a) or one column (b), and its
   * axis is left out of the result, as in NumPy.
   *
   * @param a [..., M, K] or [K].
   * @param b [..., K, N] or [K].
   * @returns [..., M, N].
   * @example
   * fovea.ops.matmul([[1, 2]], [[3], [4]]); // [[11]]
   */
  matmul<A extends ArrayInput>(a: A, b: ArrayInput): ResultArray<A>;

  /**
   * x·Wᵀ + b, as torch.nn.functional.linear.
   *
   * @param x [..., in].
   * @param weight [out, in].
   * @param bias [out].
   * @returns [..., out].
   * @example
   * fovea.ops.linear([[1, 2]], [[3, 4]], [5]); // [[16]]
   */
  linear<X extends ArrayInput>(x: X, weight: ArrayInput, bias?: ArrayInput): ResultArray<X>;
}
