import { score, type AdditiveParams } from '../score/index.ts';
import { additiveWork, attentionWith } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { rowAt } from './entry/stage_values.ts';
import { identityMatrix } from './samples/words.ts';

const places = [1, 2, 3, 4, 5];
const numbers = places.map((place) => [place]);
const names = places.map((place) => `position ${place}`);
const units = ['rises at -1/2', 'rises at 1/2'];

export default option({
  id: 'additive',
  family: 'basics',
  title: { en: 'Additive attention', zh: '加性注意力' },
  aliases: ['Bahdanau attention', 'MLP attention', '加性模型', '相加注意力'],
  notations: [
    {
      text: texts.survey,
      writes: 'v^⊤ tanh(W x_i + U q)',
      means: 'w = v, Wk = W^⊤, Wq = U^⊤',
    },
    {
      text: texts.example,
      writes: 'w_v^⊤ tanh(W_q q + W_k k)',
      means: { en: 'matrices are transposed: rows are tokens', zh: '矩阵都转置了：每一行是一个词元' },
    },
  ],
  paper: {
    authors: 'Bahdanau, Cho, Bengio',
    title: 'Neural Machine Translation by Jointly Learning to Align and Translate',
    year: 2015,
    url: 'https://arxiv.org/abs/1409.0473',
    equations: 'A.1.2',
  },
  equation: 'A_{ij} = \\operatorname{softmax}_j\\left(w^\\top \\tanh(W_q^\\top q_i + W_k^\\top k_j + b)\\right),\\quad O = A V',
  parent: null,
  slots: { score: 'w^\\top \\tanh(W_q^\\top q + W_k^\\top k + b)' },
  complexity: {
    ...additiveWork,
    sizes: { Tq: 5, Tk: 5, Dq: 1, Dk: 1, A: 2, Dv: 5 },
  },
  code: 'fovea.attention(q, k, v, { score: score.additive({ Wq, Wk, w, bias }), returnWeights: true })',
  defaults: {
    inputs: { q: numbers, k: numbers, v: identityMatrix(places.length) },
    params: { Wq: [[8, 8]], Wk: [[-8, -8]], w: [3, -3], bias: [4, -4] },
    labels: {
      q: [names, null],
      k: [names, null],
      v: [names, names],
      Wq: [null, units],
      Wk: [null, units],
      w: [units],
      bias: [units],
    },
    claim: {
      text: {
        en: 'Two tanh units, one minus the other, make a bump where the query equals the key: every position weighs itself 0.99. The product of the same numbers would send all queries to the last position.',
        zh: '两个 tanh 单元相减，恰好在查询等于键处隆起一个峰：每个位置给自己的权重都是 0.99。若把同样的数相乘，所有查询都会落到最后一个位置。',
      },
      tolerance: 0.005,
      holds: (trace) => places.every((_, i) => Math.abs(rowAt(trace, 'weights', [i])[i]! - 0.99) <= 0.005),
    },
    contrast: { options: { score: score.dot() } },
  },
  chineseLabels: { 'rises at -1/2': '在 −1/2 处升起', 'rises at 1/2': '在 1/2 处升起' },
  compute: attentionWith((params: AdditiveParams) => ({ score: score.additive(params) })),
});
