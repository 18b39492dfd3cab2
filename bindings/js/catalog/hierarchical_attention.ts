import { hierarchicalAttention as compute } from '../mechanisms/hierarchical_attention.ts';
import { system } from './entry/define.ts';
import type { EntryDefaults } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { bothWays, SATURATED } from './samples/gru_weights.ts';
import { identityMatrix, readableWords, sparseMatrix, vector } from './samples/words.ts';

const moods = ['positive', 'negative'];
/** Words of each sentence. */
const T = 5;

interface Read {
  readonly document: readonly (readonly string[])[];
  /** Words that a reader of the page may put into the document: a good one, then bad ones. */
  readonly others: readonly string[];
  readonly sentences: readonly string[];
  /** Names of the features. */
  readonly names: readonly string[];
}

const english: Read = {
  document: [
    ['we', 'went', 'to', 'the', 'film'],
    ['and', 'the', 'story', 'was', 'great'],
    ['the', 'man', 'saw', 'a', 'dog'],
  ],
  others: ['good', 'awful', 'dull'],
  sentences: ['sentence 1', 'sentence 2', 'sentence 3'],
  names: moods,
};
const chinese: Read = {
  document: [
    ['我们', '昨天', '看', '了', '电影'],
    ['电影', '的', '故事', '真', '棒'],
    ['旁边', '坐', '着', '一个', '人'],
  ],
  others: ['好', '差', '坏'],
  sentences: ['第 1 句', '第 2 句', '第 3 句'],
  names: ['褒义', '贬义'],
};

function sampleOf({ document, others, sentences, names }: Read) {
  const { vectors, axes, axis } = readableWords([...document.flat(), ...others], moods);
  const words = document.map((_, sentence) => vectors.slice(sentence * T, (sentence + 1) * T));
  const features = (count: number) =>
    sparseMatrix(
      count,
      2,
      moods.map((mood, n) => [axis[mood]!, n, SATURATED]),
    );
  /** States are the moods of the words themselves, in both directions: [positive, negative, positive, negative]. */
  const ways = [...moods, ...moods];
  const W = sparseMatrix(
    4,
    2,
    ways.map((_, n) => [n, n % 2, SATURATED]),
  );
  const level = { b: vector([0, 0]), u: vector([5, 5]) };
  const sentenceGru = bothWays({
    candidate: sparseMatrix(
      4,
      2,
      ways.map((_, n) => [n, n % 2, SATURATED]),
    ),
  });
  const word = { gru: bothWays({ candidate: features(axes.length) }), Ww: W, bw: level.b, uw: level.u };
  const sentence = { gru: sentenceGru, Ws: W, bs: level.b, us: level.u };
  const Wc = [...identityMatrix(2, 2), ...identityMatrix(2, 2)];
  const bc = vector([0, 0]);
  return {
    inputs: { words },
    params: { word, sentence, Wc, bc },
    labels: { words: [sentences, null, [...axes.slice(0, -2), ...names]], Wc: [[...names, ...names], names], bc: [names] },
    claim: {
      text: {
        en: 'Within its sentence “great” has the weight 0.97, and its sentence has 0.99 of the document, which is positive with 0.98. The GRUs only pass the mood of each word on.',
        zh: '在句子里，“棒”的权重是 0.97；在文档里，它所在的句子的权重是 0.99，所以文档以 0.98 的概率为正面。这里的 GRU 门全开，只把词的褒贬原样传下去。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        isNear(valueAt(trace, 'wordWeights', [1, 4]), 0.97, 0.005) &&
        isNear(valueAt(trace, 'sentenceWeights', [1]), 0.99, 0.005) &&
        isNear(valueAt(trace, 'probability', [0]), 0.98, 0.005),
    },
    contrast: { params: { word, sentence: { ...sentence, us: vector([0, 0]) }, Wc, bc } },
    sizes: { L: document.length, T, E: axes.length, H: 2, A: 2, C: 2 },
  } satisfies EntryDefaults;
}
const sample = sampleOf(english);

export default system({
  id: 'hierarchical_attention',
  family: 'pooling',
  title: { en: 'Hierarchical attention', zh: '层次注意力' },
  aliases: ['HAN', 'hierarchical attention network', '层级注意力', '层次注意力网络', '分层注意力'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'r_t, the forget gate', zh: 'r_t，遗忘门' },
      means: { en: 'the reset gate', zh: '重置门' },
    },
    {
      text: 'Yang et al. 2016',
      writes: 'h_t = (1 - z_t) ⊙ h_{t-1} + z_t ⊙ h̃_t',
      means: {
        en: "z is 1 - z of PyTorch's GRU, whose state dicts are read",
        zh: 'z 相当于 PyTorch 的 GRU 的 1 - z；这里读取 PyTorch 的 state dict',
      },
    },
  ],
  paper: {
    authors: 'Yang, Yang, Dyer, He, Smola, Hovy',
    title: 'Hierarchical Attention Networks for Document Classification',
    year: 2016,
    url: 'https://aclanthology.org/N16-1174',
    equations: 'eq. 5 to 12',
  },
  equation:
    's_i = \\textstyle\\sum_t \\operatorname{softmax}_t(\\tanh(h_{it} W_w + b_w)\\, u_w)\\, h_{it},\\quad v = \\textstyle\\sum_i \\operatorname{softmax}_i(\\tanh(h_i W_s + b_s)\\, u_s)\\, h_i',
  parent: 'additive',
  slots: { score: 'u_w^\\top \\tanh(W_w^\\top h_{it} + b_w)' },
  complexity: {
    letters: ['L', 'T', 'E', 'H', 'A', 'C'],
    sizes: sample.sizes,
    pairs: ({ L, T }) => L! * T! + L!,
    multiplyAdds: ({ L, T, E, H, A, C }) => {
      const attend = 2 * H! * A! + A! + 2 * H!;
      return L! * T! * (6 * H! * (E! + H!) + attend) + L! * (18 * H! * H! + attend) + 2 * H! * C!;
    },
  },
  defaults: sample,
  chinese: sampleOf(chinese),
  compute,
});
