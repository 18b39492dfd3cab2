import { normalizer } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { isRowNear, rowAt } from './entry/stage_values.ts';

const scores = [[2], [1], [0], [-1]];
const names = ['score 2', 'score 1', 'score 0', 'score −1'];

export default option({
  id: 'top_k',
  family: 'basics',
  title: { en: 'Top-k attention', zh: 'Top-k 注意力' },
  aliases: ['top-k softmax', '只保留前 k 个'],
  paper: {
    authors: 'Gupta, Dar, Goodman, Ciprut, Berant',
    title: 'Memory-efficient Transformers via Top-k Attention',
    year: 2021,
    url: 'https://arxiv.org/abs/2106.06899',
    equations: '§2',
  },
  equation: '\\operatorname{softmax}(\\operatorname{top}_k(Q K^\\top / \\sqrt{d}))\\, V',
  parent: 'scaled_dot',
  slots: { normalizer: '\\operatorname{softmax}(\\operatorname{top}_k(s))' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 1, Tk: 4, D: 1, Dv: 1 } },
  ranges: { 'options.most': { from: 1, to: 4, step: 1 } },
  code: 'fovea.attention(q, k, v, { normalizer: normalizer.topK(most), returnWeights: true })',
  defaults: {
    inputs: { q: [[1]], k: scores, v: scores },
    options: { most: 2 },
    labels: { k: [names, null], v: [names, null] },
    claim: {
      text: {
        en: 'Of the scores 2, 1, 0 and −1 only the best two take part: they share 0.731 and 0.269, the others get exactly 0. Softmax over all four leaves 0.12 to those.',
        zh: '分数 2、1、0、−1 中只有前两名参加归一化：得 0.731 和 0.269，其余恰好是 0。若对四个都做 softmax，后两个还会分走 0.12。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        isRowNear(trace, 'weights', [0], [0.731, 0.269, 0, 0], 0.0005) &&
        rowAt(trace, 'weights', [0]).slice(2).join() === '0,0',
    },
    contrast: { options: { normalizer: 'softmax' } },
  },
  compute: attentionWith((_, { most }: { most: number }) => ({ normalizer: normalizer.topK(most) }), 'most'),
});
