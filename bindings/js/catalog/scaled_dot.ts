import { attention, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { texts, vaswani2017 } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';
import { workedExample, workedLabels, workedSizes } from './samples/worked_example.ts';

export default option({
  id: 'scaled_dot',
  family: 'basics',
  title: { en: 'Scaled dot-product attention', zh: '缩放点积注意力' },
  aliases: [
    'soft attention',
    'FlashAttention',
    '软性注意力',
    'scaled dot product',
    'SDPA',
    '缩放点积',
    '缩放点积模型',
    '縮放點積注意力',
  ],
  notations: [
    {
      text: texts.example,
      writes: {
        en: 'softmax(Q Kᵀ) V in the example, softmax(Q Kᵀ / √d) V in the code',
        zh: '例题写 softmax(Q Kᵀ) V，代码里写 softmax(Q Kᵀ / √d) V',
      },
      means: { en: 'scale 1, and scale 1/√d', zh: '前者 scale 为 1，后者 scale 为 1/√d' },
    },
  ],
  paper: { ...vaswani2017, equations: 'eq. 1' },
  equation: '\\operatorname{softmax}(Q K^\\top / \\sqrt{d})\\, V',
  parent: 'dot',
  slots: { score: 'q^\\top k / \\sqrt{d}' },
  complexity: { ...attentionWork, sizes: workedSizes },
  code: 'fovea.attention(q, k, v, { returnWeights: true })',
  defaults: {
    inputs: workedExample,
    labels: workedLabels,
    claim: {
      text: {
        en: 'The first query scores 2, 4 and 4; divided by √3, its weights are 0.136, 0.432 and 0.432.',
        zh: '第一个查询的分数是 2、4、4；除以 √3 之后，权重是 0.136、0.432、0.432。',
      },
      tolerance: 0.001,
      holds: (trace) => isRowNear(trace, 'weights', [0], [0.136, 0.432, 0.432], 0.001),
    },
    contrast: { options: { scale: 1 } },
  },
  compute: attention,
});
