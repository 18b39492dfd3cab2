import type { Fovea } from 'fovea';
import { emAttention } from 'fovea/mechanisms';
import { matmul, multiply, transpose } from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { all, columnOf, comparedRows, featuresOf, pick, type Comparison, type Patches } from './patches.ts';

/** The attention of one patch, computed by the package: one row of the matrix, never the whole. */

export interface PatchAttention {
  /** Weights of all patches. */
  readonly weights: Float32Array;
  /** The mean of the colors by these weights. */
  readonly color: readonly number[];
}

/** Softmax of the scores of one patch with all. */
export function seenFrom(fovea: Fovea, patches: Patches, comparison: Comparison, query: number): PatchAttention {
  const { queries, keys } = featuresOf(patches, comparison);
  const { output, weights } = fovea.attention(pick(queries, [query]), all(keys), all(patches.colors), {
    scale: comparison.scale,
    returnWeights: true,
  });
  return { weights: weights.data as Float32Array, color: [...output.data] };
}

/** Along its column in one hop; along each row first, then its column, in two: then every patch can be reached. */
export function axialFrom(fovea: Fovea, patches: Patches, comparison: Comparison, query: number, hops: 1 | 2): PatchAttention {
  const { rows, cols } = patches;
  const { queries, keys } = featuresOf(patches, comparison);
  const column = columnOf(patches, query);
  const options = { scale: comparison.scale, returnWeights: true } as const;
  const down = fovea.attention(pick(queries, [query]), pick(keys, column), pick(patches.colors, column), options).weights;
  const weights = new Float32Array(rows * cols);
  if (hops === 1) column.forEach((patch, row) => (weights[patch] = down.data[row]!));
  else {
    const asked = pick(queries, column);
    const across = fovea.attention(
      { data: asked.data, shape: [rows, 1, queries.width] },
      { data: keys.data, shape: [rows, cols, keys.width] },
      { data: patches.colors.data, shape: [rows, cols, 3] },
      options,
    ).weights;
    const shares = multiply(
      fovea,
      { data: across.data as Float32Array, shape: [rows, cols] },
      { data: down.data as Float32Array, shape: [rows, 1] },
    );
    weights.set(shares.data as Float32Array);
  }
  const color = matmul(fovea, { data: weights, shape: [1, rows * cols] }, all(patches.colors));
  return { weights, color: [...color.data] };
}

/** Pairs of both hops, counted by their patterns. */
export function axialPairs(fovea: Fovea, { rows, cols }: Patches): number {
  const sizes = { queries: rows * cols, keys: rows * cols };
  return [0, 1].reduce(
    (sum, axis) => sum + pattern.axial({ shape: [rows, cols], axis: axis as 0 | 1 }).pairs(fovea, sizes).indices.length,
    0,
  );
}

export interface Clusters {
  /** How much of each patch belongs to each cluster: [T, count]. */
  readonly memberships: Float32Array;
  readonly count: number;
  /** Mean color of each cluster. */
  readonly colors: readonly (readonly number[])[];
  /** Part of the patches in each. */
  readonly shares: readonly number[];
  /** Red, green, blue of each patch when it is made of the clusters' colors. */
  readonly painted: Float32Array;
}

/** Nearer than this to a base already chosen, a patch would begin the same cluster twice. */
const TOO_NEAR = 0.97;
const CANDIDATES = 200;

/** Patches at equal distances over the image as the first bases, but none like another. */
export function firstBases(fovea: Fovea, patches: Patches, count: number): number[] {
  const { centered } = patches;
  const total = centered.data.length / centered.width;
  // By the golden ratio: any number of them is spread evenly.
  const order = Array.from({ length: Math.min(total, CANDIDATES) }, (_, n) => Math.floor(((n * 0.618034 + 0.5) % 1) * total));
  const chosen: number[] = [];
  for (const patch of order) {
    if (chosen.length === count) break;
    if (chosen.includes(patch)) continue;
    const like = matmul(fovea, pick(centered, [patch]), transpose(fovea, pick(centered, chosen.length ? chosen : [patch])));
    if (chosen.length === 0 || Math.max(...like.data) < TOO_NEAR) chosen.push(patch);
  }
  return chosen;
}

/** EM attention: each round every patch is shared among the bases, and every base becomes the mean of its patches. */
export function clustersOf(
  fovea: Fovea,
  patches: Patches,
  comparison: Comparison,
  bases: readonly number[],
  iterations: number,
): Clusters {
  const { features, scale } = comparison;
  const rows = comparedRows(patches, comparison);
  const X = all(rows);
  const start = pick(rows, bases);
  const { Z } = emAttention(
    fovea,
    { X },
    { mu: start },
    { iterations, lambda: scale, normalize: features === 'raw' ? 'none' : 'l2', residual: false },
  );
  const memberships = Z.data as Float32Array;
  const [T, count] = [X.shape[0]!, bases.length];
  const shaped = { data: memberships, shape: [T, count] };
  const mass = matmul(fovea, { data: new Float32Array(T).fill(1), shape: [1, T] }, shaped).data;
  const sums = matmul(fovea, transpose(fovea, shaped), all(patches.colors)).data;
  const colors = Array.from({ length: count }, (_, k) => [0, 1, 2].map((c) => sums[3 * k + c]! / Math.max(1e-9, mass[k]!)));
  const painted = matmul(fovea, shaped, colors).data;
  return { memberships, count, colors, shares: Array.from(mass, (x) => x / T), painted: painted as Float32Array };
}
