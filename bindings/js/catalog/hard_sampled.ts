import { normalizer } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { showAttendTell, texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { workedExample, workedLabels } from './samples/worked_example.ts';

const draws = 100;
const soft = [0.06, 0.47, 0.47];

export default option({
  id: 'hard_sampled',
  family: 'basics',
  title: { en: 'Hard attention (sampled)', zh: '硬性注意力（随机采样）' },
  aliases: ['stochastic hard attention', '随机采样的硬注意力', '硬性注意力采样'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'a sample from the attention distribution', zh: '在注意力分布式上随机采样' },
      means: { en: 'one key, drawn with the probability that softmax gives it', zh: '按 softmax 给出的概率抽取一个键' },
    },
  ],
  paper: { ...showAttendTell, equations: '§4.1, eq. 8 and 9' },
  equation: 'o_i = v_{j},\\quad j \\sim \\operatorname{softmax}(q_i^\\top k_j)',
  parent: 'hard',
  slots: { normalizer: '[j = J],\\; J \\sim \\operatorname{softmax}(s)' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: draws, Tk: 3, D: 3, Dv: 3 } },
  ranges: { 'options.seed': { from: 0, to: 1000, step: 1 } },
  code: 'fovea.attention(q, k, v, { normalizer: normalizer.sampled({ seed }), scale, returnWeights: true })',
  defaults: {
    inputs: { ...workedExample, q: Array.from({ length: draws }, () => workedExample.q[0]!) },
    options: { seed: 0, scale: 1 },
    seeded: true,
    labels: { k: workedLabels.k, v: workedLabels.v },
    claim: {
      text: {
        en: 'One query is asked 100 times, and each draw takes one key alone. The mean of all draws tends to the soft weights 0.06, 0.47 and 0.47: after 100 it is within 0.1.',
        zh: '同一个查询抽 100 次，每次只取一个键。抽得越多，平均越接近软性注意力的权重 0.06、0.47、0.47：100 次之后相差不到 0.1。',
      },
      tolerance: 0.1,
      holds: (trace) => {
        const rows = Array.from({ length: draws }, (_, draw) => rowAt(trace, 'weights', [draw]));
        const means = soft.map((_, key) => rows.reduce((sum, row) => sum + row[key]!, 0) / draws);
        return (
          rows.every((row) => [...row].sort().join() === '0,0,1') &&
          soft.every((weight, key) => isNear(means[key]!, weight, 0.1))
        );
      },
    },
    contrast: { options: { normalizer: 'argmax' } },
  },
  compute: attentionWith((_, { seed }: { seed: number }) => ({ normalizer: normalizer.sampled({ seed }) }), 'seed'),
});
