import { disan as compute } from '../mechanisms/disan.ts';
import { system } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords, sparseMatrix, vector } from './samples/words.ts';

const features = ['royal', 'male'];
const D = features.length;
const zeros = (columns: number) => vector(new Array<number>(columns).fill(0));
const source2token = { W1: identityMatrix(2 * D), b1: zeros(2 * D), W: identityMatrix(2 * D, 4), b: zeros(2 * D) };

function sampleOf(words: readonly string[], has?: HasFeature) {
  const { vectors, axes, axis } = readableWords(words, features, false, has);
  /** h is the two features; each of them looks for itself, W1 its own column. The gate mixes h and s by halves. */
  const direction = {
    Wh: sparseMatrix(
      axes.length,
      D,
      features.map((feature, n) => [axis[feature]!, n, 1]),
    ),
    bh: zeros(D),
    W1: identityMatrix(D, 10),
    W2: sparseMatrix(D, D, []),
    b1: zeros(D),
    Wf1: sparseMatrix(D, D, []),
    Wf2: sparseMatrix(D, D, []),
    bf: zeros(D),
  };
  /** Both features look for both: one softmax for all. */
  const shared = { ...direction, W1: [[10, 10], [10, 10]] }; // prettier-ignore
  return {
    inputs: { x: vectors },
    params: { forward: direction, backward: direction, source2token },
    labels: { x: [words, axes] },
    contrast: { params: { forward: shared, backward: shared, source2token } },
    sizes: { T: words.length, E: axes.length },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf('the queen saw a man and the king'.split(' '));

export default system({
  id: 'disan',
  family: 'selfAttention',
  title: { en: 'Directional, multi-dimensional self-attention (DiSAN)', zh: '多维有向自注意力' },
  aliases: ['DiSAN', 'directional self-attention network', 'feature-wise attention', '多维度注意力', '有向自注意力'],
  notations: [
    {
      text: texts.survey,
      writes: 'W^{(1)} h_i + W^{(2)} h_j',
      means: {
        en: 'h_i W1 + h_j W2: rows are tokens, i the key and j the query',
        zh: 'h_i W1 + h_j W2：每一行是一个词元，i 是键，j 是查询',
      },
    },
  ],
  paper: {
    authors: 'Shen, Zhou, Long, Jiang, Pan, Zhang',
    title: 'DiSAN: Directional Self-Attention Network for RNN/CNN-Free Language Understanding',
    year: 2018,
    url: 'https://arxiv.org/abs/1709.04696',
    equations: 'sections 3 and 4',
  },
  equation:
    'w_{jid} = \\operatorname{softmax}_i\\left(c \\tanh((h_i W_1 + h_j W_2 + b_1) / c)\\right)_d,\\quad u = F \\odot h + (1 - F) \\odot \\textstyle\\sum_i w_{ji} \\odot h_i',
  parent: 'additive',
  slots: { score: 'c \\tanh((W_1^\\top h_i + W_2^\\top h_j + b_1) / c)_d', mask: 'i < j \\text{ or } i > j' },
  complexity: {
    letters: ['T', 'E', 'D'],
    sizes: { ...sizes, D },
    pairs: ({ T, D }) => T! * (T! - 1) * D!,
    multiplyAdds: ({ T, E, D }) => 2 * T! * (E! * D! + 4 * D! * D!) + T! * (T! - 1) * D! + 8 * T! * D! * D! + 2 * T! * D!,
  },
  ranges: { 'options.c': { from: 1, to: 20, step: 1 } },
  defaults: {
    ...sample,
    options: { c: 5 },
    claim: {
      text: {
        en: 'Each feature has weights of its own. Looking back from “king”, the royal feature attends to “queen” and the male one to “man”, 0.95 each; looking ahead from “queen”, royal attends to “king”, 0.96.',
        zh: '每个特征有自己的权重。从“国王”往前看，“王室”特征看“王后”，“男性”特征看“男人”，都是 0.95；从“王后”往后看，“王室”特征看“国王”，0.96。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isNear(valueAt(trace, 'forwardWeights', [7, 1, 0]), 0.95, 0.005) &&
        isNear(valueAt(trace, 'forwardWeights', [7, 4, 1]), 0.95, 0.005) &&
        isNear(valueAt(trace, 'backwardWeights', [1, 7, 0]), 0.96, 0.005),
    },
  },
  chineseLabels: { the: '那', queen: '王后', saw: '看见', a: '一个', man: '男人', and: '和', king: '国王' },
  sampleOf,
  compute,
});
