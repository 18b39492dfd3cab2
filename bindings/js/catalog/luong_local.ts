import { luongLocal as compute } from '../mechanisms/luong_local.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { luong2015, texts } from './entry/papers.ts';
import { isNear, rowAt, valueAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix } from './samples/words.ts';

const steps = ['step 1', 'step 2', 'step 3'];

function sampleOf(words: readonly string[]) {
  const { vectors, axes } = readableWords(words);
  /** All scores are equal: what remains is the window and the Gaussian. */
  const Wa = sparseMatrix(1, axes.length, []);
  const Wc = identityMatrix(axes.length).concat(sparseMatrix(1, axes.length, []));
  return {
    inputs: { source: vectors, decoder: [[-1], [0], [1]] },
    params: { Wa, Wp: [[1]], vp: [2], Wc },
    labels: { source: [words, axes], decoder: [steps, ['where to look']], Wa: [['where to look'], axes] },
    sizes: { Ts: words.length, Hs: axes.length, D: axes.length },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(['the', 'cat', 'sat', 'on', 'a', 'mat', 'all', 'day']);
/** The weights at distances 0, 1, 2: a fifth each, times exp(-distance² / 2). */
const weights = [0.2, 0.121, 0.027];

export default system({
  id: 'luong_local',
  family: 'alignment',
  title: { en: 'Luong local attention', zh: 'Luong 局部注意力' },
  aliases: ['local-p', 'local-m', 'predictive alignment', '局部注意力', '预测对齐', '单调对齐'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'outside the window the attention is set to 0', zh: '窗口外的注意力设为 0' },
      means: { en: 'the weight is 0, which is a score of -∞', zh: '权重为 0，即分数为 -∞' },
    },
    {
      text: 'Luong et al. 2015',
      writes: { en: 'positions that the state predicts in [0, S]', zh: '由状态预测的位置，在 [0, S] 内' },
      means: { en: 'positions count from 0, and are not rounded', zh: '位置从 0 数起，不取整' },
    },
  ],
  paper: { ...luong2015, equations: 'eq. 7, 9, 10' },
  equation:
    'p_t = S\\,\\sigma(v_p^\\top \\tanh(h_t W_p)),\\quad a_t(s) = \\operatorname{softmax}_{|s - p_t| \\le D}(h_t W_a \\cdot \\bar h_s)\\, \\exp(-\\tfrac{(s - p_t)^2}{2\\sigma^2})',
  parent: 'luong',
  slots: { mask: '|s - p_t| \\le D', weightScale: '\\exp(-(s - p_t)^2 / 2\\sigma^2)' },
  complexity: {
    letters: ['Tt', 'Ts', 'S', 'Hs', 'P', 'D', 'window'],
    sizes: { Tt: steps.length, Ts: sizes.Ts, S: 1, Hs: sizes.Hs, P: 1, D: sizes.D, window: 5 },
    pairs: ({ Tt, Ts, window }) => Tt! * Math.min(Ts!, window!),
    multiplyAdds: ({ Tt, Ts, S, Hs, P, D, window }) =>
      Tt! * (S! * P! + P! + S! * Hs! + 2 * Math.min(Ts!, window!) * Hs! + (Hs! + S!) * D!),
  },
  ranges: { 'options.D': { from: 0.5, to: 8, step: 0.5 } },
  defaults: {
    ...sample,
    options: { D: 2 },
    claim: {
      text: {
        en: 'Step 2 predicts position 4 of 8: its window of five words has the weights 0.027, 0.121, 0.2, 0.121, 0.027, in all 0.50, for the Gaussian is not renormalized.',
        zh: '第 2 步预测的中心是第 4 号位置（从 0 数，共 8 个词）：窗口里五个词的权重是 0.027、0.121、0.2、0.121、0.027，总和只有 0.50，因为乘上高斯之后不再归一化。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        isNear(valueAt(trace, 'position', [1]), 4, 0.0005) &&
        rowAt(trace, 'weights', [1]).every((weight, s) => isNear(weight, weights[Math.abs(s - 4)] ?? 0, 0.0005)),
    },
    // Without the Gaussian the edge of the window is a cliff from 0.2 to 0.
    contrast: { options: { gaussian: false } },
  },
  chineseLabels: { the: '那只', cat: '猫', sat: '坐', on: '在', a: '一张', mat: '垫子', all: '上', day: '打盹' },
  sampleOf,
  compute,
});
