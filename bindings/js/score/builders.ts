/** `score`: what makes Scores, and what each of them is. */
import { additiveSource, concatSource, pairSumSource, readAdditiveForm, readPairSumForm } from './additive_scores.ts';
import { bilinearSource, cosineSource, dotSource, locationSource } from './dot_scores.ts';
import { keep, keepAll, makeScore, readWeightLayout, type Score } from './score.ts';
import { fail } from '../errors/errors.ts';
import type {
  AdditiveOptions,
  AdditiveParams,
  ConcatParams,
  PairSumOptions,
  PairSumParams,
  ProjectedKeys,
  ScoreOptions,
} from './types.ts';
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
   *
   * With `keys: 'projected'` k holds k Wk already, [..., Tk, A], and Wk is left out: a decoder projects its source once, not at each
   * step, and a cache may hold these keys. The bits are those of unprojected keys where the product is the same.
   */
  additive(params: AdditiveParams, options?: AdditiveOptions): Score;
  /** The additive score over keys that are projected already, [..., Tk, A]. */
  additive(params: Omit<AdditiveParams, 'Wk'>, options: AdditiveOptions & ProjectedKeys): Score;
  /**
   * w · f([q; k] W + bias): the additive score with Wq and Wk in one matrix. With tanh Luong's "concat" (arXiv:1508.04025 eq. 8), with
   * LeakyReLU of slope 0.2 GATv2's (Brody, Alon, Yahav 2022, arXiv:2105.14491 eq. 7).
   */
  concat(params: ConcatParams, options?: AdditiveOptions): Score;
  /**
   * f(wq · q + wk · k), f = LeakyReLU of slope 0.2 (Veličković et al. 2018, arXiv:1710.10903 eq. 3: GAT), or another by `activation`.
   *
   * With `keys: 'projected'` k holds k · wk already, [..., Tk, 1], and wk is left out.
   *
   * @param params wq [Dq], wk [Dk], or [H, Dq] and [Hkv, Dk].
   */
  pairSum(params: PairSumParams, options?: PairSumOptions): Score;
  /** The score of a sum over keys that are projected already, [..., Tk, 1]. */
  pairSum(params: Omit<PairSumParams, 'wk'>, options: PairSumOptions & ProjectedKeys): Score;
  /** q · k / (|q| |k|) (Graves, Wayne, Danihelka 2014, arXiv:1410.5401 eq. 6). No eps: with a row of zeros it is 0. */
  cosine(): Score;
  /**
   * q · W[j], whatever key j holds: Luong's "location" (arXiv:1508.04025 eq. 9), softmax(W q).
   *
   * @param W [positions, Dq], or [Hkv, positions, Dq]: one for each key head. At least Tk positions; later ones are not read.
   */
  location(W: ArrayInput): Score;
}

const FORM = ['weightLayout', 'activation', 'slope'] as const;

function checkKeys(fn: string, areProjected: boolean, name: string, given: ArrayInput | undefined): void {
  if (areProjected && given !== undefined)
    fail('option', fn, `params.${name} cannot be combined with keys 'projected', which have been multiplied with it`);
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
    const [kept, weightLayout] = [keep(fn, 'W', W), readWeightLayout(fn, options)];
    return makeScore('bilinear', bilinearSource(kept, weightLayout), kept, { weightLayout });
  },
  additive: (params: Omit<AdditiveParams, 'Wk'>, options?: AdditiveOptions & Partial<ProjectedKeys>) => {
    const fn = 'score.additive';
    const form = readAdditiveForm(fn, options, [...FORM, 'keys']);
    const kept = form.hasProjectedKeys
      ? keepAll(fn, params, ['Wq', 'w'], ['Wk', 'bias'])
      : keepAll(fn, params, ['Wq', 'Wk', 'w'], ['bias']);
    checkKeys(fn, form.hasProjectedKeys, 'Wk', kept.Wk);
    return makeScore('additive', additiveSource(kept, form), kept, form.options);
  },
  concat: (params: ConcatParams, options?: AdditiveOptions) => {
    const fn = 'score.concat';
    const kept = keepAll(fn, params, ['W', 'w'], ['bias']);
    const form = readAdditiveForm(fn, options, FORM);
    return makeScore('concat', concatSource(kept, form), kept, form.options);
  },
  pairSum: (params: Omit<PairSumParams, 'wk'>, options?: PairSumOptions & Partial<ProjectedKeys>) => {
    const fn = 'score.pairSum';
    const { options: own, activation, hasProjectedKeys } = readPairSumForm(fn, options);
    const kept = hasProjectedKeys ? keepAll(fn, params, ['wq'], ['wk']) : keepAll(fn, params, ['wq', 'wk'], []);
    checkKeys(fn, hasProjectedKeys, 'wk', kept.wk);
    return makeScore('pairSum', pairSumSource(kept, activation), kept, own);
  },
  cosine: () => makeScore('cosine', cosineSource()),
  location: (W: ArrayInput) => {
    const kept = keep('score.location', 'W', W);
    return makeScore('location', locationSource(kept), kept);
  },
});
