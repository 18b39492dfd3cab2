/** Weights, values and head contributions of one forward pass. */
import type { Matrix } from '../figures/matrix.ts';
import type { ForwardPass, LayerPass } from './network/types.ts';

/** A forward pass just made, or a recorded one. */
type PassNumbers = Pick<ForwardPass, 'tokens' | 'heads'> & {
  readonly layers: readonly Pick<LayerPass, 'weights' | 'values' | 'contributions'>[];
};

export function weightsOf({ layers, heads, tokens }: PassNumbers, layer: number, head: number): Matrix {
  const count = tokens.length;
  const size = count * count;
  const { weights } = layers[Math.min(layer, layers.length - 1)]!;
  const from = Math.min(head, heads - 1) * size;
  return { data: weights.subarray(from, from + size), rows: count, cols: count };
}

export function valuesOf({ layers, tokens }: PassNumbers, layer: number, head: number): Float32Array {
  return layers[layer]!.values.subarray(head * tokens.length, (head + 1) * tokens.length);
}

/** A head's share of its layer's contributions, 0 … 1: lengths of its contributions over those of all heads. */
export function shareOf({ layers, tokens }: PassNumbers, layer: number, head: number): number {
  const { contributions } = layers[layer]!;
  const total = contributions.reduce((sum, x) => sum + x, 0);
  const own = contributions.subarray(head * tokens.length, (head + 1) * tokens.length).reduce((sum, x) => sum + x, 0);
  return total === 0 ? 0 : own / total;
}
