import type { Fovea } from '../../fovea/fovea.ts';
import { linformer as attend, type LinformerOptions } from '../../linear_attention/index.ts';
import type { RunnableEntry } from '../entry.ts';
import { isNear, rowAt, stageOf } from '../stage_values.ts';
import { readableWords } from '../words.ts';
import type { QueriesKeysValues } from './attention_call.ts';

const words = ['the', 'cat', 'saw', 'the', 'dog', 'again'];
const { vectors, axes } = readableWords(words);

export const linformer: RunnableEntry = {
  id: 'linformer',
  kind: 'option',
  family: 'linear',
  title: { en: 'Linformer (low rank)', zh: 'Linformer：低秩投影' },
  aliases: ['low-rank attention', '低秩注意力', '线性复杂度的低秩注意力'],
  notations: [
    {
      text: 'Wang et al. 2020',
      writes: 'E, F of k × n',
      means: 'E, F of r × Tk; here drawn from N(0, 1/r), learned in the paper’s models',
    },
  ],
  paper: {
    authors: 'Wang, Li, Khabsa, Fang, Ma',
    title: 'Linformer: Self-Attention with Linear Complexity',
    year: 2020,
    url: 'https://arxiv.org/abs/2006.04768',
    equations: 'eq. 7',
  },
  year: 2020,
  equation: '\\operatorname{softmax}(Q (E K)^\\top / \\sqrt{d})\\, F V,\\quad E, F \\in \\mathbb{R}^{r \\times T}',
  parent: 'scaled_dot',
  slots: { score: 'q^\\top (E K)_r / \\sqrt{d}', value: '(F V)_r' },
  complexity: {
    letters: ['Tq', 'Tk', 'r', 'D', 'Dv'],
    sizes: { Tq: words.length, Tk: words.length, r: 2, D: axes.length, Dv: axes.length },
    pairs: ({ Tq, r }) => Tq! * r!,
    multiplyAdds: ({ Tq, Tk, r, D, Dv }) => (Tq! + Tk!) * r! * (D! + Dv!),
  },
  ranges: { 'options.rank': { from: 1, to: 6, step: 1 }, 'options.seed': { from: 0, to: 1000, step: 1 } },
  code: 'linformer(fovea, q, k, v, { rank, seed, returnWeights: true })',
  defaults: {
    inputs: { q: vectors, k: vectors, v: vectors },
    params: {},
    options: { rank: 2, seed: 0 },
    provenance: 'none',
    seeded: true,
    labels: { q: [words, axes], k: [words, axes], v: [words, axes] },
    claim: {
      text: {
        en: 'The six keys become two mixtures, and a query weighs those: 12 weights in place of 36, each row summing to 1. Here the mixtures are random; a model learns them.',
        zh: '六个键先混合成两个，查询只给这两个混合分配权重：12 个权重代替 36 个，每行仍加起来等于 1。这里的混合是随机的，实际模型中由学习得到。',
      },
      tolerance: 1e-6,
      holds: (trace) =>
        stageOf(trace, 'weights').data.length === 12 &&
        words.every((_, i) =>
          isNear(
            rowAt(trace, 'weights', [i]).reduce((a, b) => a + b, 0),
            1,
            1e-6,
          ),
        ),
    },
    contrast: { options: { rank: 6 } },
  },
  compute: (fovea: Fovea, { q, k, v }: QueriesKeysValues, _params: object, options: LinformerOptions) =>
    attend(fovea, q, k, v, { returnWeights: true, ...options }),
};
