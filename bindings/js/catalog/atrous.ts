import { pattern } from '../pattern/index.ts';
import { attendOver, inChinese, sample, sampleOf, sharedBy, sparseWork, sumOver } from './calls/sparse_call.ts';
import { option } from './entry/define.ts';
import { isRowNear } from './entry/stage_values.ts';

export default option({
  id: 'atrous',
  family: 'sparse',
  title: { en: 'Atrous (dilated) self-attention', zh: '空洞自注意力' },
  aliases: ['dilated self-attention', 'atrous self-attention', '膨胀自注意力', '带孔自注意力', '空洞注意力'],
  paper: null,
  year: 2019,
  equation: '\\operatorname{softmax}_{k \\mid i - j}(q_i^\\top k_j / \\sqrt{d})\\, V',
  parent: 'self_attention',
  slots: { mask: 'k \\mid i - j' },
  complexity: sparseWork({ k: 3 }, ({ T, k }) => sumOver(T!, (i) => Math.floor(i / k!) + 1 + Math.floor((T! - 1 - i) / k!))),
  ranges: { 'options.stride': { from: 1, to: 8, step: 1 }, 'options.scale': { from: 0, to: 4, step: 0.5 } },
  code: 'fovea.attention(x, x, x, { pattern: pattern.atrous(stride), scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { stride: 3, scale: 0 },
    claim: {
      text: {
        en: 'A word sees the words 3, 6, 9 … positions away and none between: the second sees the second, fifth and eighth, 0.33 each. Nine words have 27 pairs in place of 81, a third.',
        zh: '每个词只看相距 3、6、9…… 的词，中间的全跳过：第 2 个词看第 2、5、8 个，各 0.33。九个词有 27 对，是 81 对的三分之一。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isRowNear(trace, 'weights', [1], sharedBy([1, 4, 7]), 0.005) &&
        isRowNear(trace, 'weights', [0], sharedBy([0, 3, 6]), 0.005),
    },
    contrast: { options: { pattern: pattern.local(1) } },
  },
  chineseLabels: inChinese,
  sampleOf,
  compute: attendOver(({ stride }: { stride: number }) => pattern.atrous(stride), 'stride'),
});
