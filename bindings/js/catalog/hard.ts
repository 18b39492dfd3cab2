import { normalizer } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { showAttendTell, texts } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';
import { workedExample, workedLabels, workedSizes } from './samples/worked_example.ts';

export default option({
  id: 'hard',
  family: 'basics',
  title: { en: 'Hard attention (the highest score)', zh: '硬性注意力（取最大）' },
  aliases: ['hard attention', 'argmax attention', '硬注意力', '最大采样', '硬性注意力'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'the input with the highest probability is taken', zh: '选取最高概率的输入信息' },
      means: { en: 'argmax; on ties the first key', zh: 'argmax；并列时取第一个键' },
    },
  ],
  paper: { ...showAttendTell, equations: '§4.1' },
  equation: 'o_i = v_{j^*},\\quad j^* = \\operatorname{argmax}_j q_i^\\top k_j',
  parent: 'scaled_dot',
  slots: { normalizer: "[j = \\operatorname{argmax}_{j'} s_{j'}]" },
  complexity: { ...attentionWork, sizes: workedSizes },
  code: 'fovea.attention(q, k, v, { normalizer: normalizer.argmax(), returnWeights: true })',
  defaults: {
    inputs: workedExample,
    labels: workedLabels,
    claim: {
      text: {
        en: 'One key gets everything: the third query scores 4, 12 and 10, its weights are 0, 1 and 0, and its output is the second value, 2 8 0, exactly. Softmax would mix in the third.',
        zh: '只选一个键：第三个查询的分数是 4、12、10，权重就是 0、1、0，输出恰好是第二个值 2、8、0。softmax 则会掺进第三个。',
      },
      tolerance: 0,
      holds: (trace) => isRowNear(trace, 'weights', [2], [0, 1, 0], 0) && isRowNear(trace, 'output', [2], [2, 8, 0], 0),
    },
    contrast: { options: { normalizer: 'softmax' } },
  },
  compute: attentionWith(() => ({ normalizer: normalizer.argmax() })),
});
