import { sentenceEmbedding as compute } from '../mechanisms/sentence_embedding.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { isChinese, readableWords, sparseMatrix, vector } from './samples/words.ts';

function sampleOf(words: readonly string[]) {
  const sought = isChinese(words) ? ['不', '好'] : ['not', 'good'];
  const { axes, vectors } = readableWords([...words, ...sought]);
  const H = vectors.slice(0, words.length);
  const D = axes.length;
  /** relu of 2 where “not” is followed by “good”, less 1: 1 there, else 0. */
  const [not, good] = sought.map((_, n) => vectors[words.length + n]!.indexOf(1)) as [number, number];
  const W = sparseMatrix(2 * D, 1, [
    [not, 0, 1],
    [D + good, 0, 1],
  ]);
  return {
    inputs: { H },
    params: { ngram: { 2: { W, b: vector([-1]) } } },
    labels: { H: [words, axes] },
    // “good it was not”: the same mean, and no bigram.
    contrast: { inputs: { H: [H.at(-1)!, ...H.slice(0, -1)] } },
    sizes: { T: words.length, D },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(['it', 'was', 'not', 'good']);

export default system({
  id: 'sentence_embedding',
  family: 'pooling',
  title: { en: 'Sentence embeddings without attention', zh: '无注意力的句子嵌入' },
  aliases: [
    'last state',
    'mean pooling',
    'max pooling over time',
    'n-gram convolution',
    '句子嵌入',
    '平均汇聚',
    '最后一个隐状态',
  ],
  notations: [
    {
      text: 'Lin et al. 2017',
      writes: { en: 'last hidden state, max or mean pooling', zh: '最后一个隐状态、最大汇聚或平均汇聚' },
      means: 'last, max, mean',
    },
  ],
  paper: {
    authors: 'Kim',
    title: 'Convolutional Neural Networks for Sentence Classification',
    year: 2014,
    url: 'https://arxiv.org/abs/1408.5882',
    equations: 'eq. 1 to 3',
  },
  equation:
    '\\text{last} = H_{n-1},\\quad \\text{mean} = \\tfrac{1}{n} \\textstyle\\sum_t H_t,\\quad \\text{max} = \\max_t H_t,\\quad \\max_t \\operatorname{relu}([H_t; H_{t+1}] W + b)',
  parent: null,
  complexity: {
    letters: ['T', 'D', 'm', 'K'],
    sizes: { ...sizes, m: 2, K: 1 },
    pairs: () => 0,
    multiplyAdds: ({ T, D, m, K }) => (T! - m! + 1) * m! * D! * K!,
  },
  defaults: {
    ...sample,
    claim: {
      text: {
        en: 'The mean holds 0.25 of “not” and of “good”, in whatever order they stand. The unit for the bigram “not good” gives 1 only where one follows the other.',
        zh: '平均值里“不”和“好”各占 0.25，与词序无关；只有“好”紧跟在“不”后面，二元组“不好”的单元才给出 1。',
      },
      tolerance: 0.001,
      holds: (trace) =>
        isNear(valueAt(trace, 'mean', [2]), 0.25, 0.001) &&
        isNear(valueAt(trace, 'mean', [3]), 0.25, 0.001) &&
        isNear(valueAt(trace, 'ngrams', [0]), 1, 0.001),
    },
  },
  chineseLabels: { it: '他', was: '说', not: '不', good: '好' },
  sampleOf,
  compute,
});
