/** The builders of `normalizer`: each returns the plain object that the option `normalizer` takes. */
import type { Normalizer } from '../attention/types/normalizer.ts';

/**
 * How logits become weights; a name alone, as `normalizer: 'relu'`, is short for the builder's defaults. The builders check
 * nothing: the call that gets the object does.
 *
 * @example
 * import { normalizer } from 'fovea/score';
 * const options = { normalizer: normalizer.topK(1), returnWeights: true };
 * const { weights } = fovea.attention([[1, 0]], [[1, 0], [0, 1]], [[1], [2]], options);
 * toNested(weights); // [[1, 0]]
 */
export const normalizer = {
  /** max(s, 0) / n over the n allowed keys; `scaled: false` does not divide. */
  relu: (options: { readonly scaled?: boolean | undefined } = {}): Normalizer => ({ kind: 'relu', ...options }),
  /** 1 / (1 + exp(-s - bias)); default bias 0. */
  sigmoid: (options: { readonly bias?: number | undefined } = {}): Normalizer => ({ kind: 'sigmoid', ...options }),
  /** 1 for the highest logit, the lowest key on ties. */
  argmax: (): Normalizer => ({ kind: 'argmax' }),
  /** 1 for one key, drawn with softmax's probability; `seed` from 0 to 2^53 - 1, default 0. */
  sampled: (options: { readonly seed?: number | undefined } = {}): Normalizer => ({ kind: 'sampled', ...options }),
  /** Softmax over the k highest logits, the lowest keys on ties. */
  topK: (k: number): Normalizer => ({ kind: 'topK', k }),
  /** The point of the simplex nearest to the logits. */
  sparsemax: (): Normalizer => ({ kind: 'sparsemax' }),
  /** 1.5-entmax, between softmax and sparsemax. */
  entmax15: (): Normalizer => ({ kind: 'entmax15' }),
} as const;
