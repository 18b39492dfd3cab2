import { ngramRnn as compute } from '../mechanisms/ngram_rnn.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { daniluk2017 } from './entry/papers.ts';
import { isNear, rowAt } from './entry/stage_values.ts';
import { identityMatrix, readableWords } from './samples/words.ts';

const parts = ['now', 'one later', 'two later'];
const inParts = ['当时读', '过一个词读', '过两个词读'];
/** Each of the three parts of a state has the word; the older it is read, the fainter. */
const factors = [1, 0.5, 0.25];

function sampleOf(words: readonly string[]) {
  const { vectors, distinct } = readableWords(words);
  const WN = factors.flatMap((factor) => identityMatrix(distinct.length, factor));
  const read = parts.flatMap((part) => distinct.map((word) => `${word}, read ${part}`));
  return {
    inputs: { hidden: vectors.map((vector) => [...vector, ...vector, ...vector]) },
    params: { WN },
    labels: { hidden: [words, read], WN: [read, distinct] },
    // Only the part that is read at once: a bigram, which sees one word.
    contrast: { params: { WN: WN.map((row, n) => (n < distinct.length ? row : row.map(() => 0))) } },
    chineseLabels: inChinese(Object.fromEntries(distinct.map((word) => [word, word]))),
    sizes: { T: words.length, k: distinct.length },
  } satisfies OtherWords;
}
const inWords: Readonly<Record<string, string>> = { the: '那', cat: '猫', sat: '坐', on: '在', a: '一张', mat: '垫子' };
/** "cat, read one later" and the words themselves. */
function inChinese(words: Readonly<Record<string, string>>) {
  const all = Object.entries(words);
  return Object.fromEntries([
    ...all,
    ...all.flatMap(([word, zh]) => parts.map((part, n) => [`${word}, read ${part}`, `${zh}，${inParts[n]}`])),
  ]);
}
const { chineseLabels: _, sizes, ...sample } = sampleOf(Object.keys(inWords));

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
    sizes: { T: sizes.T, N: 4, k: sizes.k },
    pairs: () => 0,
    multiplyAdds: ({ T, N, k }) => T! * (N! - 1) * k! * k!,
  },
  defaults: {
    ...sample,
    claim: {
      text: {
        en: 'A memory of three words without attention: at “on” the network sees “on” as 0.762, “sat” as 0.462, “cat” as 0.245, and “the” no more.',
        zh: '不用注意力也能记住三个词：读到“在”时，“在”是 0.762，“坐”是 0.462，“猫”是 0.245，更早的“那”已经看不到了。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        [0, 0.245, 0.462, 0.762, 0, 0].every((number, word) => isNear(rowAt(trace, 'hStar', [3])[word]!, number, 0.0005)),
    },
  },
  chineseLabels: inChinese(inWords),
  sampleOf,
  compute,
});
