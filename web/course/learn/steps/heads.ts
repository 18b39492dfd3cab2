import type { Fovea } from 'fovea';
import type { Matrix } from '../../../figures/matrix.ts';
import { nested, row } from '../../../figures/matrix.ts';
import type { HeadName } from '../../../text/named_heads.ts';
import { head } from '../../../text/named_heads.ts';
import { select } from '../../../text/projections.ts';
import { embed } from '../../../text/vectors.ts';
import * as texts from '../../../../build/generated/texts/learn_heads.ts';
import { choicesOf, fill } from '../../../shell/localized.ts';
import { HEADS_SENTENCE } from '../sentences.ts';
import type { Step } from '../step.ts';

export const NAMES = ['previous', 'same', 'pronoun', 'first'] as const satisfies readonly HeadName[];
/** The place of “it” in the sentence. */
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

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'head_off',
    question: texts.head_off.question,
    choices: choicesOf(texts.head_off),
    reveal: (fovea) => {
      const [all, left] = [NAMES.map(() => true), NAMES.map((name) => name !== 'pronoun')];
      const [before, after] = [together(fovea, HEADS_SENTENCE.en, all), together(fovea, HEADS_SENTENCE.en, left)];
      const gone = before.added[NAMES.indexOf('pronoun')]!;
      const furthest = Math.max(
        ...row(before.output, IT).map((x, j) => Math.abs(x - (row(after.output, IT)[j] ?? NaN) - (row(gone, IT)[j] ?? NaN))),
      );
      const moved = before.weights.some((one, h) => row(one, IT).some((x, j) => x !== row(after.weights[h]!, IT)[j]));
      const [cat, none] = [row(before.output, IT)[0] ?? NaN, row(after.output, IT)[0] ?? NaN];
      return {
        right: furthest < 1e-5 && !moved ? 0 : 1,
        shown: fill(texts.head_off.shown, { before: cat.toFixed(2), after: none.toFixed(2), moved }),
      };
    },
  },
  further: [{ path: 'multi-head', text: texts.further.multi_head }],
};
export default step;
