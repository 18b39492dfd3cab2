/** `score`: what makes Scores, and what each of them is. */
import { additiveSource, concatSource, pairSumSource, readAdditiveForm, readPairSumForm } from './additive_scores.ts';
import { bilinearSource, cosineSource, dotSource, locationSource } from './dot_scores.ts';
import { keep, keepAll, makeScore, readWeightLayout, type Score } from './score.ts';
import type { AdditiveOptions, AdditiveParams, ConcatParams, PairSumOptions, PairSumParams, ScoreOptions } from './types.ts';
import type { ArrayInput } from '../tensor/array_input.ts';

/**
 * q is a query's row [Dq], k a key's [Dk]. The option `scale` multiplies the score; its default is 1, but for `scaledDot`. All throw
 * AttentionError `value` for what is no array, `option` for unknown names, at once; whether a parameter's shape fits is known in a
 * call, which throws `shape`. In selfAttention and multiHeadAttention q and k are the rows of a head, after Wq and Wk of the call.
 */
export interface ScoreBuilders {
  /** q · k. */
  dot(): Score;
  /** q · k / √D: what attention does without a score (Vaswani et al. 2017, arXiv:1706.03762 §3.2.1). */
  scaledDot(): Score;
  /**
   * qᵀ W k, Luong's "general" (Luong, Pham, Manning 2015, arXiv:1508.04025 eq. 8).
   *
   * @param W [Dq, Dk], or [H, Dq, Dk]: one for each query head. With `weightLayout: 'outIn'` [Dk, Dq].
   */
  bilinear(W: ArrayInput, options?: ScoreOptions): Score;
  /**
   * w · f(q Wq + k Wk + bias), f = tanh (Bahdanau, Cho, Bengio 2015, arXiv:1409.0473 A.1.2), or ReLU or LeakyReLU by `activation`.
   * Nothing of Tq × Tk × A is stored. Each tanh is within 2^-21 of the true one.
   */
  additive(params: AdditiveParams, options?: AdditiveOptions): Score;
  /**
   * w · f([q; k] W + bias): the additive score with Wq and Wk in one matrix. With tanh Luong's "concat" (arXiv:1508.04025 eq. 8), with
   * LeakyReLU of slope 0.2 GATv2's (Brody, Alon, Yahav 2022, arXiv:2105.14491 eq. 7).
   */
  concat(params: ConcatParams, options?: AdditiveOptions): Score;
  /**
   * f(wq · q + wk · k), f = LeakyReLU of slope 0.2 (Veličković et al. 2018, arXiv:1710.10903 eq. 3: GAT), or another by `activation`.
   *
   * @param params wq [Dq], wk [Dk], or [H, Dq] and [Hkv, Dk].
   */
  pairSum(params: PairSumParams, options?: PairSumOptions): Score;
  /** q · k / (|q| |k|) (Graves, Wayne, Danihelka 2014, arXiv:1410.5401 eq. 6). No eps: with a row of zeros it is 0. */
  cosine(): Score;
  /**
   * q · W[j], whatever key j holds: Luong's "location" (arXiv:1508.04025 eq. 9), softmax(W q).
   *
   * @param W [places, Dq], or [Hkv, places, Dq]: one for each key head. At least Tk places; others are not looked at.
   */
  location(W: ArrayInput): Score;
}

/**
 * The functions that make Scores.
 *
 * @example
 * import { score } from 'fovea/score';
 * const additive = score.additive({ Wq: [[1, 0], [0, 1]], Wk: [[1, 0], [0, 1]], w: [1, -1] });
 * const { output } = fovea.attention([[1, 0]], [[1, 0], [0, 1]], [[1], [2]], { score: additive });
 */
export const score: ScoreBuilders = Object.freeze({
  dot: () => makeScore('dot', dotSource(1)),
  scaledDot: () => makeScore('scaledDot', dotSource(null)),
  bilinear: (W: ArrayInput, options?: ScoreOptions) => {
    const fn = 'score.bilinear';
    return makeScore('bilinear', bilinearSource(keep(fn, 'W', W), readWeightLayout(fn, options)));
  },
  additive: (params: AdditiveParams, options?: AdditiveOptions) => {
    const fn = 'score.additive';
    return makeScore(
      'additive',
      additiveSource(keepAll(fn, params, ['Wq', 'Wk', 'w'], ['bias']), readAdditiveForm(fn, options)),
    );
  },
  concat: (params: ConcatParams, options?: AdditiveOptions) => {
    const fn = 'score.concat';
    return makeScore('concat', concatSource(keepAll(fn, params, ['W', 'w'], ['bias']), readAdditiveForm(fn, options)));
  },
  pairSum: (params: PairSumParams, options?: PairSumOptions) => {
    const fn = 'score.pairSum';
    return makeScore('pairSum', pairSumSource(keepAll(fn, params, ['wq', 'wk'], []), readPairSumForm(fn, options)));
  },
  cosine: () => makeScore('cosine', cosineSource()),
  location: (W: ArrayInput) => makeScore('location', locationSource(keep('score.location', 'W', W))),
});
