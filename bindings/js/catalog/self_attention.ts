import type { ProjectionParams, SelfAttentionOptions } from '../attention/types/index.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { projectedWork } from './calls/projected_call.ts';
import { option } from './entry/define.ts';
import type { EntryDefaults } from './entry/entry.ts';
import { both, texts, vaswani2017 } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix } from './samples/words.ts';

const features = ['pronoun', 'animate'];

interface Sentence {
  readonly words: readonly string[];
  readonly pronoun: string;
  readonly chaser: string;
  readonly chased: string;
  /** In place of what is chased: not animate. */
  readonly ball: string;
  /** Names of the features. */
  readonly names: readonly string[];
}

const english: Sentence = {
  words: 'the cat chased the mouse because it was hungry'.split(' '),
  pronoun: 'it',
  chaser: 'cat',
  chased: 'mouse',
  ball: 'ball',
  names: features,
};
const chinese: Sentence = {
  words: ['猫', '追', '老鼠', '，', '因为', '它', '饿', '了'],
  pronoun: '它',
  chaser: '猫',
  chased: '老鼠',
  ball: '球',
  names: ['代词', '有生命'],
};

/** A word asks for itself, the pronoun for what is animate. */
function sampleOf({ words, pronoun, chaser, chased, ball, names }: Sentence) {
  const { vectors, axes, axis } = readableWords(words, features);
  const { vectors: withBall } = readableWords(
    words.map((word) => (word === chased ? ball : word)),
    features,
  );
  const distinct = axes.slice(0, -features.length);
  const [wanted, animate] = [distinct.length, axis['animate']!];
  const own = distinct.map((_, n) => [n, n, 1] as const);
  const asks = own.flatMap(([n]) => (distinct[n] === pronoun ? [] : [[n, n, 8] as const]));
  const [labels, asked] = [
    [...distinct, ...names],
    [...distinct, names[1]!],
  ];
  const [it, ...both] = [pronoun, chaser, chased].map((word) => words.indexOf(word)) as [number, ...number[]];
  return {
    inputs: { X: vectors },
    params: {
      Wq: sparseMatrix(axes.length, asked.length, [...asks, [axis['pronoun']!, wanted, 8]]),
      Wk: sparseMatrix(axes.length, asked.length, [...own, [animate, wanted, 1]]),
      Wv: sparseMatrix(axes.length, distinct.length, own),
    },
    options: { scale: 1 },
    labels: { X: [words, labels], Wq: [labels, asked], Wk: [labels, asked], Wv: [labels, distinct] },
    claim: {
      text: {
        en: 'A pronoun looks for what is animate in its own sentence: “it” weighs “cat” 0.50 and “mouse” 0.50, because the features of words alone cannot decide. If the cat chases a ball, “cat” gets all.',
        zh: '代词在自己的句子里找有生命的名词：“它”给“猫” 0.50、给“老鼠” 0.50，因为只凭词的特征无法判断。若猫追的是球，权重就全归“猫”。',
      },
      tolerance: 0.005,
      holds: (trace) => both.every((place) => isNear(valueAt(trace, 'weights', [it, place]), 0.5, 0.005)),
    },
    contrast: { inputs: { X: withBall } },
    sizes: { T: words.length, E: axes.length, H: 1, D: asked.length, Dv: distinct.length, O: 0 },
  } satisfies EntryDefaults;
}

const sample = sampleOf(english);

export default option({
  id: 'self_attention',
  family: 'selfAttention',
  title: { en: 'Self-attention', zh: '自注意力' },
  aliases: ['intra-attention', '自注意力机制', '自注意力模型', '内部注意力', '自注意力機制'],
  notations: [
    {
      text: both(texts.notes, texts.chapter),
      writes: {
        en: 'Q = W_q X, H = V softmax(KᵀQ/√D), tokens are columns',
        zh: 'Q = W_q X，H = V softmax(KᵀQ/√D)，每一列是一个词元',
      },
      means: {
        en: 'Q = X W_q, O = softmax(QKᵀ/√D) V, tokens are rows: everything is transposed',
        zh: 'Q = X W_q，O = softmax(QKᵀ/√D) V，每一行是一个词元：全部转置',
      },
    },
    { text: texts.notes, writes: 'V = W_b X', means: 'V = X W_v' },
    {
      text: texts.chapter,
      writes: { en: 'α and α′ both as α', zh: 'α 与 α′ 都写作 α' },
      means: { en: 'scores α, weights α′', zh: '分数 α，权重 α′' },
    },
    {
      text: texts.example,
      writes: {
        en: 'b^1 = Σ_i α̂_{1,i} v^i with nn.Linear, which may have biases',
        zh: 'b^1 = Σ_i α̂_{1,i} v^i，用 nn.Linear，可以带偏置',
      },
      means: { en: 'bq, bk and bv, left out', zh: 'bq、bk、bv，这里省略' },
    },
  ],
  paper: { ...vaswani2017, equations: 'eq. 1' },
  equation: 'Q = X W_q,\\; K = X W_k,\\; V = X W_v,\\quad O = \\operatorname{softmax}(Q K^\\top / \\sqrt{d})\\, V',
  parent: 'scaled_dot',
  slots: { score: '(W_q^\\top x_i)^\\top (W_k^\\top x_j) / \\sqrt{d}', value: 'W_v^\\top x_j' },
  complexity: { ...projectedWork, sizes: sample.sizes },
  ranges: { 'options.scale': { from: 0, to: 2, step: 0.1 } },
  code: 'fovea.selfAttention(X, { Wq, Wk, Wv }, { scale, returnWeights: true })',
  defaults: sample,
  chinese: sampleOf(chinese),
  compute: (fovea: Fovea, { X }: { X: ArrayInput }, params: ProjectionParams, options: SelfAttentionOptions) =>
    fovea.selfAttention(X, params, { returnWeights: true, ...options }),
});
