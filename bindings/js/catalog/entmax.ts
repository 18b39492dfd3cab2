import { normalizer } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { isRowNear } from './entry/stage_values.ts';

const scores = [[1], [0.5], [-1]];
const names = ['score 1', 'score 1/2', 'score −1'];

export default option({
  id: 'entmax',
  family: 'basics',
  title: { en: 'Entmax attention (α = 1.5)', zh: 'entmax 注意力（α = 1.5）' },
  aliases: ['1.5-entmax', 'α-entmax', 'entmax 归一化'],
  paper: {
    authors: 'Peters, Niculae, Martins',
    title: 'Sparse Sequence-to-Sequence Models',
    year: 2019,
    url: 'https://arxiv.org/abs/1905.05702',
    equations: '§3, α = 1.5',
  },
  equation: '1.5\\text{-entmax}(s) = \\max(0, s / 2 - \\tau)^2',
  parent: 'sparsemax',
  slots: { normalizer: '\\max(0, s / 2 - \\tau)^2,\\; \\sum_j \\max(0, s_j / 2 - \\tau)^2 = 1' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 1, Tk: 3, D: 1, Dv: 1 } },
  ranges: { 'options.temperature': { from: 0.25, to: 4, step: 0.25 } },
  code: 'fovea.attention(q, k, v, { normalizer: normalizer.entmax15(), temperature, returnWeights: true })',
  defaults: {
    inputs: { q: [[1]], k: scores, v: scores },
    options: { temperature: 1 },
    labels: { k: [names, null], v: [names, null] },
    claim: {
      text: {
        en: 'Between softmax and sparsemax: the scores 1, 1/2 and −1 become 0.674, 0.326 and exactly 0. Softmax gives 0.574, 0.348 and 0.078; sparsemax 0.75, 0.25 and 0.',
        zh: '介于 softmax 与 sparsemax 之间：分数 1、1/2、−1 变成 0.674、0.326 和恰好 0。softmax 给 0.574、0.348、0.078，sparsemax 给 0.75、0.25、0。',
      },
      tolerance: 0.0005,
      holds: (trace) => isRowNear(trace, 'weights', [0], [0.674, 0.326, 0], 0.0005),
    },
    contrast: { options: { normalizer: 'sparsemax' } },
  },
  compute: attentionWith(() => ({ normalizer: normalizer.entmax15() })),
});
