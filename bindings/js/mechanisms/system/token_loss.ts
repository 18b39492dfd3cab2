/** Losses of single tokens, from their logits. */
import { gather, logSoftmax, scatterAdd } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/**
 * ln p(id) of each token, 0 in the padding: [B, T].
 *
 * @param logits [B, T, V].
 * @param ids [B, T], those of the tokens from 0 to V - 1.
 */
export function idLogProbability(system: System, logits: Tensor, ids: Int32Array, lengths: Lengths): Tensor {
  const { fovea } = system;
  const [batch, tokens, words] = logits.shape as [number, number, number];
  const places = [...ids.keys()].filter((n) => n % tokens < lengths.list[Math.floor(n / tokens)]!);
  const entries = places.map((n) => n * words + ids[n]!);
  const found = gather(fovea, logSoftmax(fovea, logits).reshape([batch * tokens * words]), entries);
  return scatterAdd(fovea, found, places, { length: batch * tokens }).reshape([batch, tokens]);
}
