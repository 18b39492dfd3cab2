import { score } from '../score/index.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { luong2015 } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

const steps = ['step 1', 'step 2', 'step 3'];
const places = ['position 1', 'position 2', 'position 3'];
const words = ['very', 'very', 'very'];

export default option({
  id: 'location',
  family: 'basics',
  title: { en: 'Location-based attention', zh: '基于位置的注意力' },
  aliases: ['location score', '位置打分函数', '基于位置的对齐'],
  notations: [
    {
      text: 'Luong et al. 2015',
      writes: 'a_t = softmax(W_a h_t)',
      means: { en: 'W = W_a, rows are positions', zh: 'W = W_a，每一行是一个位置' },
    },
  ],
  paper: { ...luong2015, equations: '§3.1, location' },
  equation: '\\operatorname{softmax}(Q W^\\top)\\, V',
  parent: 'dot',
  slots: { score: 'q^\\top w_j' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 3, Tk: 3, D: 3, Dv: 1 } },
  code: 'fovea.attention(q, k, v, { score: score.location(W), returnWeights: true })',
  defaults: {
    inputs: { q: identityMatrix(3), k: [[1, 1, 1], [1, 1, 1], [1, 1, 1]], v: [[1], [2], [3]] }, // prettier-ignore
    params: { W: identityMatrix(3, 6) },
    labels: { q: [steps, steps], k: [words, null], v: [words, null], W: [places, steps] },
    claim: {
      text: {
        en: 'Three equal words “very very very”, and still step t weighs position t 0.995: the score asks where, and never looks at the key. By content the three would have 1/3 each.',
        zh: '三个一模一样的词“很 很 很”，第 t 步仍给第 t 个位置 0.995 的权重：打分只问“在哪里”，不看键的内容。若按内容打分，三者只能各得 1/3。',
      },
      tolerance: 0.0005,
      holds: (trace) => steps.every((_, t) => isNear(valueAt(trace, 'weights', [t, t]), 0.995, 0.0005)),
    },
    contrast: { options: { score: score.dot() } },
  },
  chineseLabels: { very: '很' },
  compute: attentionWith(({ W }: { W: ArrayInput }) => ({ score: score.location(W) })),
});
