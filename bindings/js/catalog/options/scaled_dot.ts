import type { RunnableEntry } from '../entry.ts';
import { isNear, rowAt } from '../stage_values.ts';
import { attention, attentionWork } from './attention_call.ts';

const tokens = ['token 1', 'token 2', 'token 3'];

export const scaledDot: RunnableEntry = {
  id: 'scaled_dot',
  kind: 'option',
  family: 'basics',
  title: { en: 'Scaled dot-product attention', zh: '缩放点积注意力' },
  aliases: ['scaled dot product', 'SDPA', '缩放点积', '缩放点积模型', '縮放點積注意力'],
  notations: [
    {
      text: '004',
      writes: 'softmax(Q Kᵀ) V in the example, softmax(Q Kᵀ / √d) V in the code',
      means: 'scale 1, and scale 1/√d',
    },
  ],
  paper: {
    authors: 'Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin',
    title: 'Attention Is All You Need',
    year: 2017,
    url: 'https://arxiv.org/abs/1706.03762',
    equations: 'eq. 1',
  },
  year: 2017,
  equation: '\\operatorname{softmax}(Q K^\\top / \\sqrt{d})\\, V',
  parent: 'dot',
  slots: { score: 'q^\\top k / \\sqrt{d}' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 3, Tk: 3, D: 3, Dv: 3 } },
  ranges: {},
  code: 'fovea.attention(q, k, v, { returnWeights: true })',
  defaults: {
    inputs: {
      q: [[1, 0, 2], [2, 2, 2], [2, 1, 3]],
      k: [[0, 1, 1], [4, 4, 0], [2, 3, 1]],
      v: [[1, 2, 3], [2, 8, 0], [2, 6, 3]],
    }, // prettier-ignore
    params: {},
    options: {},
    provenance: 'none',
    seeded: false,
    labels: { q: [tokens, null], k: [tokens, null], v: [tokens, null] },
    claim: {
      text: {
        en: 'The first query scores 2, 4 and 4; divided by √3, its weights are 0.136, 0.432 and 0.432.',
        zh: '第一个查询的分数是 2、4、4；除以 √3 之后，权重是 0.136、0.432、0.432。',
      },
      tolerance: 0.001,
      holds: (trace) => [0.136, 0.432, 0.432].every((weight, key) => isNear(rowAt(trace, 'weights', [0])[key]!, weight, 0.001)),
    },
    contrast: { options: { scale: 1 } },
  },
  compute: attention,
};
