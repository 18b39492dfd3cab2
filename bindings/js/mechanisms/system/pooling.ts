/** A row for a sequence: sums and maxima over its tokens. */
import { add, argmax, matmul, multiply, sum } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/** Σ_t weights[t]·rows[t]: [B, D] of weights [B, T] and rows [B, T, D]. */
export function weightedSum({ fovea }: System, weights: Tensor, rows: Tensor): Tensor {
  const [batch, tokens, width] = rows.shape as [number, number, number];
  return matmul(fovea, weights.reshape([batch, 1, tokens]), rows).reshape([batch, width]);
}

export interface MaxOverTokens {
  /** [B, D]: 0 of a sequence without tokens. */
  readonly max: Tensor;
  /** [B, D], row-major: the first token that has the maximum; -1 of a sequence without tokens. */
  readonly index: Int32Array;
  /** [B, T, D]: 1 there, else 0. */
  readonly weights: Tensor;
}

/** The maximum of each feature over the tokens of x [B, T, D]. */
export function maxOverTokens({ fovea }: System, x: Tensor, lengths: Lengths): MaxOverTokens {
  const [batch, T, D] = x.shape as [number, number, number];
  const tokens = add(fovea, x, lengths.forbidden(fovea).reshape([batch, T, 1]));
  const index = T === 0 ? new Int32Array(batch * D) : argmax(fovea, tokens, { axis: 1 }).data;
  lengths.list.forEach((length, b) => length === 0 && index.fill(-1, b * D, (b + 1) * D));
  const ones = new Float32Array(batch * T * D);
  index.forEach((i, n) => i >= 0 && (ones[(Math.floor(n / D) * T + i) * D + (n % D)] = 1));
  const weights = fovea.tensor(ones, [batch, T, D]);
  return { max: sum(fovea, multiply(fovea, weights, x), { axis: 1 }), index, weights };
}
