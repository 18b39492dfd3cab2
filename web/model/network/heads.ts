/** Heads with another mechanism in their place, and how long their outputs are. */
import type { Fovea, Tensor } from 'fovea';
import { linearAttention } from 'fovea/linear-attention';
import { multiply, sum } from 'fovea/ops';
import { normalizer } from 'fovea/score';
import type { HeadChange } from './types.ts';

/** How many heads there are and how wide each is. */
export interface HeadsShape {
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly causal: boolean;
}

interface Projected {
  /** [T, H·D] */
  readonly q: Tensor;
  /** [T, Hkv·D] */
  readonly k: Tensor;
  readonly v: Tensor;
}

/**
 * The output [T, H·D] of attention with some heads exchanged.
 *
 * @param weights [H, T, T] of all heads; those of exchanged heads are overwritten. null where nobody asks for them.
 */
export function exchange(
  fovea: Fovea,
  { q, k, v }: Projected,
  output: Tensor,
  weights: Float32Array | null,
  { heads, kvHeads, headDim, causal }: HeadsShape,
  changes: ReadonlyMap<number, HeadChange>,
): Tensor {
  const { data, shape } = output.toArray();
  const [tokens, width] = shape as [number, number];
  for (const [head, change] of changes) {
    const own = (array: Tensor, column: number): Tensor => array.slice(1, column * headDim, (column + 1) * headDim);
    const column = Math.floor(head / (heads / kvHeads));
    const made =
      change.kind === 'off' ? null : attend(fovea, { q: own(q, head), k: own(k, column), v: own(v, column) }, causal, change);
    for (let t = 0; t < tokens; ++t)
      for (let d = 0; d < headDim; ++d) data[t * width + head * headDim + d] = made ? made.output[t * headDim + d]! : 0;
    if (made) weights?.set(made.weights, head * tokens * tokens);
  }
  return fovea.tensor({ data, shape });
}

/** One head by another mechanism. */
function attend(
  fovea: Fovea,
  { q, k, v }: Projected,
  causal: boolean,
  change: Exclude<HeadChange, { kind: 'off' }>,
): { output: Float32Array; weights: Float32Array } {
  const tokens = q.shape[0]!;
  if (change.kind === 'linear') {
    const options = { featureMap: 'elu1', causal } as const;
    // Values that are the identity matrix give the weights themselves, which linear attention never holds.
    const identity = new Float32Array(tokens * tokens);
    for (let t = 0; t < tokens; ++t) identity[t * tokens + t] = 1;
    const weights = linearAttention(fovea, q, k, fovea.tensor({ data: identity, shape: [tokens, tokens] }), options);
    return { output: linearAttention(fovea, q, k, v, options).output.toArray().data, weights: weights.output.toArray().data };
  }
  const own =
    change.kind === 'window'
      ? { window: [change.reach, causal ? 0 : change.reach] as const }
      : { normalizer: normalizer.topK(Math.min(change.k, tokens)) };
  const { output, weights } = fovea.attention(q, k, v, { ...own, causal, returnWeights: 'dense' });
  return { output: output.toArray().data, weights: weights.toArray().data };
}

/** ‖x[t]‖ of each row of x [T, E]. */
export function lengths(fovea: Fovea, x: Tensor): Float32Array {
  return sum(fovea, multiply(fovea, x, x), { axis: 1 })
    .toArray()
    .data.map(Math.sqrt);
}
