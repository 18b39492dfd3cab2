import type { Fovea } from 'fovea';
import type { Matrix } from '../../../figures/matrix.ts';
import { nested, row } from '../../../figures/matrix.ts';
import type { Localized } from '../../../shell/localized.ts';
import type { HeadName } from '../../../text/named_heads.ts';
import { head } from '../../../text/named_heads.ts';
import { select } from '../../../text/projections.ts';
import { embed } from '../../../text/vectors.ts';
import type { Step } from '../step.ts';
import { gloss } from '../../../shell/gloss.ts';

export const NAMES = ['previous', 'same', 'pronoun', 'first'] as const satisfies readonly HeadName[];
const WORDS = { en: ['cat', 'chases', 'dog', 'until', 'it', 'sleeps'], zh: ['猫', '追', '狗', '直到', '它', '睡觉'] };
const IT = 4;

export interface Heads {
  /** One matrix [queries, keys] a head. */
  readonly weights: readonly Matrix[];
  /** What each head adds to the outputs: [queries, words]. */
  readonly added: readonly Matrix[];
  readonly output: Matrix;
}

/**
 * Multi-head attention by heads with names. Each value is the word itself, and W_o has a block of rows for each head that adds
 * its words to the output; of a head that is off the block is 0.
 */
export function together(fovea: Fovea, words: readonly string[], on: readonly boolean[]): Heads {
  const { X, axes } = embed(words, true);
  const heads = NAMES.map((name) => head(name, axes));
  const value = select(axes, (axis) => axis.kind === 'identity').matrix;
  const width = Math.max(...heads.map(({ q }) => q.matrix.cols));
  const x = nested(X);
  // Heads of one call are equally wide: narrow ones get columns of zeros, and the scale √width in place of their own.
  const wide = (matrix: Matrix, gain: number): number[][] =>
    nested(matrix).map((line) => Array.from({ length: width }, (_, d) => (line[d] ?? 0) * gain));
  const parts = heads.map(({ q, k }, h) => ({
    Wq: wide(q.matrix, Math.sqrt(width / q.matrix.cols)),
    Wk: wide(k.matrix, 1),
    Wv: wide(value, 1),
    Wo: Array.from({ length: width }, (_, i) => words.map((_, j) => Number(i === j && on[h]))),
  }));
  const joined = (name: 'Wq' | 'Wk' | 'Wv'): number[][] =>
    axes.map((_, axis) => parts.flatMap((part) => part[name][axis] ?? []));
  const params = { Wq: joined('Wq'), Wk: joined('Wk'), Wv: joined('Wv'), Wo: parts.flatMap(({ Wo }) => Wo) };
  const options = { heads: NAMES.length, returnWeights: true } as const;
  const all = fovea.multiHeadAttention(x, x, x, params, options);
  const n = words.length;
  const matrix = (data: Float32Array): Matrix => ({ data, rows: n, cols: n });
  return {
    weights: NAMES.map((_, h) => matrix(Float32Array.from(all.weights.data).slice(h * n * n, (h + 1) * n * n))),
    added: parts.map((part) => matrix(Float32Array.from(fovea.multiHeadAttention(x, x, x, part, { heads: 1 }).output.data))),
    output: matrix(Float32Array.from(all.output.data)),
  };
}

