import { emAttention as compute } from '../mechanisms/em_attention.ts';
import { system } from './entry/define.ts';
import { isNear, rowAt, valueAt } from './entry/stage_values.ts';

const pixels = ['red', 'dark red', 'bright red', 'blue', 'dark blue', 'bright blue'];
const channels = ['r', 'g', 'b'];
const X = [[0.9, 0.1, 0], [0.8, 0.2, 0.1], [1, 0.2, 0.1], [0.1, 0.2, 0.9], [0, 0.1, 0.8], [0.2, 0.1, 1]]; // prettier-ignore
/** Two grays, of which the first is a little redder. */
const mu = [
  [0.6, 0.5, 0.4],
  [0.4, 0.5, 0.6],
];
const means = [
  [0.9, 0.17, 0.07],
  [0.1, 0.13, 0.9],
];

export default system({
  id: 'em_attention',
  family: 'linear',
  title: { en: 'Expectation-maximization attention', zh: '期望最大化注意力' },
  aliases: ['EMA', 'EMANet', 'EM attention', 'EM 注意力'],
  notations: [
    {
      text: 'Li et al. 2019',
      writes: { en: 'Z = softmax(λ X μ^⊤), μ = normalized Z^⊤ X', zh: 'Z = softmax(λ X μ^⊤)，μ = 归一化的 Z^⊤ X' },
      means: {
        en: 'the same; bases have length 1 with normalize: l2, which is the default of the function',
        zh: '与此相同；normalize: l2 时每个基的长度为 1，这是函数的默认值',
      },
    },
  ],
  paper: {
    authors: 'Li, Zhong, Wu, Yang, Lin, Liu',
    title: 'Expectation-Maximization Attention Networks for Semantic Segmentation',
    year: 2019,
    url: 'https://arxiv.org/abs/1907.13426',
    equations: 'section 3',
  },
  equation:
    'Z = \\operatorname{softmax}_k(\\lambda X \\mu^\\top),\\quad \\mu_k = \\textstyle\\sum_n Z_{nk} X_n / \\sum_n Z_{nk},\\quad R = Z \\mu',
  parent: 'dot',
  slots: { score: '\\lambda\\, x_n^\\top \\mu_k', value: '\\mu_k' },
  complexity: {
    letters: ['I', 'N', 'K', 'C'],
    sizes: { I: 3, N: pixels.length, K: mu.length, C: channels.length },
    pairs: ({ I, N, K }) => I! * N! * K!,
    multiplyAdds: ({ I, N, K, C }) => (2 * I! + 1) * N! * K! * C!,
  },
  ranges: {
    'options.iterations': { from: 1, to: 10, step: 1 },
    'options.lambda': { from: 0, to: 20, step: 1 },
  },
  defaults: {
    inputs: { X },
    params: { mu },
    options: { iterations: 3, lambda: 10, normalize: 'none', residual: false },
    labels: { X: [pixels, channels], mu: [['base 1', 'base 2'], channels] },
    claim: {
      text: {
        en: 'Six pixels attend to two bases instead of to each other. The bases begin as grays; after 3 iterations each is the mean of its pixels, (0.90, 0.17, 0.07) of the reds and (0.10, 0.13, 0.90) of the blues, and every pixel gives its own base 0.99 or more.',
        zh: '六个像素不互相看，只看两个基。基从灰色开始，迭代 3 次后各成为自己那些像素的平均：红的 (0.90, 0.17, 0.07)，蓝的 (0.10, 0.13, 0.90)；每个像素给自己的基 0.99 以上的权重。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        means.every((mean, k) => mean.every((one, c) => isNear(valueAt(trace, 'mu', [k, c]), one, 0.005))) &&
        pixels.every((_, n) => rowAt(trace, 'Z', [n])[n < 3 ? 0 : 1]! >= 0.99),
    },
    contrast: { options: { iterations: 1 } },
  },
  compute,
});
