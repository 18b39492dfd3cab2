import { normalizer } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';

const words = ['great', 'fine', 'table', 'awful'];
const praise = [[2], [1], [0], [-2]];

export default option({
  id: 'relu',
  family: 'basics',
  title: { en: 'ReLU attention', zh: 'ReLU 注意力' },
  aliases: ['ReLU in place of softmax', '用 ReLU 代替 softmax'],
  notations: [
    {
      text: texts.chapter,
      writes: 'α′ = ReLU(α)',
      means: {
        en: 'divided by the number of keys besides; scaled: false does not divide',
        zh: '还除以键的个数；scaled: false 则不除',
      },
    },
  ],
  paper: {
    authors: 'Wortsman, Lee, Gilmer, Kornblith',
    title: 'Replacing softmax with ReLU in Vision Transformers',
    year: 2023,
    url: 'https://arxiv.org/abs/2309.08586',
    equations: '§3',
  },
  equation: 'A_{ij} = \\frac{1}{n}\\max(0, q_i^\\top k_j / \\sqrt{d}),\\quad O = A V',
  parent: 'scaled_dot',
  slots: { normalizer: '\\max(0, s) / n' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 1, Tk: 4, D: 1, Dv: 1 } },
  code: 'fovea.attention(q, k, v, { normalizer: normalizer.relu(), returnWeights: true })',
  defaults: {
    inputs: { q: [[1]], k: praise, v: praise },
    labels: { q: [['praise'], null], k: [words, ['praise']], v: [words, ['praise']] },
    claim: {
      text: {
        en: 'Keys do not compete: scores 2, 1, 0 and −2 are cut at 0 and divided by the 4 keys, so the weights are 0.5, 0.25, 0 and 0 and need not sum to 1. Softmax gives even “awful” a share.',
        zh: '键之间不再竞争：分数 2、1、0、−2 在 0 处截断，再除以键数 4，权重是 0.5、0.25、0、0，不必加起来等于 1。softmax 连“糟糕”也会分到一点。',
      },
      tolerance: 0,
      holds: (trace) => isRowNear(trace, 'weights', [0], [0.5, 0.25, 0, 0], 0),
    },
    contrast: { options: { normalizer: 'softmax' } },
  },
  chineseLabels: { great: '太棒', fine: '不错', table: '桌子', awful: '糟糕' },
  compute: attentionWith(() => ({ normalizer: normalizer.relu() })),
});
