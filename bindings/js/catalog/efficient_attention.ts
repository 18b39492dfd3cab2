import { linearWith } from './calls/linear_call.ts';
import { option } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords } from './samples/words.ts';

const topics = ['positive', 'negative'];
const queries = [...identityMatrix(2, 8), [4, 4]];

function sampleOf(words: readonly string[], has?: HasFeature) {
  const { vectors, distinct } = readableWords(words, topics, false, has);
  return {
    inputs: {
      q: queries,
      k: vectors.map((vector) => vector.slice(distinct.length).map((feature) => 8 * feature)),
      v: vectors.map((vector) => vector.slice(0, distinct.length)),
    },
    labels: { q: [[...topics, 'both'], topics], k: [words, topics], v: [words, distinct] },
    sizes: { Tk: words.length, Dv: distinct.length },
  } satisfies OtherWords;
}
const { inputs, labels, sizes } = sampleOf(['good', 'cat', 'bad', 'dog', 'happy', 'bird']);

export default option({
  id: 'efficient_attention',
  family: 'linear',
  title: { en: 'Efficient attention', zh: '高效注意力（Efficient Attention）' },
  aliases: ['softmax of queries and keys apart', '高效注意力', '分别归一化的线性注意力'],
  notations: [
    {
      text: texts.survey,
      writes: {
        en: 'softmax_2(Q) softmax_1(K)ᵀ V, a special case with φ(q) = softmax(q), ϕ(k) = e^k',
        zh: 'softmax_2(Q) softmax_1(K)ᵀ V，对应于 φ(q) = softmax(q)、ϕ(k) = e^k 的特例',
      },
      means: {
        en: 'ϕ(k) = e^k / Σ e^k over the tokens: with e^k alone the outputs are others',
        zh: 'ϕ(k) = e^k / Σ e^k，对所有词元求和：只用 e^k 时输出不同',
      },
    },
  ],
  paper: {
    authors: 'Shen, Zhang, Zhao, Yi, Li',
    title: 'Efficient Attention: Attention with Linear Complexities',
    year: 2021,
    url: 'https://arxiv.org/abs/1812.01243',
  },
  equation: 'O = \\operatorname{softmax}_d(Q)\\, \\left(\\operatorname{softmax}_j(K)^\\top V\\right)',
  parent: 'linear',
  slots: { score: '\\operatorname{softmax}_d(q)^\\top \\operatorname{softmax}_j(k)' },
  complexity: {
    letters: ['Tq', 'Tk', 'D', 'Dv'],
    sizes: { Tq: queries.length, Tk: sizes.Tk, D: 2, Dv: sizes.Dv },
    pairs: () => 0,
    multiplyAdds: ({ Tq, Tk, D, Dv }) => (Tq! + Tk!) * D! * Dv!,
  },
  code: "linearAttention(fovea, q, k, v, { featureMap: 'softmax' })",
  defaults: {
    inputs,
    labels,
    claim: {
      text: {
        en: 'A column of the keys is a topic, spread over the words: “positive” lies on “good” and “happy”, 0.50 each, “negative” on “bad”, 1.00. Values are summed up by topic first, and a query only mixes topics.',
        zh: '键的每一列是一个“主题”，分布在各个词上：“褒义”落在“好”和“开心”上，各 0.50；“贬义”落在“坏”上，1.00。值先按主题汇总，查询只需混合主题。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        (
          [
            [0, 0, 0.5],
            [4, 0, 0.5],
            [2, 1, 1],
          ] as const
        ).every(([word, topic, share]) => isNear(valueAt(trace, 'keyFeatures', [word, topic]), share, 0.005)) &&
        isNear(valueAt(trace, 'output', [0, 4]), 0.5, 0.005),
    },
    contrast: { options: { featureMap: 'exp' } },
  },
  chineseLabels: { good: '好', cat: '猫', bad: '坏', dog: '狗', happy: '开心', bird: '鸟' },
  sampleOf,
  compute: linearWith({ featureMap: 'softmax' }),
});
