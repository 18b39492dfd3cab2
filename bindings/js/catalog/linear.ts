import { linearWith, linearWork, oneAxis } from './calls/linear_call.ts';
import { option } from './entry/define.ts';
import { katharopoulos2020, texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';

const fruits = ['apple', 'pear', 'grape'];
const columns = ['price', 'sweet', 'sour'];
const values = [
  [3, 2, 1],
  [5, 3, 1],
  [8, 3, 2],
];
const keys = fruits.map((_, n) => oneAxis(3, n));
/** Three axes are taken: the key of a fourth fruit, 1 long as the others, lies between the first two. */
const between = [...[0, 1].map(() => -0.34657359), -100];

export default option({
  id: 'linear',
  family: 'linear',
  title: { en: 'Linear attention (elu + 1)', zh: '线性注意力（elu + 1）' },
  aliases: ['linear transformer', 'kernel attention', '线性注意力', '线性 Transformer', '核函数注意力'],
  notations: [
    {
      text: texts.survey,
      writes: 'e^{q_i^⊤ k_j v_j}',
      means: { en: 'e^{q_i^⊤ k_j} v_j: the value is no part of the exponent', zh: 'e^{q_i^⊤ k_j} v_j：值不在指数里' },
    },
    {
      text: texts.survey,
      writes: { en: 'φ of queries, ϕ of keys', zh: '查询用 φ，键用 ϕ' },
      means: { en: 'one map φ of both', zh: '查询和键共用一个映射 φ' },
    },
  ],
  paper: { ...katharopoulos2020, equations: 'eq. 5 to 7' },
  equation:
    'o_i = \\frac{\\phi(q_i)^\\top S}{\\phi(q_i)^\\top z},\\quad S = \\sum_j \\phi(k_j)\\, v_j^\\top,\\; z = \\sum_j \\phi(k_j),\\; \\phi(x) = \\operatorname{elu}(x) + 1',
  parent: 'scaled_dot',
  slots: { score: '\\phi(q)^\\top \\phi(k)', normalizer: 's / \\textstyle\\sum s' },
  complexity: { ...linearWork, sizes: { T: 3, D: 3, Dv: 3 } },
  code: "linearAttention(fovea, q, k, v, { featureMap: 'elu1' })",
  defaults: {
    inputs: { q: keys, k: keys, v: values },
    labels: { q: [fruits, null], k: [fruits, null], v: [fruits, columns] },
    claim: {
      text: {
        en: 'No weight of a pair is needed: the state S = φ(K)ᵀV has one price an axis, 3, 5 and 8, and each query reads its own exactly. With more keys than axes they run together: a fourth fruit between the first two axes spoils both of their prices.',
        zh: '不必算每一对的权重：状态 S = φ(K)ᵀV 每条轴存一个价格，3、5、8，每个查询都能准确读回自己的。键比轴多时就会混在一起：第四种水果的键落在前两条轴之间，这两个价格就都读错了。',
      },
      tolerance: 1e-6,
      holds: (trace) =>
        values.every(
          ([price], n) =>
            isNear(valueAt(trace, 'state', [n, 0]), price!, 1e-6) && isNear(valueAt(trace, 'output', [n, 0]), price!, 1e-6),
        ),
    },
    contrast: { inputs: { q: [...keys, between], k: [...keys, between], v: [...values, [9, 3, 1]] } },
  },
  chineseLabels: { apple: '苹果', pear: '梨', grape: '葡萄' },
  compute: linearWith({ featureMap: 'elu1' }),
});
