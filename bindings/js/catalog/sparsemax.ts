import { normalizer } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { isRowNear } from './entry/stage_values.ts';

const scores = [[1], [0.5], [-1]];
const names = ['score 1', 'score 1/2', 'score −1'];

export default option({
  id: 'sparsemax',
  family: 'basics',
  title: { en: 'Sparsemax attention', zh: 'sparsemax 注意力' },
  aliases: ['Euclidean projection onto the simplex', '稀疏 softmax', '单纯形投影'],
  paper: {
    authors: 'Martins, Astudillo',
    title: 'From Softmax to Sparsemax: A Sparse Model of Attention and Multi-Label Classification',
    year: 2016,
    url: 'https://arxiv.org/abs/1602.02068',
    equations: 'eq. 2 and 3',
  },
  equation:
    '\\operatorname{sparsemax}(s) = \\operatorname{argmin}_{p \\in \\Delta} \\lVert p - s \\rVert^2 = \\max(0, s - \\tau)',
  parent: 'dot',
  slots: { normalizer: '\\max(0, s - \\tau),\\; \\sum_j \\max(0, s_j - \\tau) = 1' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 1, Tk: 3, D: 1, Dv: 1 } },
  ranges: { 'options.temperature': { from: 0.25, to: 4, step: 0.25 } },
  code: 'fovea.attention(q, k, v, { normalizer: normalizer.sparsemax(), temperature, returnWeights: true })',
  defaults: {
    inputs: { q: [[1]], k: scores, v: scores },
    options: { temperature: 1 },
    labels: { k: [names, null], v: [names, null] },
    claim: {
      text: {
        en: 'The scores 1, 1/2 and −1 become 0.75, 0.25 and exactly 0: each is lowered by τ = 0.25 and cut at 0. Softmax never gives 0.',
        zh: '分数 1、1/2、−1 变成 0.75、0.25 和恰好 0：各减去 τ = 0.25，再在 0 处截断。softmax 永远不会给出 0。',
      },
      tolerance: 1e-6,
      holds: (trace) => isRowNear(trace, 'weights', [0], [0.75, 0.25, 0], 1e-6),
    },
    contrast: { options: { normalizer: 'softmax' } },
  },
  compute: attentionWith(() => ({ normalizer: normalizer.sparsemax() })),
});
