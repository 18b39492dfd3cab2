import type { Fovea } from 'fovea';
import type { Pattern } from 'fovea/pattern';

/** After how many layers of a pattern each query has something of each key. */
export interface Reach {
  readonly n: number;
  /** [queries, keys]: 1 where the pattern keeps the pair, 2 where two layers are needed, and so on; 0 where no number of layers is enough. */
  readonly layers: Uint8Array;
  /** The layer after which nothing new is reached. */
  readonly depth: number;
  /** Pairs that the pattern itself keeps. */
  readonly kept: number;
}

/** The pairs of n tokens, 1 = kept. */
export function pairsOf(fovea: Fovea, pattern: Pattern, n: number): Uint8Array {
  return pattern.toMask(fovea, { queries: n, keys: n, heads: 1, batch: 1 }).data;
}

/**
 * Every layer is a call of attention in which all kept keys weigh the same: token i begins as the i-th one-hot vector, and has something of token j
 * where the j-th number of its vector is not 0. What is reached is set back to 1 after each layer, so that many layers do not underflow.
 */
export function reachOf(fovea: Fovea, pattern: Pattern, n: number): Reach {
  const layers = new Uint8Array(n * n);
  const same = { data: new Float32Array(n), shape: [n, 1] };
  let held = Float32Array.from({ length: n * n }, (_, at) => Number(Math.floor(at / n) === at % n));
  let depth = 0;
  for (let layer = 1; layer <= n; layer++) {
    const { data } = fovea.attention(same, same, { data: held, shape: [n, n] }, { pattern, scale: 0 }).output;
    held = new Float32Array(n * n);
    for (let at = 0; at < n * n; at++) {
      if (data[at] === 0) continue;
      held[at] = 1;
      if (layers[at] !== 0) continue;
      layers[at] = layer;
      depth = layer;
    }
    // A shortest way of one more layer would begin with one that is new in this layer.
    if (depth < layer) break;
  }
  return { n, layers, depth, kept: layers.filter((layer) => layer === 1).length };
}

/** The tokens on a shortest way from key j up to query i, i first; empty where there is none. */
export function wayOf({ n, layers }: Reach, i: number, j: number): number[] {
  const length = layers[i * n + j] ?? 0;
  if (length === 0) return [];
  const way = [i];
  for (let left = length - 1; left > 0; left--) {
    const here = way.at(-1)!;
    way.push(
      Array.from({ length: n }, (_, m) => m).find((m) => layers[here * n + m] === 1 && layers[m * n + j] === left) ?? here,
    );
  }
  return [...way, j];
}
