import { ngramRnn as compute } from '../mechanisms/ngram_rnn.ts';
import { system } from './entry/define.ts';
import { daniluk2017 } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords } from './samples/words.ts';

const words = ['the', 'cat', 'sat', 'on', 'a', 'mat'];
const { vectors, axes } = readableWords(words);
const parts = ['now', 'one later', 'two later'];
/** Each of the three parts of a state has the word; the older it is read, the fainter. */
const factors = [1, 0.5, 0.25];
const WN = factors.flatMap((factor) => identityMatrix(axes.length, factor));

const inWords: Readonly<Record<string, string>> = { the: '那', cat: '猫', sat: '坐', on: '在', a: '一张', mat: '垫子' };
const inParts = ['当时读', '过一个词读', '过两个词读'];
/** "cat, read one later" and the words themselves. */
const inChinese = Object.fromEntries([
  ...Object.entries(inWords),
  ...axes.flatMap((word) => parts.map((part, n) => [`${word}, read ${part}`, `${inWords[word]}，${inParts[n]}`])),
]);

export default system({
  id: 'ngram_rnn',
  family: 'memory',
  title: { en: 'N-gram recurrent network', zh: 'N 元循环网络' },
  aliases: ['4-gram RNN', 'N-gram RNN', 'N-gram 循环神经网络'],
  notations: [
    {
      text: 'Daniluk et al. 2017',
      writes: 'W_N [h_t^1; …; h_{t-N+2}^{N-1}]',
      means: { en: 'the row times WN: W_N is transposed', zh: '行向量乘以 WN，即 W_N 的转置' },
    },
  ],
  paper: { ...daniluk2017, equations: '§2.4' },
  equation: 'h^*_t = \\tanh([h_t^1; h_{t-1}^2; \\dots; h_{t-N+2}^{N-1}]\\, W_N)',
  parent: 'key_value_predict',
  slots: { mask: 't - N + 1 < j \\le t', normalizer: '\\text{none: each distance has its own part of the state}' },
  complexity: {
    letters: ['T', 'N', 'k'],
    sizes: { T: words.length, N: 4, k: axes.length },
    pairs: () => 0,
    multiplyAdds: ({ T, N, k }) => T! * (N! - 1) * k! * k!,
  },
  defaults: {
    inputs: { hidden: vectors.map((vector) => [...vector, ...vector, ...vector]) },
    params: { WN },
    labels: {
      hidden: [words, parts.flatMap((part) => axes.map((word) => `${word}, read ${part}`))],
      WN: [parts.flatMap((part) => axes.map((word) => `${word}, read ${part}`)), axes],
    },
    claim: {
      text: {
        en: 'A memory of three words without attention: at “on” the network sees “on” as 0.762, “sat” as 0.462, “cat” as 0.245, and “the” no more.',
        zh: '不用注意力也能记住三个词：读到“在”时，“在”是 0.762，“坐”是 0.462，“猫”是 0.245，更早的“那”已经看不到了。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        [0, 0.245, 0.462, 0.762, 0, 0].every((number, word) => isNear(rowAt(trace, 'hStar', [3])[word]!, number, 0.0005)),
    },
    // Only the part that is read at once: a bigram, which sees one word.
    contrast: { params: { WN: WN.map((row, n) => (n < axes.length ? row : row.map(() => 0))) } },
  },
  chineseLabels: inChinese,
  compute,
});
