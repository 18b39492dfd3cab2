import type { Fovea } from '../fovea/fovea.ts';
import { linformer as attend, type LinformerOptions } from '../linear_attention/index.ts';
import type { QueriesKeysValues } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { isNear, largest, rowAt, stageOf } from './entry/stage_values.ts';

const ROOT = 1.7320508;
/** Twelve months as points of a circle of radius 2, a twelfth of a turn apart: neighbors are alike. Numbers name them well enough. */
const circle = [
  ...[[2, 0], [ROOT, 1], [1, ROOT], [0, 2], [-1, ROOT], [-ROOT, 1]],
  ...[[-2, 0], [-ROOT, -1], [-1, -ROOT], [0, -2], [1, -ROOT], [ROOT, -1]],
]; // prettier-ignore
const quarters = ['Jan to Mar', 'Apr to Jun', 'Jul to Sep', 'Oct to Dec'];
const quarterOf = (month: number): number => Math.floor(month / 3);
/** Every quarter of the year is the mean of its three months. */
const E = quarters.map((_, quarter) => circle.map((__, month) => (quarterOf(month) === quarter ? 1 / 3 : 0)));
/** The mean of every fourth month: all of them are the middle of the circle. */
const scattered = quarters.map((_, mixture) => circle.map((__, month) => (month % 4 === mixture ? 1 / 3 : 0)));

export default option({
  id: 'linformer',
  family: 'linear',
  title: { en: 'Linformer (low rank)', zh: 'Linformer：低秩投影' },
  aliases: ['low-rank attention', '低秩注意力', '线性复杂度的低秩注意力'],
  notations: [
    {
      text: 'Wang et al. 2020',
      writes: { en: 'E, F of k × n', zh: 'E、F 为 k × n' },
      means: {
        en: 'E, F of r × Tk; learned in the paper’s models, here means of neighbors or drawn from N(0, 1/r)',
        zh: 'E、F 为 r × Tk；论文的模型里由学习得到，这里取相邻各行的平均，或从 N(0, 1/r) 抽取',
      },
    },
  ],
  paper: {
    authors: 'Wang, Li, Khabsa, Fang, Ma',
    title: 'Linformer: Self-Attention with Linear Complexity',
    year: 2020,
    url: 'https://arxiv.org/abs/2006.04768',
    equations: 'eq. 7',
  },
  equation: '\\operatorname{softmax}(Q (E K)^\\top / \\sqrt{d})\\, F V,\\quad E, F \\in \\mathbb{R}^{r \\times T}',
  parent: 'scaled_dot',
  slots: { score: 'q^\\top (E K)_r / \\sqrt{d}', value: '(F V)_r' },
  complexity: {
    letters: ['Tq', 'Tk', 'r', 'D', 'Dv'],
    sizes: { Tq: circle.length, Tk: circle.length, r: E.length, D: 2, Dv: 2 },
    pairs: ({ Tq, r }) => Tq! * r!,
    multiplyAdds: ({ Tq, Tk, r, D, Dv }) => (Tq! + Tk!) * r! * (D! + Dv!),
  },
  code: 'linformer(fovea, q, k, v, { E, returnWeights: true })',
  defaults: {
    inputs: { q: circle, k: circle, v: circle },
    params: { E },
    labels: { q: [null, null], k: [null, null], v: [null, null], E: [quarters, null] },
    claim: {
      text: {
        en: 'The keys of twelve months become four mixtures, the means of the quarters, and a month weighs those: 48 weights in place of 144. Each row sums to 1, and every month attends most to its own quarter. A mean of months that lie far apart would be the same for all.',
        zh: '十二个月的键混合成四个季度的平均，每个月只给这四个混合分配权重：48 个权重代替 144 个。每行之和为 1，每个月最注意自己所在的季度。若把相隔很远的月份平均，得到的就都一样了。',
      },
      tolerance: 1e-6,
      holds: (trace) =>
        stageOf(trace, 'weights').data.length === 48 &&
        circle.every((_, i) => {
          const row = rowAt(trace, 'weights', [i]);
          const sum = row.reduce((a, b) => a + b, 0);
          // The first of equal weights counts as the largest, so the largest must also be clear.
          return isNear(sum, 1, 1e-6) && largest(row) === quarterOf(i) && row[quarterOf(i)]! > 0.4;
        }),
    },
    contrast: { params: { E: scattered } },
  },
  chineseLabels: { 'Jan to Mar': '1–3 月', 'Apr to Jun': '4–6 月', 'Jul to Sep': '7–9 月', 'Oct to Dec': '10–12 月' },
  compute: (fovea: Fovea, { q, k, v }: QueriesKeysValues, params: Pick<LinformerOptions, 'E'>, options: LinformerOptions) =>
    attend(fovea, q, k, v, { returnWeights: true, ...params, ...options }),
});
