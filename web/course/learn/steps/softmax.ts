import type { Fovea } from 'fovea';
import { randomParams } from 'fovea/mechanisms';
import type { Localized } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

const COUNT = 64;

export const texts = {
  d: { en: 'd, the width of query and key', zh: 'd：查询和键的维度' },
  key: { en: 'key', zh: '键' },
  unscaled: { en: 'weight, scale 1', zh: '权重，不缩放' },
  scaled: { en: 'weight, scale 1/√d', zh: '权重，除以 √d' },
  spread: { en: 'spread of the scores', zh: '分数的离散程度' },
  largest: { en: 'largest weight, on average', zh: '最大权重（平均）' },
  label: { en: 'Weights of one query over eight keys, with and without 1/√d', zh: '一个查询对八个键的权重：除以 √d 与不除' },
  random: { en: 'random, seed 1', zh: '随机，种子 1' },
  seen: {
    en: (d: number, spread: string, largest: string) =>
      `At d = ${d} the scores spread by ${spread}, about √d; without scaling the largest weight is ${largest} on average.`,
    zh: (d: number, spread: string, largest: string) =>
      `d = ${d} 时分数的离散程度是 ${spread}，约等于 √d；不缩放的话，最大权重平均是 ${largest}。`,
  },
} satisfies Record<string, Localized<unknown>>;

export interface Spread {
  /** Root of the mean square of all scores. */
  readonly spread: number;
  /** The largest weight of a query, mean of all queries. */
  readonly largest: number;
  /** Of the first query. */
  readonly weights: readonly number[];
}

/** Scores and weights of random queries and keys whose numbers have variance 1. */
export function spreadOf(fovea: Fovea, d: number, scale: number, keys: number): Spread {
  const drawn = randomParams(fovea, { q: [COUNT, d], k: [COUNT, d] }, { seed: 1 });
  // They are drawn with variance 1 / COUNT, as a matrix of weights would be.
  const [q, k] = [drawn['q']!, drawn['k']!].map(({ data, shape }) => ({
    data: Float32Array.from(data, (x) => x * Math.sqrt(COUNT)),
    shape,
  })) as [typeof drawn.q & object, typeof drawn.k & object];
  const few = { data: k.data.subarray(0, keys * d), shape: [keys, d] };
  const { logits, weights } = fovea.attention(q, few, few, { scale, returnLogits: 'raw', returnWeights: true });
  const rows = Array.from({ length: COUNT }, (_, i) => Array.from(weights.data.subarray(i * keys, (i + 1) * keys)));
  return {
    spread: Math.sqrt(logits.data.reduce((sum, x) => sum + x * x, 0) / logits.data.length),
    largest: rows.reduce((sum, row) => sum + Math.max(...row), 0) / COUNT,
    weights: rows[0]!,
  };
}

const step: Step = {
  title: { en: 'Why softmax, and why √d', zh: '为什么用 softmax，为什么除以 √d' },
  body: {
    en: 'Softmax makes any scores positive and lets them sum to 1; larger scores get more, smoothly. But a dot product of d numbers spreads like √d: with wide vectors one key takes nearly everything, and training hardly moves. Dividing by √d keeps the spread at 1.',
    zh: 'softmax 把任意分数变成和为 1 的正数，分数越大权重越大，变化是平滑的。可是 d 个数的点积，离散程度按 √d 增长：向量一宽，权重就几乎全给了一个键，训练也就推不动了。除以 √d，离散程度便保持在 1。',
  },
  doThis: {
    en: 'Make the vectors wider, up to 256 numbers, and watch the left weights collapse onto one key. The right ones stay mixed.',
    zh: '把向量加宽到 256 维：左边的权重逐渐塌缩到一个键上，右边的仍然分散。',
  },
  check: {
    id: 'add_100_or_double',
    question: {
      en: 'The scores are 2, 4 and 4. Which change makes the weights sharper?',
      zh: '分数是 2、4、4。怎样改动会让权重更集中？',
    },
    choices: [
      { en: 'Add 100 to each', zh: '每个都加 100' },
      { en: 'Double each', zh: '每个都乘 2' },
      { en: 'Either', zh: '两种都会' },
    ],
    reveal: (fovea) => {
      const weightsOf = (scores: readonly number[]): string[] => {
        const { weights } = fovea.attention(
          [[1]],
          scores.map((score) => [score]),
          scores.map((score) => [score]),
          {
            scale: 1,
            returnWeights: true,
          },
        );
        return Array.from(weights.data, (weight) => weight.toFixed(3));
      };
      const [given, added, doubled] = [
        [2, 4, 4],
        [102, 104, 104],
        [4, 8, 8],
      ].map(weightsOf) as [string[], string[], string[]];
      const sharper = (weights: string[]): boolean => Number(weights[0]) < Number(given[0]);
      return {
        right: sharper(added) ? (sharper(doubled) ? 2 : 0) : 1,
        shown: {
          en: `The weights are ${given.join(', ')}; with 100 added ${added.join(', ')}, the same; doubled ${doubled.join(', ')}. Only differences count, and larger ones are sharper.`,
          zh: `原来的权重是 ${given.join('、')}；都加 100 后是 ${added.join('、')}，完全一样；都乘 2 后是 ${doubled.join('、')}。softmax 只看分数之差，差距越大越集中。`,
        },
      };
    },
  },
  further: [{ path: 'scaled-dot', text: { en: 'Scaled dot-product attention', zh: '缩放点积注意力' } }],
};
export default step;
