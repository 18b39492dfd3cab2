import type { ArrayInput } from '../tensor/array_input.ts';
import { attentionWith } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt, valueAt } from './entry/stage_values.ts';

const distances = ['−2 and less', '−1', '0', '1', '2 and more'];
const valueTable = [[-1], [-1], [0], [1], [1]];

function sampleOf(words: readonly string[]) {
  const [ones, zeros] = [words.map(() => [1]), words.map(() => [0])];
  return {
    inputs: { q: ones, k: zeros, v: zeros },
    labels: {
      q: [words, null],
      k: [words, null],
      v: [words, null],
      keyTable: [distances, null],
      valueTable: [distances, null],
    },
    sizes: { T: words.length },
  } satisfies OtherWords;
}
const words = ['I', 'BELIEVE', 'THAT', 'I', 'CAN', 'DO', 'IT'];
const { inputs, labels } = sampleOf(words);
const T = words.length;

export default option({
  id: 'relative_positions',
  family: 'selfAttention',
  title: { en: 'Relative positions (Shaw)', zh: '相对位置自注意力' },
  aliases: ['relation-aware self-attention', 'Shaw relative positions', '相对位置编码', '相对感知的注意力'],
  notations: [
    {
      text: texts.survey,
      writes: 'a_{ij}^K = w^K_{clip(j-i,k)}, a_{ij}^V = w^V_{clip(j-i,k)}',
      means: { en: 'rows clip(j − i) + k of two tables', zh: '两张表的第 clip(j − i) + k 行' },
    },
  ],
  paper: {
    authors: 'Shaw, Uszkoreit, Vaswani',
    title: 'Self-Attention with Relative Position Representations',
    year: 2018,
    url: 'https://arxiv.org/abs/1803.02155',
    equations: 'eq. 3 and 4',
  },
  equation:
    'A_{ij} = \\operatorname{softmax}_j\\left(q_i^\\top (k_j + a^K_{j-i}) / \\sqrt{d}\\right),\\quad o_i = \\sum_j A_{ij} (v_j + a^V_{j-i})',
  parent: 'sinusoidal',
  slots: { score: 'q_i^\\top (k_j + a^K_{j-i}) / \\sqrt{d}', relativeValue: 'a^V_{j-i}' },
  complexity: {
    letters: ['T', 'D', 'Dv', 'k'],
    sizes: { T, D: 1, Dv: 1, k: 2 },
    pairs: ({ T }) => T! * T!,
    multiplyAdds: ({ T, D, Dv, k }) => T! * (T! + 2 * k! + 1) * (D! + Dv!),
  },
  code: 'fovea.attention(q, k, v, { relativeKeys: { table: keyTable, clip }, relativeValues: { table: valueTable, clip }, returnWeights: true })',
  defaults: {
    inputs,
    params: { keyTable: [[0], [8], [0], [0], [0]], valueTable },
    options: { clip: 2 },
    labels,
    claim: {
      text: {
        en: 'The table of keys is high at distance −1, so every word but the first weighs the one before it 1.00, and the table of values says “left”: output −1.00. Words two or more positions away share one row, and get exactly equal weights.',
        zh: '键的表在距离 −1 处最高，于是除首词外每个词给前一个词 1.00；值的表注明“在左边”，输出 −1.00。相距两步以上的词共用一行，权重完全相等。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        words
          .slice(1)
          .every(
            (_, i) =>
              isNear(valueAt(trace, 'weights', [i + 1, i]), 1, 0.005) &&
              isNear(valueAt(trace, 'output', [i + 1, 0]), -1, 0.005),
          ) && new Set(rowAt(trace, 'weights', [T - 1]).subarray(0, T - 2)).size === 1,
    },
    contrast: { params: { keyTable: [[0], [0], [0], [8], [0]], valueTable } },
  },
  chineseLabels: {
    I: '我',
    BELIEVE: '相信',
    THAT: '，',
    CAN: '能',
    DO: '做',
    IT: '到',
    '−2 and less': '−2 及以下',
    '2 and more': '2 及以上',
  },
  sampleOf,
  compute: attentionWith(
    ({ keyTable, valueTable }: Record<'keyTable' | 'valueTable', ArrayInput>, { clip }: { clip: number }) => ({
      relativeKeys: { table: keyTable, clip },
      relativeValues: { table: valueTable, clip },
    }),
    'clip',
  ),
});
