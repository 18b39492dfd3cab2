import { pattern } from '../pattern/index.ts';
import { attendOver, inChinese, sample, sampleOf, sharedBy, sparseWork, sumOver } from './calls/sparse_call.ts';
import { option } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';

export default option({
  id: 'local',
  family: 'sparse',
  title: { en: 'Local (truncated) self-attention', zh: '局部（截断）自注意力' },
  aliases: [
    'sliding window attention',
    'truncated self-attention',
    'sliding window',
    'band attention',
    '截断自注意力',
    '局部自注意力',
    '滑动窗口注意力',
  ],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'attention at a distance above k is set to 0', zh: '相对距离超过 k 的注意力都直接设为 0' },
      means: {
        en: 'the weight is 0, that is, the score −∞; a score of 0 would still get a share',
        zh: '权重为 0，即分数为 −∞；分数为 0 仍会分到权重',
      },
    },
  ],
  paper: {
    authors: 'Yeh, Mahadeokar, Kalgaonkar, Wang, Le, Jain, Schubert, Fuegen, Seltzer',
    title: 'Transformer-Transducer: End-to-End Speech Recognition with Self-Attention',
    year: 2019,
    url: 'https://arxiv.org/abs/1910.12977',
    equations: 'truncated self-attention',
  },
  equation: '\\operatorname{softmax}_{|i - j| \\le k}(q_i^\\top k_j / \\sqrt{d})\\, V',
  parent: 'self_attention',
  slots: { mask: '|i - j| \\le k' },
  complexity: sparseWork({ k: 1 }, ({ T, k }) => sumOver(T!, (i) => Math.min(i, k!) + 1 + Math.min(k!, T! - 1 - i))),
  ranges: { 'options.radius': { from: 0, to: 8, step: 1 }, 'options.scale': { from: 0, to: 4, step: 0.5 } },
  code: 'fovea.attention(x, x, x, { pattern: pattern.local(radius), scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { radius: 1, scale: 0 },
    claim: {
      text: {
        en: 'A word sees itself and one neighbor on each side: three keys, 0.33 each; at the edges two, 0.50 each. Nine words have 25 pairs in place of 81, and longer texts grow by 3 pairs a word.',
        zh: '每个词只看自己和左右各一个邻居：三个键各 0.33，句首句尾两个键各 0.50。九个词只有 25 对，而不是 81 对；句子每长一个词只多 3 对。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isRowNear(trace, 'weights', [4], sharedBy([3, 4, 5]), 0.005) &&
        isRowNear(trace, 'weights', [0], sharedBy([0, 1]), 0.005),
    },
    contrast: { options: { radius: 8 } },
  },
  chineseLabels: inChinese,
  sampleOf,
  compute: attendOver(({ radius }: { radius: number }) => pattern.local(radius), 'radius'),
});
