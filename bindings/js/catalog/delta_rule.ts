import { linearWith } from './calls/linear_call.ts';
import { option } from './entry/define.ts';
import { isNear, valueAt } from './entry/stage_values.ts';

const days = ['apple 3', 'apple 7'];
const key = [
  [1, 0],
  [1, 0],
];

export default option({
  id: 'delta_rule',
  family: 'linear',
  title: { en: 'Delta rule (fast weights)', zh: 'delta 规则（快速权重）' },
  aliases: ['DeltaNet', 'fast weight programmer', 'delta 规则', '增量规则', '快速权重'],
  notations: [
    {
      text: 'Schlag et al. 2021',
      writes: 'W^{(i)} = W^{(i-1)} + β (v − v̄) ⊗ φ(k)',
      means: 'S_t = S_{t−1} + β k (v − S_{t−1}ᵀ k)ᵀ',
    },
  ],
  paper: {
    authors: 'Schlag, Irie, Schmidhuber',
    title: 'Linear Transformers Are Secretly Fast Weight Programmers',
    year: 2021,
    url: 'https://arxiv.org/abs/2102.11174',
    equations: '§4.2',
  },
  equation: 'S_t = S_{t-1} + \\beta_t\\, k_t (v_t - S_{t-1}^\\top k_t)^\\top,\\quad o_t = S_t^\\top q_t',
  parent: 'linear_rnn',
  slots: { value: '\\beta_t (v_t - S_{t-1}^\\top k_t)' },
  complexity: {
    letters: ['T', 'D', 'Dv'],
    sizes: { T: 2, D: 2, Dv: 1 },
    pairs: () => 0,
    multiplyAdds: ({ T, D, Dv }) => 3 * T! * D! * Dv!,
  },
  ranges: { 'options.beta': { from: 0, to: 1, step: 0.1 } },
  code: 'linearAttention(fovea, q, k, v, { updateRule, beta, scale })',
  defaults: {
    inputs: { q: key, k: key, v: [[3], [7]] },
    options: { updateRule: 'delta', beta: 1, scale: 1 },
    labels: { q: [days, null], k: [days, null], v: [days, ['price']] },
    claim: {
      text: {
        en: 'A key that comes again is overwritten: 3 and then 7 are stored under one key, and it reads 7.00. Plain linear attention adds, and reads 10.',
        zh: '键再次出现时，旧值被改写：同一个键先存 3、再存 7，读出 7.00。普通线性注意力只会相加，读出 10。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isNear(valueAt(trace, 'output', [0, 0]), 3, 0.005) && isNear(valueAt(trace, 'output', [1, 0]), 7, 0.005),
    },
    contrast: { options: { updateRule: 'linear', beta: undefined } },
  },
  chineseLabels: { 'apple 3': '苹果 3', 'apple 7': '苹果 7' },
  compute: linearWith({}),
});
