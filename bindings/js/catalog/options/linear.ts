import type { RunnableEntry } from '../entry.ts';
import { katharopoulos2020, texts } from '../papers.ts';
import { isNear, stageOf } from '../stage_values.ts';
import { linearWith, linearWork, oneAxis } from './linear_call.ts';

const fruits = ['苹果', '梨', '葡萄'];
const prices = [[3], [5], [8]];
const keys = fruits.map((_, n) => oneAxis(3, n));
/** Three axes are taken, so that a fourth fruit shares one. */
const four = [...keys, oneAxis(3, 0)];

export const linear: RunnableEntry = {
  id: 'linear',
  kind: 'option',
  family: 'linear',
  title: { en: 'Linear attention (elu + 1)', zh: '线性注意力（elu + 1）' },
  aliases: ['linear transformer', 'kernel attention', '线性注意力', '线性 Transformer', '核函数注意力'],
  notations: [
    { text: texts.survey, writes: 'e^{q_i^⊤ k_j v_j}', means: 'e^{q_i^⊤ k_j} v_j: the value is no part of the exponent' },
    { text: texts.survey, writes: 'φ of queries, ϕ of keys', means: 'one map φ of both' },
  ],
  paper: { ...katharopoulos2020, equations: 'eq. 5 to 7' },
  year: 2020,
  equation:
    'o_i = \\frac{\\phi(q_i)^\\top S}{\\phi(q_i)^\\top z},\\quad S = \\sum_j \\phi(k_j)\\, v_j^\\top,\\; z = \\sum_j \\phi(k_j),\\; \\phi(x) = \\operatorname{elu}(x) + 1',
  parent: 'scaled_dot',
  slots: { score: '\\phi(q)^\\top \\phi(k)', normalizer: 's / \\textstyle\\sum s' },
  complexity: { ...linearWork, sizes: { T: 3, D: 3, Dv: 1 } },
  ranges: {},
  code: "linearAttention(fovea, q, k, v, { featureMap: 'elu1' })",
  defaults: {
    inputs: { q: keys, k: keys, v: prices },
    params: {},
    options: {},
    provenance: 'none',
    seeded: false,
    labels: { q: [fruits, null], k: [fruits, null], v: [fruits, ['price']] },
    claim: {
      text: {
        en: 'No weight of a pair is needed: the state S = φ(K)ᵀV has one price an axis, 3, 5 and 8, and each query reads its own exactly. With more keys than axes they run together: a fourth fruit on the first axis spoils its price.',
        zh: '不必算每一对的权重：状态 S = φ(K)ᵀV 每条轴存一个价格，3、5、8，每个查询都能准确读回自己的。键比轴多时就会混在一起：第四种水果占了第一条轴，价格就读错了。',
      },
      tolerance: 1e-6,
      holds: (trace) =>
        prices.every(
          ([price], n) =>
            isNear(stageOf(trace, 'state').data[n]!, price!, 1e-6) && isNear(stageOf(trace, 'output').data[n]!, price!, 1e-6),
        ),
    },
    contrast: { inputs: { q: four, k: four, v: [...prices, [9]] } },
  },
  compute: linearWith({ featureMap: 'elu1' }),
};
