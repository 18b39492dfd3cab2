/** What is read off a model at work. */
import type { Matrix } from '../figures/matrix.ts';
import type { Seen, SeenLayer } from './network/types.ts';

/** A model at work, or what was recorded of one. */
type Shown = Pick<Seen, 'tokens' | 'heads'> & {
  readonly layers: readonly Pick<SeenLayer, 'weights' | 'values' | 'contributions'>[];
};

export function weightsOf({ layers, heads, tokens }: Shown, layer: number, head: number): Matrix {
  const count = tokens.length;
  const size = count * count;
  const { weights } = layers[Math.min(layer, layers.length - 1)]!;
  const from = Math.min(head, heads - 1) * size;
  return { data: weights.subarray(from, from + size), rows: count, cols: count };
}

export function valuesOf({ layers, tokens }: Shown, layer: number, head: number): Float32Array {
  return layers[layer]!.values.subarray(head * tokens.length, (head + 1) * tokens.length);
}

/** 0 … 1: the lengths of what a head adds to the tokens, beside those of all heads of its layer. */
export function shareOf({ layers, tokens }: Shown, layer: number, head: number): number {
  const { contributions } = layers[layer]!;
  const total = contributions.reduce((sum, x) => sum + x, 0);
  const own = contributions.subarray(head * tokens.length, (head + 1) * tokens.length).reduce((sum, x) => sum + x, 0);
  return total === 0 ? 0 : own / total;
}
