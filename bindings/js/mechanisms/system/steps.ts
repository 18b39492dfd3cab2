/** Sequences a step at a time: rows of an array [B, T, ...], and rows put together again. */
import type { Fovea } from '../../fovea/fovea.ts';
import { concat } from '../../ops/index.ts';
import { sizeOf } from '../../tensor/shapes.ts';
import type { Tensor } from '../../tensor/tensor.ts';

/** Row t: [B, 1, ...], a view. */
export function rowOf(sequence: Tensor, t: number): Tensor {
  return sequence.slice(1, t, t + 1);
}

/** Rows [B, 1, ...] one after another; of none an empty sequence of rows of that shape. */
export function stackRows(fovea: Fovea, rows: readonly Tensor[], batch: number, row: readonly number[]): Tensor {
  const [first, ...rest] = rows;
  return first === undefined ? fovea.tensor([], [batch, 0, ...row]) : concat(fovea, [first, ...rest], { axis: 1 });
}

/** Zeros of a shape. */
export function zeros(fovea: Fovea, shape: readonly number[]): Tensor {
  return fovea.tensor(new Float32Array(sizeOf(shape)), shape);
}
