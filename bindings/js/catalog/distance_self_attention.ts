import { distanceSelfAttention as compute } from '../mechanisms/distance_self_attention.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix, vector } from './samples/words.ts';

const zeros = (columns: number) => vector(new Array<number>(columns).fill(0));

function sampleOf(words: readonly string[]) {
  const { vectors, axes } = readableWords(words);
  const D = axes.length;
  const unit = identityMatrix(D);
  /** Each word looks for itself: the scores of copies are 16, of all other pairs 0. The gate mixes x and H by halves. */
  const direction = {
    Wq: identityMatrix(D, 16 * Math.sqrt(D)),
    Wk: unit,
    Wv: unit,
    Wo: unit,
    WS: unit,
    WH: unit,
    bF: zeros(D),
    W1P: sparseMatrix(D, 1, []),
    b1P: zeros(1),
    W2P: sparseMatrix(1, D, []),
    b2P: zeros(D),
  };
  return {
    inputs: { x: vectors },
    params: {
      forward: direction,
      backward: direction,
      W1M: identityMatrix(2 * D),
      b1M: zeros(2 * D),
      W2M: identityMatrix(2 * D),
      b2M: zeros(2 * D),
    },
    labels: { x: [words, axes], b1M: [[...axes, ...axes]], b2M: [[...axes, ...axes]] },
    sizes: { T: words.length, D },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf('man cat saw a cat and the cat saw the man'.split(' '));

export default system({
  id: 'distance_self_attention',
  family: 'selfAttention',
  title: { en: 'Distance-based self-attention', zh: '基于距离的自注意力' },
  aliases: ['distance mask', 'distance-based self-attention network', '基于距离自注意力', '距离掩码'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'e^{-∞} = 0 as the reason for the distance mask', zh: '用 e^{-∞} = 0 解释距离掩码' },
      means: {
        en: 'its entries are -|i - j|, which is finite: far words are weakened, not excluded',
        zh: '它的元素是 -|i - j|，是有限的：远处的词被减弱，而不是被排除',
      },
    },
    {
      text: texts.survey,
      writes: {
        en: 'F = sigmoid(S^F + H^F + b^F), S^F and H^F undefined',
        zh: 'F = sigmoid(S^F + H^F + b^F)，S^F 与 H^F 没有定义',
      },
      means: 'S^F = x WS, H^F = H WH',
    },
  ],
  paper: {
    authors: 'Im, Cho',
    title: 'Distance-based Self-Attention Network for Natural Language Inference',
    year: 2017,
    url: 'https://arxiv.org/abs/1712.02047',
  },
  equation: '\\operatorname{softmax}(Q K^\\top / \\sqrt{d_k} + M_{dir} - \\alpha |i - j|)\\, V',
  parent: 'scaled_dot',
  slots: { bias: '-\\alpha |i - j|', mask: 'j < i \\text{ or } j > i' },
  complexity: {
    letters: ['T', 'D', 'F', 'H'],
    sizes: { ...sizes, F: 1, H: 1 },
    pairs: ({ T, H }) => T! * (T! - 1) * H!,
    multiplyAdds: ({ T, D, F }) =>
      2 * T! * (6 * D! * D! + 2 * D! * F!) + 2 * T! * (T! - 1) * D! + 8 * T! * D! * D! + 2 * T! * D!,
  },
  ranges: { 'options.alpha': { from: 0, to: 3, step: 0.25 } },
  code: 'distanceSelfAttention(fovea, { x }, params, { alpha })',
  defaults: {
    ...sample,
    options: { alpha: 1.5 },
    claim: {
      text: {
        en: 'Of two earlier copies, the last “cat” attends to the one 3 back (0.99), not to the one 6 back (0.01). The last “man” has one copy, 10 back, and still attends to it (0.90): near words are preferred, far ones not excluded.',
        zh: '前面有两个“猫”，最后一个“猫”看 3 个词之前的（0.99），不看 6 个词之前的（0.01）。最后的“男人”只有一个同词，在 10 个词之前，仍然看它（0.90）：偏爱近处，但不排除远处。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isNear(valueAt(trace, 'forwardWeights', [0, 7, 4]), 0.99, 0.005) &&
        isNear(valueAt(trace, 'forwardWeights', [0, 7, 1]), 0.01, 0.005) &&
        isNear(valueAt(trace, 'forwardWeights', [0, 10, 0]), 0.9, 0.005),
    },
    contrast: { options: { alpha: 0 } },
  },
  chineseLabels: { man: '男人', cat: '猫', saw: '看见', a: '一只', and: '和', the: '那' },
  sampleOf,
  compute,
});
