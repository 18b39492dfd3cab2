import { score, type ConcatParams } from '../score/index.ts';
import { additiveWork, attentionWith } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { luong2015, texts } from './entry/papers.ts';
import { isRowNear } from './entry/stage_values.ts';

const verbs = ['is', 'are'];
const nouns = ['keys', 'cabinet'];
const units = ['both plural', 'not both singular'];

export default option({
  id: 'concat',
  family: 'basics',
  title: { en: 'Concatenation attention (concat)', zh: '拼接注意力' },
  aliases: ['concat score', '拼接打分函数', '拼接模型'],
  notations: [
    {
      text: texts.chapter,
      writes: { en: 'w · tanh([q; k]), fig. 6.18(b)', zh: 'w · tanh([q; k])，图 6.18(b)' },
      means: {
        en: 'w · tanh([q; k] W): without W the query adds the same to all scores, and softmax takes no notice of it',
        zh: 'w · tanh([q; k] W)：没有 W 时，查询给所有分数加上同一个数，在 softmax 中抵消',
      },
    },
    { text: texts.survey, writes: 'v_a^⊤ tanh(W_a [h_t; h̄_s])', means: 'w = v_a, W = W_a^⊤' },
  ],
  paper: { ...luong2015, equations: '§3.1, concat' },
  equation: 'A_{ij} = \\operatorname{softmax}_j\\left(w^\\top \\tanh(W^\\top [q_i; k_j] + b)\\right),\\quad O = A V',
  parent: 'additive',
  slots: { score: 'w^\\top \\tanh(W^\\top [q; k] + b)' },
  complexity: { ...additiveWork, sizes: { Tq: 2, Tk: 2, Dq: 1, Dk: 1, A: 2, Dv: 2 } },
  code: 'fovea.attention(q, k, v, { score: score.concat({ W, w, bias }), returnWeights: true })',
  defaults: {
    inputs: { q: [[-1], [1]], k: [[1], [-1]], v: [[1, 0], [0, 1]] }, // prettier-ignore
    params: { W: [[4, 4], [4, 4]], w: [3, -3], bias: [-4, 4] }, // prettier-ignore
    labels: {
      q: [verbs, ['plural']],
      k: [nouns, ['plural']],
      v: [nouns, nouns],
      W: [['verb is plural', 'noun is plural'], units],
      w: [units],
      bias: [units],
    },
    claim: {
      text: {
        en: 'In “the keys to the cabinet are …” each verb finds the noun of its number: “are” weighs “keys” 0.998, “is” would weigh “cabinet” 0.998. A W that never mixes verb and noun gives both verbs the same weights.',
        zh: '量词要配合名词的形状：“一条”给“河”的权重是 0.998，“一张”给“纸”的是 0.998。若 W 不让量词与名词在同一单元相遇，两个量词的权重就完全相同。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        isRowNear(trace, 'weights', [0], [0.002, 0.998], 0.0005) && isRowNear(trace, 'weights', [1], [0.998, 0.002], 0.0005),
    },
    contrast: { params: { W: [[4, 0], [0, 4]], w: [3, -3], bias: [-4, 4] } }, // prettier-ignore
  },
  chineseLabels: {
    is: '一张',
    are: '一条',
    keys: '河',
    cabinet: '纸',
    plural: '细长',
    'verb is plural': '量词指细长',
    'noun is plural': '名词细长',
    'both plural': '都细长',
    'not both singular': '不都扁平',
  },
  compute: attentionWith((params: ConcatParams) => ({ score: score.concat(params) })),
});
