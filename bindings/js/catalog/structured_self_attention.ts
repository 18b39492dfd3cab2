import { structuredSelfAttention as compute } from '../mechanisms/structured_self_attention.ts';
import { system } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { isNear, largest, rowAt, valueAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix } from './samples/words.ts';

const features = ['positive', 'negative', 'animate'];

function sampleOf(words: readonly string[], has?: HasFeature) {
  const { vectors, axes, axis } = readableWords(words, features, false, has);
  /** tanh passes each feature on; a hop picks one of them. */
  const Ws1 = sparseMatrix(
    axes.length,
    3,
    features.map((feature, n) => [axis[feature]!, n, 2]),
  );
  const Ws2 = sparseMatrix(
    3,
    3,
    features.map((_, n) => [n, n, 12]),
  );
  return {
    inputs: { H: vectors },
    params: { Ws1, Ws2 },
    labels: { H: [words, axes], Ws1: [axes, features], Ws2: [features, features] },
    contrast: { params: { Ws1, Ws2: sparseMatrix(3, 3, [[0, 0, 12], [0, 1, 12], [0, 2, 12]]) } }, // prettier-ignore
    sizes: { T: words.length, D: axes.length },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(['the', 'good', 'cat', 'and', 'the', 'bad', 'dog']);

export default system({
  id: 'structured_self_attention',
  family: 'pooling',
  title: { en: 'Structured self-attentive embedding', zh: '结构化自注意力' },
  aliases: ['self-attentive sentence embedding', 'r hops', '结构化自注意力嵌入', '多跳注意力'],
  notations: [
    {
      text: 'Lin et al. 2017',
      writes: 'A = softmax(W_{s2} tanh(W_{s1} Hᵀ))',
      means: { en: 'Ws1 and Ws2 are transposed: rows are tokens', zh: 'Ws1 与 Ws2 要转置：每一行是一个词元' },
    },
  ],
  paper: {
    authors: 'Lin, Feng, dos Santos, Yu, Xiang, Zhou, Bengio',
    title: 'A Structured Self-attentive Sentence Embedding',
    year: 2017,
    url: 'https://arxiv.org/abs/1703.03130',
    equations: 'eq. 5 to 8',
  },
  equation: 'A = \\operatorname{softmax}((\\tanh(H W_{s1}) W_{s2})^\\top),\\quad M = A H',
  parent: 'additive',
  slots: { score: 'w_r^\\top \\tanh(W_{s1}^\\top h_j)' },
  complexity: {
    letters: ['T', 'D', 'A', 'r'],
    sizes: { ...sizes, A: 3, r: 3 },
    pairs: ({ T, r }) => r! * T!,
    multiplyAdds: ({ T, D, A, r }) => T! * A! * (D! + r!) + r! * T! * D! + r! * r! * T!,
  },
  defaults: {
    ...sample,
    claim: {
      text: {
        en: 'Each hop looks for something else: the first at “good”, the second at “bad”; the third shares itself between “cat” and “dog”.',
        zh: '每一跳看不同的词：第一跳看“好”，第二跳看“坏”，第三跳平分给“猫”和“狗”。',
      },
      tolerance: 0.01,
      holds: (trace) =>
        largest(rowAt(trace, 'A', [0])) === 1 &&
        largest(rowAt(trace, 'A', [1])) === 5 &&
        isNear(valueAt(trace, 'A', [2, 2]), 0.5, 0.01) &&
        isNear(valueAt(trace, 'A', [2, 6]), 0.5, 0.01),
    },
  },
  chineseLabels: { the: '那只', good: '好', cat: '猫', and: '和', bad: '坏', dog: '狗' },
  sampleOf,
  compute,
});
