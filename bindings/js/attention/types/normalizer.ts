/** The public types of what makes weights of logits. */
import type { NormalizerKind } from '../../../../build/generated/enums/normalizer_kind.ts';
import type { AttentionNormalizer } from './entries.ts';

/**
 * How the logits s of a row become its weights, over its n allowed keys.
 * - 'softmax': exp(s) / Σ exp(s).
 * - 'relu': max(s, 0) / n; `scaled: false` does not divide (Wortsman et al. 2023, arXiv:2309.08586).
 * - 'sigmoid': 1 / (1 + exp(-s - bias)), bias 0 (Ramapuram et al. 2024, arXiv:2409.04431).
 * - 'argmax': 1 for the highest logit, the lowest key on ties; the output is that value row.
 * - 'sampled': 1 for one key, drawn with the probability that softmax gives it: the highest s + Gumbel noise, which is a function
 *   of the seed (an integer from 0 to 2^53 - 1, default 0), the key, the query's position and the head.
 * - 'topK': softmax over the min(k, n) highest logits, the lowest keys on ties, 0 elsewhere (arXiv:2106.06899);
 *   sparse weights list the pairs with a weight alone.
 * - 'sparsemax': the point of the simplex nearest to s (Martins, Astudillo 2016, arXiv:1602.02068).
 * - 'entmax15': 1.5-entmax, between the two (Peters, Niculae, Martins 2019, arXiv:1905.05702).
 *
 * A name is short for the defaults of its builder in `normalizer` of `fovea/score`; 'topK' has none, and is made by its builder alone.
 * A row without an allowed key is zeros, a NaN or +Infinity among its allowed logits makes it NaN. lse and sinks go with softmax.
 */
export type Normalizer = Exclude<NormalizerKind, 'topK'> | AttentionNormalizer;
