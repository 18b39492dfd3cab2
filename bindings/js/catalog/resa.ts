import { resa as compute } from '../mechanisms/resa.ts';
import { system } from './entry/define.ts';
import type { HasFeature, OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { readableWords, sparseMatrix, vector } from './samples/words.ts';

function sampleOf(words: readonly string[], has?: HasFeature) {
  const { vectors, axes, axis } = readableWords(words, ['noun', 'verb'], false, has);
  const E = axes.length;
  const zeros = vector(new Array<number>(E).fill(0));
  /** p = σ(12 · (content word - 1/2)): the first part of f is the word itself. */
  const keepsContent = {
    WR: sparseMatrix(3 * E, 1, [
      [axis['noun']!, 0, 1],
      [axis['verb']!, 0, 1],
    ]),
    bR: vector([0]),
    w: vector([12]),
    b: -6,
  };
  const keepsAll = { ...keepsContent, b: 6 };
  /** All scores are 0: the samples alone choose. The gate mixes x and s by halves. */
  const none = sparseMatrix(E, E, []);
  const soft = { W1: none, W2: none, b1: zeros, Wf: sparseMatrix(2 * E, E, []), bf: zeros };
  return {
    inputs: { x: vectors },
    params: { head: keepsContent, dependent: keepsContent, ...soft },
    labels: { x: [words, axes], W1: [axes, axes], W2: [axes, axes], b1: [axes], bf: [axes] },
    // All tokens kept: soft attention alone.
    contrast: { params: { head: keepsAll, dependent: keepsAll, ...soft } },
    sizes: { T: words.length, E, S: vectors.filter((word) => word[axis['noun']!] === 1 || word[axis['verb']!] === 1).length },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf('the cat chases a mouse'.split(' '));
/** The weights of a query at each key, those of the first feature. */
const kept = [0, 1, 1, 0, 1];

export default system({
  id: 'resa',
  family: 'selfAttention',
  title: { en: 'Reinforced self-attention (ReSA)', zh: '强化自注意力' },
  aliases: [
    'ReSA',
    'RSS',
    'reinforced sequence sampling',
    'hard and soft attention',
    '基于强化学习的注意力',
    '软硬结合的注意力',
  ],
  notations: [
    {
      text: texts.survey,
      writes: 'mead_pooling(x)',
      means: { en: 'mean pooling: f_i = [x_i; mean(x); x_i ⊙ mean(x)]', zh: '平均汇聚：f_i = [x_i; mean(x); x_i ⊙ mean(x)]' },
    },
  ],
  paper: {
    authors: 'Shen, Zhou, Long, Jiang, Wang, Zhang',
    title: 'Reinforced Self-Attention Network: a Hybrid of Hard and Soft Attention for Sequence Modeling',
    year: 2018,
    url: 'https://arxiv.org/abs/1801.10296',
  },
  equation:
    'z_i \\sim \\sigma(\\operatorname{act}(f_i W_R + b_R) \\cdot w + b),\\quad w_{ji} = \\operatorname{softmax}_{i:\\, z^{d}_i = z^{h}_j = 1,\\, i \\neq j}(c \\tanh((x_i W_1 + x_j W_2 + b_1) / c))',
  parent: 'disan',
  slots: { mask: 'z^{head}_j = z^{dependent}_i = 1,\\ i \\neq j' },
  complexity: {
    letters: ['T', 'E', 'R', 'S'],
    sizes: { T: sizes.T, E: sizes.E, R: 1, S: sizes.S },
    pairs: ({ S, E }) => S! * (S! - 1) * E!,
    multiplyAdds: ({ T, E, R, S }) => 2 * T! * R! * (3 * E! + 1) + 4 * T! * E! * E! + S! * (S! - 1) * E!,
  },
  ranges: { 'options.seed': { from: 0, to: 99, step: 1 } },
  defaults: {
    ...sample,
    options: { seed: 0 },
    seeded: true,
    claim: {
      text: {
        en: 'Samples keep a content word with probability 0.998, “the” and “a” with 0.002. Soft attention runs among those kept: “cat” shares itself between “chases” and “mouse”, 0.5 each, and “the” attends to nothing.',
        zh: '采样以 0.998 的概率留下实词，以 0.002 的概率留下“那”和“着”。软性注意力只在留下的词之间进行：“猫”平分给“追”和“老鼠”，各 0.5；“那”什么也不看。',
      },
      tolerance: 0.0005,
      holds: (trace) => {
        const weight = (query: number, key: number): number => rowAt(trace, 'weights', [query, key])[0]!;
        return kept.every(
          (one, token) =>
            isNear(rowAt(trace, 'headProbability', [])[token]!, one === 1 ? 0.998 : 0.002, 0.0005) &&
            isNear(weight(1, token), token === 1 ? 0 : one / 2, 0.0005) &&
            weight(0, token) === 0,
        );
      },
    },
  },
  chineseLabels: { the: '那', cat: '猫', chases: '追', a: '着', mouse: '老鼠' },
  sampleOf,
  compute,
});
