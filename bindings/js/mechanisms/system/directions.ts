/** Directional self-attention, and the row of a sentence that is made of it. */
import { multiDimensionalAttention } from '../../score/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/** [T, T] of 1 where a query sees a key: those before it, or those after it, never itself. */
export function directionMask(direction: 'forward' | 'backward', { size }: Lengths): { data: Uint8Array; shape: number[] } {
  const data = Uint8Array.from({ length: size * size }, (_, n) => {
    const [query, key] = [Math.floor(n / size), n % size];
    return Number(direction === 'forward' ? key < query : key > query);
  });
  return { data, shape: [size, size] };
}

/**
 * Source2token attention, Σ_i softmax_i(elu(u_i W1 + b1) W + b) ⊙ u_i: a softmax over the tokens for each feature.
 *
 * @param u [B, T, D].
 * @returns the weights [B, T, D] and the sums [B, D].
 */
export function sourceToToken(
  { fovea }: System,
  u: Tensor,
  [Wk, bias, W, b]: readonly [Tensor, Tensor, Tensor, Tensor],
  lengths: Lengths,
): { weights: Tensor; pooled: Tensor } {
  const [batch, , width] = u.shape as [number, number, number];
  const options = { activation: 'elu', layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;
  const { output, weights } = multiDimensionalAttention(fovea, null, u, u, { Wk, bias, W, b }, options);
  return { weights: weights.reshape([...u.shape]), pooled: output.reshape([batch, width]) };
}
