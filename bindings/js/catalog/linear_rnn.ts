import { linearWith, linearWork, oneAxis } from './calls/linear_call.ts';
import { option } from './entry/define.ts';
import { katharopoulos2020 } from './entry/papers.ts';
import { isNear, stageOf } from './entry/stage_values.ts';

const days = ['apple 3', 'pear 4', 'apple 7'];
const keys = [oneAxis(2, 0), oneAxis(2, 1), oneAxis(2, 0)];

export default option({
  id: 'linear_rnn',
  family: 'linear',
  title: { en: 'Linear attention as a recurrent network', zh: '线性注意力就是循环神经网络' },
  aliases: ['causal linear attention', 'Transformers are RNNs', '线性注意力的循环形式', '因果线性注意力'],
  notations: [{ text: 'Katharopoulos et al. 2020', writes: 's_i, z_i', means: 'S_t, z_t' }],
  paper: { ...katharopoulos2020, equations: 'eq. 18 to 20' },
  equation:
    'S_t = S_{t-1} + \\phi(k_t)\\, v_t^\\top,\\; z_t = z_{t-1} + \\phi(k_t),\\quad o_t = \\frac{\\phi(q_t)^\\top S_t}{\\phi(q_t)^\\top z_t}',
  parent: 'linear',
  slots: { mask: 'j \\le i' },
  complexity: { ...linearWork, sizes: { T: 3, D: 2, Dv: 1 } },
  code: "linearAttention(fovea, q, k, v, { featureMap: 'elu1', causal })",
  defaults: {
    inputs: { q: keys, k: keys, v: [[3], [4], [7]] },
    options: { causal: true },
    labels: { q: [days, null], k: [days, null], v: [days, ['price']] },
    claim: {
      text: {
        en: 'The sums are a hidden state of constant size that each token updates: S on the axis of “apple” goes 3, 3, 10 and z goes 1, 1, 2, so the third output is 10 / 2 = 5, the mean so far. The first output is 3: nothing of later tokens is in it.',
        zh: '两个和就是大小不变的隐状态，每来一个词元更新一次：“苹果”轴上的 S 依次是 3、3、10，z 依次是 1、1、2，所以第三个输出是 10 / 2 = 5，即到目前为止的平均。第一个输出是 3，不含后面的词元。',
      },
      tolerance: 1e-5,
      holds: (trace) => {
        const { data, shape } = stageOf(trace, 'state');
        const { data: z } = stageOf(trace, 'normalizer');
        const { data: output } = stageOf(trace, 'output');
        const isEach = (values: readonly (number | undefined)[], wanted: readonly number[]): boolean =>
          wanted.every((one, t) => isNear(values[t]!, one, 1e-5));
        return (
          shape[0] === 3 &&
          isEach([data[0], data[2], data[4]], [3, 3, 10]) &&
          isEach([z[0], z[2], z[4]], [1, 1, 2]) &&
          isEach([...output], [3, 4, 5])
        );
      },
    },
    contrast: { options: { causal: false } },
  },
  chineseLabels: { 'apple 3': '苹果 3', 'pear 4': '梨 4', 'apple 7': '苹果 7' },
  compute: linearWith({ featureMap: 'elu1' }),
});
