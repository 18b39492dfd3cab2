import { score } from '../score/index.ts';
import { attentionWith, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { isRowNear } from './entry/stage_values.ts';

const texts = ['cat', 'cat cat cat', 'dog'];
const counts = ['how often “cat”', 'how often “dog”'];
const vectors = [
  [1, 0],
  [3, 0],
  [0, 1],
];

export default option({
  id: 'cosine',
  family: 'basics',
  title: { en: 'Cosine attention', zh: '余弦注意力' },
  aliases: ['content-based addressing', 'cosine similarity', '余弦相似度', '基于内容的寻址'],
  notations: [{ text: 'Graves et al. 2014', writes: { en: 'key strength β', zh: '键强度 β' }, means: 'scale' }],
  paper: {
    authors: 'Graves, Wayne, Danihelka',
    title: 'Neural Turing Machines',
    year: 2014,
    url: 'https://arxiv.org/abs/1410.5401',
    equations: 'eq. 5 and 6',
  },
  equation: 'A_{ij} = \\operatorname{softmax}_j\\left(\\beta\\, \\frac{q_i^\\top k_j}{|q_i|\\,|k_j|}\\right),\\quad O = A V',
  parent: 'dot',
  slots: { score: '\\frac{q^\\top k}{|q|\\,|k|}' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 1, Tk: 3, D: 2, Dv: 2 } },
  ranges: { 'options.scale': { from: 0, to: 10, step: 0.5 } },
  code: 'fovea.attention(q, k, v, { score: score.cosine(), scale, returnWeights: true })',
  defaults: {
    inputs: { q: [[1, 0]], k: vectors, v: vectors },
    options: { scale: 2 },
    labels: { q: [['cat'], counts], k: [texts, counts], v: [texts, counts] },
    claim: {
      text: {
        en: 'Only direction counts, not length: “cat” weighs the text “cat” and one three times as long the same, 0.47 each. With the dot product the longer text would get nearly all.',
        zh: '只看方向，不看长短：“猫”给短文本“猫”和三倍长的“猫 猫 猫”同样的权重，各 0.47。若用点积，长文本几乎会拿走全部权重。',
      },
      tolerance: 0.005,
      holds: (trace) => isRowNear(trace, 'weights', [0], [0.47, 0.47, 0.06], 0.005),
    },
    contrast: { options: { score: score.dot() } },
  },
  chineseLabels: {
    cat: '猫',
    'cat cat cat': '猫 猫 猫',
    dog: '狗',
    'how often “cat”': '“猫”次数',
    'how often “dog”': '“狗”次数',
  },
  compute: attentionWith(() => ({ score: score.cosine() })),
});