export const texts = {
  words: WORDS,
  names: {
    en: ['previous word', 'same word', 'pronoun', 'first word'],
    zh: ['前一个词', '相同的词', '代词', '首词'],
  },
  switches: { en: 'Heads', zh: '头' },
  query: { en: 'Query', zh: '查询' },
  head: { en: 'head', zh: '头' },
  word: { en: 'word', zh: '词' },
  adds: { en: 'amount added', zh: '加上的量' },
  output: { en: 'output: sum', zh: '输出：总和' },
  maps: { en: 'Weights of the heads, scale 0 to 1', zh: '各头的权重，色标 0 到 1' },
  off: { en: 'off', zh: '关' },
  looks: {
    en: (head: string, query: string, words: string) => `Head “${head}”: “${query}” looks at ${words}.`,
    zh: (head: string, query: string, words: string) => `头“${head}”：“${query}”看 ${words}。`,
  },
  isOff: {
    en: (head: string) => ` It is off: the block of W_o for “${head}” is 0, so it adds nothing.`,
    zh: (head: string) => `它已关闭：W_o 中属于“${head}”的那一块是 0，什么也不加。`,
  },
  and: { en: ', ', zh: '、' },
  everywhere: { en: 'all words alike', zh: '所有的词，一样多' },
  sum: {
    en: (heads: number) =>
      heads === 0
        ? 'All heads are off: the output is zero.'
        : heads === 1
          ? 'The one head that is on adds one row.'
          : `Each of the ${heads} heads adds one row.`,
    zh: (heads: number) =>
      heads === 0 ? '所有的头都关着：输出为零。' : heads === 1 ? '只有一个头开着，贡献一行。' : `${heads} 个头各贡献一行。`,
  },
  note: {
    en: 'Heads and W_o set by hand; a value is the word itself. Trained heads are rarely as tidy.',
    zh: '各头与 W_o 由手工设定；值就是词本身。训练得到的头很少这样整齐。',
  },
} satisfies Record<string, Localized<unknown>>;

const step: Step = {
  title: { en: 'Heads and the output projection', zh: '多头与输出投影' },
  body: {
    en: `One softmax gives one mixture; a word often needs several answers. Each head${gloss('头')} has its own W_q, W_k, W_v and looks for something of its own. The heads’ outputs stand side by side, and W_o has a block of rows for each: the output is the sum of what the heads add.`,
    zh: `一个 softmax 只给出一份混合，而一个词常常需要几个答案。每个头${gloss('head')}有自己的 W_q、W_k、W_v，各找各的。各头的输出并排放好，W_o 中每个头对应几行，输出就是各头贡献的总和。`,
  },
  doThis: {
    en: 'Read which words each head brings to the query “it”. Then answer the question, switch a head off and read the sum again.',
    zh: '看每个头给查询“它”带来哪些词。回答问题之后关掉一个头，再看总和。',
  },
  check: {
    id: 'head_off',
    question: {
      en: 'One head is switched off. What changes in the output?',
      zh: '关掉一个头，输出有什么变化？',
    },
    choices: [
      { en: 'Its share goes; the rest stays', zh: '少了它那一份，其余不变' },
      { en: 'The other heads make up for it', zh: '其余的头会补上' },
      { en: 'Nothing', zh: '没有变化' },
    ],
    reveal: (fovea) => {
      const [all, left] = [NAMES.map(() => true), NAMES.map((name) => name !== 'pronoun')];
      const [before, after] = [together(fovea, WORDS.en, all), together(fovea, WORDS.en, left)];
      const gone = before.added[NAMES.indexOf('pronoun')]!;
      const furthest = Math.max(
        ...row(before.output, IT).map((x, j) => Math.abs(x - (row(after.output, IT)[j] ?? NaN) - (row(gone, IT)[j] ?? NaN))),
      );
      const moved = before.weights.some((one, h) => row(one, IT).some((x, j) => x !== row(after.weights[h]!, IT)[j]));
      const [cat, none] = [row(before.output, IT)[0] ?? NaN, row(after.output, IT)[0] ?? NaN];
      return {
        right: furthest < 1e-5 && !moved ? 0 : 1,
        shown: {
          en: `Without the pronoun head the output of “it” has ${none.toFixed(2)} of cat in place of ${cat.toFixed(2)}; the weights of the other heads are ${moved ? 'others' : 'exactly the same'}. Heads do not see each other: only the sum joins them.`,
          zh: `关掉“代词”头，“它”的输出里猫从 ${cat.toFixed(2)} 变成 ${none.toFixed(2)}；其余各头的权重${moved ? '变了' : '丝毫未变'}。头与头互不相见，只在求和时相遇。`,
        },
      };
    },
  },
  further: [{ path: 'multi-head', text: { en: 'Multi-head attention', zh: '多头注意力' } }],
};
export default step;
