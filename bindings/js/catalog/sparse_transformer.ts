import { pattern } from '../pattern/index.ts';
import { attendOver, inChinese, sample, sampleOf, sharedBy, sparseWork, sumOver } from './calls/sparse_call.ts';
import { option } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';

export default option({
  id: 'sparse_transformer',
  family: 'sparse',
  title: { en: 'Sparse Transformer (strided)', zh: '稀疏自注意力（Sparse Transformer）' },
  aliases: ['strided attention', 'sparse self-attention', '稀疏自注意力', '稀疏注意力'],
  notations: [
    {
      text: texts.survey,
      writes: {
        en: 'a distance of at most k, or of k, 2k, 3k, …, on both sides',
        zh: '相对距离不超过 k 的、相对距离为 k, 2k, 3k, … 的，两侧都看',
      },
      means: {
        en: 'pattern.local(k).or(pattern.atrous(k)); the paper is causal',
        zh: 'pattern.local(k).or(pattern.atrous(k))；论文里只看前面',
      },
    },
  ],
  paper: {
    authors: 'Child, Gray, Radford, Sutskever',
    title: 'Generating Long Sequences with Sparse Transformers',
    year: 2019,
    url: 'https://arxiv.org/abs/1904.10509',
    equations: '§4.2, strided',
  },
  equation:
    '\\operatorname{softmax}_{j \\in S_i}(q_i^\\top k_j / \\sqrt{d})\\, V,\\quad S_i = \\{j \\le i: i - j \\le l \\text{ or } l \\mid i - j\\}',
  parent: 'local',
  slots: { mask: 'j \\le i,\\; i - j \\le l \\text{ or } l \\mid i - j' },
  complexity: sparseWork({ l: 3 }, ({ T, l }) => sumOver(T!, (i) => Math.min(i, l!) + 1 + Math.max(0, Math.floor(i / l!) - 1))),
  ranges: { 'options.stride': { from: 1, to: 8, step: 1 }, 'options.scale': { from: 0, to: 4, step: 0.5 } },
  code: 'fovea.attention(x, x, x, { pattern: pattern.strided(stride), scale, returnWeights: true })',
  defaults: {
    ...sample,
    options: { stride: 3, scale: 0 },
    claim: {
      text: {
        en: 'Dense nearby, sparse far away: the last word sees itself and the three words before it, and of the rest every third, 0.20 each. Two layers reach every word before.',
        zh: '近处密、远处疏：最后一个词看自己和前面三个词，再往前每隔三个看一个，五个键各 0.20。叠两层就能到达前面所有的词。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isRowNear(trace, 'weights', [8], sharedBy([2, 5, 6, 7, 8]), 0.005) &&
        isRowNear(trace, 'weights', [3], sharedBy([0, 1, 2, 3]), 0.005),
    },
    contrast: { options: { pattern: pattern.window(3, 0) } },
  },
  chineseLabels: inChinese,
  sampleOf,
  compute: attendOver(({ stride }: { stride: number }) => pattern.strided(stride), 'stride'),
});
