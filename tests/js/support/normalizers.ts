/** Normalizers as they are defined, one row of logits at a time, in double. -Infinity is a forbidden pair. */
import { normalizer, type BuiltNormalizer } from 'fovea/score';
import { philox } from './philox.ts';

/** The parameters of a normalizer that its definition needs. */
export type NormalizerParameters = Pick<BuiltNormalizer, 'kind' | 'scaled' | 'bias' | 'seed' | 'k'>;

export const NORMALIZERS: readonly BuiltNormalizer[] = [
  normalizer.softmax(),
  normalizer.relu(),
  normalizer.relu({ scaled: false }),
  normalizer.sigmoid(),
  normalizer.sigmoid({ bias: -1.5 }),
  normalizer.argmax(),
  normalizer.sampled(),
  normalizer.sampled({ seed: Number.MAX_SAFE_INTEGER }),
  normalizer.topK(1),
  normalizer.topK(3),
  normalizer.topK(1e9),
  normalizer.sparsemax(),
  normalizer.entmax15(),
];

/** Where a row stands: what a sampled one draws depends on it. */
export interface RowPlace {
  readonly position: number;
  /** b·H + h */
  readonly head: number;
}

export function weightsOf(normalizer: NormalizerParameters, logits: readonly number[], place: RowPlace): number[] {
  const keys = [...logits.keys()].filter((j) => logits[j] !== -Infinity);
  const weights = logits.map(() => 0);
  if (keys.some((j) => !Number.isFinite(logits[j]))) return weights.fill(NaN);
  if (keys.length === 0) return weights;
  const fill = (of: (s: number) => number): number[] => {
    for (const j of keys) weights[j] = of(logits[j]!);
    return weights;
  };
  switch (normalizer.kind) {
    case 'relu':
      return fill((s) => Math.max(s, 0) / ((normalizer.scaled ?? true) ? keys.length : 1));
    case 'sigmoid':
      return fill((s) => 1 / (1 + Math.exp(-s - (normalizer.bias ?? 0))));
    case 'sparsemax':
      return fill(
        simplex(
          keys.map((j) => logits[j]!),
          (s, t) => Math.max(s - t, 0),
        ),
      );
    case 'entmax15':
      return fill(
        simplex(
          keys.map((j) => logits[j]!),
          (s, t) => Math.max(s / 2 - t, 0) ** 2,
        ),
      );
    default: {
      const rank = (j: number): number =>
        logits[j]! + (normalizer.kind === 'sampled' ? gumbel(normalizer.seed ?? 0, j, place) : 0);
      const count = normalizer.kind === 'softmax' ? keys.length : normalizer.kind === 'topK' ? normalizer.k : 1;
      const kept = keys.sort((a, b) => rank(b) - rank(a) || a - b).slice(0, count);
      const total = kept.reduce((sum, j) => sum + Math.exp(logits[j]! - logits[kept[0]!]!), 0);
      for (const j of kept) weights[j] = Math.exp(logits[j]! - logits[kept[0]!]!) / total;
      return weights;
    }
  }
}

/** The weight function whose threshold makes the sum 1. */
function simplex(scores: readonly number[], weight: (s: number, threshold: number) => number): (s: number) => number {
  let [low, high] = [Math.min(0, ...scores) - 2, Math.max(0, ...scores)];
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (scores.reduce((sum, s) => sum + weight(s, middle), 0) > 1) low = middle;
    else high = middle;
  }
  return (s) => weight(s, low);
}

function gumbel(seed: number, key: number, { position, head }: RowPlace): number {
  const word = philox(seed, [key, position >>> 0, head, 1])[0]!;
  return -Math.log(-Math.log(((word >>> 9) + 0.5) * 2 ** -23));
}
