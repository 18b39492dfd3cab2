import type { Fovea, TraceStage } from 'fovea';
import type { Localized } from '../../../shell/localized.ts';
import { nested } from '../../../figures/matrix.ts';
import { head } from '../../../text/named_heads.ts';
import { select } from '../../../text/projections.ts';
import { embed } from '../../../text/vectors.ts';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

/** What every word hands over. */
const FEATURES = ['noun', 'verb'] as const;

/** The trace of one head: each word looks at those near it, and reads two features of theirs. */
export function nearby(fovea: Fovea, words: readonly string[]): readonly TraceStage[] {
  const { X, axes } = embed(words, true);
  const { q, k } = head('nearby', axes);
  const v = select(axes, (axis) => axis.kind === 'feature' && FEATURES.some((feature) => feature === axis.feature));
  const params = { Wq: nested(q.matrix), Wk: nested(k.matrix), Wv: nested(v.matrix) };
  return fovea.selfAttention(nested(X), params, { trace: true }).trace ?? [];
}

export const texts = {
  words: { en: ['the', 'cat', 'chases', 'a', 'mouse'], zh: ['小', '猫', '追', '老鼠', '了'] },
  features: { en: [...FEATURES], zh: ['名词', '动词'] },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  feature: { en: 'feature', zh: '特征' },
  weight: { en: 'weight', zh: '权重' },
  value: { en: 'value', zh: '值' },
  output: { en: 'output', zh: '输出' },
  notation: { en: 'A word is', zh: '一个词是' },
  rows: { en: 'a row', zh: '一行' },
  columns: { en: 'a column', zh: '一列' },
  choose: { en: 'Query', zh: '查询' },
  sum: {
    en: (word: string, rows: boolean, parts: string, total: string) =>
      `${rows ? 'Row' : 'Column'} “${word}” of A: ${parts} = ${total}.`,
    zh: (word: string, rows: boolean, parts: string, total: string) =>
      `A 的“${word}”这一${rows ? '行' : '列'}：${parts} = ${total}。`,
  },
  mixed: {
    en: (word: string, noun: string) =>
      `Output “${word}” mixes all values by these weights: ${noun} of what it looked at is a noun.`,
    zh: (word: string, noun: string) => `“${word}”的输出按这些权重混合所有的值：它所看到的，${noun} 是名词。`,
  },
  note: {
    en: 'Head set by hand: nearby words. All queries are computed at once; none waits for another.',
    zh: '这个头由手工设定：看附近的词。所有查询同时计算，互不等待。',
  },
} satisfies Record<string, Localized<unknown>>;

const QUERIES = [
  [1, 0],
  [0, 1],
  [1, 1],
];
const KEYS = [
  [2, 0],
  [0, 2],
  [1, 1],
  [0, 1],
  [1, 0],
];
const VALUES = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [1, 1, 1, 1],
];

const step: Step = {
  title: { en: 'The whole matrix at once', zh: '整个矩阵一次算完' },
  body: {
    en: `Stack the queries and all scores are one product, QKᵀ; softmax goes over each query’s scores, and a product with V gives every output. Some books write a word as a row${gloss('行')}, others as a column${gloss('列')}: the same numbers, transposed.`,
    zh: '把查询摞成矩阵，全部分数就是一个乘积 QKᵀ；softmax 对每个查询的分数各做一次，再乘以 V 就得到所有输出。有的书把一个词写成一行（row），有的写成一列（column）：数字相同，只是转置。',
  },
  doThis: {
    en: 'Choose a query and follow it from the weights to the output. Then turn words into columns: where are its weights now?',
    zh: '选一个查询，从权重一直看到输出。然后改成一个词一列：它的权重到哪里去了？',
  },
  check: {
    id: 'shape_of_weights',
    question: {
      en: '3 queries look at 5 keys. With a row for each query, what size are the weights?',
      zh: '3 个查询看 5 个键。每个查询占一行时，权重矩阵有多大？',
    },
    choices: [
      { en: '3×3', zh: '3×3' },
      { en: '3×5', zh: '3×5' },
      { en: '5×5', zh: '5×5' },
    ],
    reveal: (fovea) => {
      const { weights, output } = fovea.attention(QUERIES, KEYS, VALUES, { returnWeights: true });
      const size = weights.shape.join('×');
      return {
        right: ['3×3', '3×5', '5×5'].indexOf(size),
        shown: {
          en: `The weights came out ${size}: a number for each pair of query and key. With values of width 4 the output is ${output.shape.join('×')}: a row for each query, whatever the number of keys.`,
          zh: `算出的权重是 ${size}：每一对查询与键各有一个数。值的维度是 4，输出便是 ${output.shape.join('×')}：每个查询一行，与键的个数无关。`,
        },
      };
    },
  },
  further: [
    {
      path: 'self-attention',
      text: { en: 'Self-attention, number by number', zh: '自注意力，逐个数字看' },
    },
  ],
};
export default step;
