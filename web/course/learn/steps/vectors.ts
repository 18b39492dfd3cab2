import type { Fovea } from 'fovea';
import { frames, patches } from 'fovea/ops';
import type { Matrix } from '../../../figures/matrix.ts';
import { at, fromRows } from '../../../figures/matrix.ts';
import * as texts from '../../../../build/generated/texts/learn_vectors.ts';
import { choicesOf, fill, listOf, type Localized } from '../../../shell/localized.ts';
import type { Step } from '../step.ts';

export const THINGS = ['embedding', 'oneHot', 'patches', 'frames', 'nodes'] as const;
export type Thing = (typeof THINGS)[number];

/** A row for each of the words, a column for each of the features. */
const EMBEDDING = [
  [1, 0, 1, 0],
  [1, 0, 0.9, 0.3],
  [1, 0, 0, 0.6],
  [0, 1, 0.3, 0.6],
  [0, 1, 0, 1],
];
/** Black is -1, white is 1. */
export const IMAGE = ['#..#..', '.#..#.', '..#..#', '..####', '.#.###', '#..###'].map((line) =>
  [...line].map((pixel) => (pixel === '#' ? -1 : 1)),
);
export const PATCH = 3;
/** A tone, silence, the tone once more. */
export const SIGNAL = Array.from({ length: 30 }, (_, t) => (t >= 12 && t < 18 ? 0 : [0, 1, 0, -1][t % 4]!));
export const FRAME = { length: 8, shift: 4 };
/** Where the nodes stand in their picture; each has three features. */
export const NODES = [
  { x: 20, y: 24, features: [1, 0, 1] },
  { x: 78, y: 16, features: [1, 0, 0] },
  { x: 52, y: 54, features: [0, 1, 1] },
  { x: 16, y: 88, features: [0, 1, 0] },
  { x: 86, y: 84, features: [1, 1, 1] },
];
export const EDGES = [
  [0, 1],
  [0, 2],
  [1, 2],
  [2, 3],
  [2, 4],
] as const;

export interface Rows {
  readonly X: Matrix;
  readonly rows: Localized<readonly string[]>;
  readonly cols: Localized<readonly string[]>;
}

const matrixOf = ({ data, shape }: { data: ArrayLike<number>; shape: readonly number[] }): Matrix => ({
  data,
  rows: shape[0] ?? 0,
  cols: shape[1] ?? 0,
});
const numbered = (count: number): Localized<readonly string[]> => {
  const names = Array.from({ length: count }, (_, i) => String(i + 1));
  return { en: names, zh: names };
};

/** Things as the rows of a matrix. */
export function rowsOf(fovea: Fovea, thing: Thing): Rows {
  if (thing === 'oneHot') {
    const X = fromRows(EMBEDDING.map((_, i) => EMBEDDING.map((_, j) => Number(i === j))));
    return { X, rows: listOf(texts.words), cols: numbered(X.cols) };
  }
  if (thing === 'embedding') return { X: fromRows(EMBEDDING), rows: listOf(texts.words), cols: listOf(texts.features) };
  const X =
    thing === 'nodes'
      ? fromRows(NODES.map(({ features }) => features))
      : thing === 'frames'
        ? matrixOf(frames(fovea, { data: Float32Array.from(SIGNAL), shape: [SIGNAL.length] }, FRAME))
        : matrixOf(patches(fovea, { data: Float32Array.from(IMAGE.flat()), shape: [6, 6, 1] }, { size: PATCH }));
  return { X, rows: numbered(X.rows), cols: numbered(X.cols) };
}

/** The dot product of every row with every row. */
export function scoresOf(fovea: Fovea, X: Matrix): Matrix {
  const x = { data: Float32Array.from(X.data), shape: [X.rows, X.cols] };
  return matrixOf(fovea.attention(x, x, x, { scale: 1, returnLogits: 'raw' }).logits);
}

/** The texts of the drawings. */
export const PICTURES = {
  ...texts.picture,
  frames: fill(texts.picture.frames, { samples: SIGNAL.length, ...FRAME }),
};

/** Kinds of tasks, by how many rows go in and how many come out. */
export const TASKS = [
  { size: 'n → n', text: texts.kinds.each },
  { size: 'n → 1', text: texts.kinds.one },
  { size: 'n → m', text: texts.kinds.sequence },
];

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'one_hot_score',
    question: texts.one_hot_score.question,
    choices: choicesOf(texts.one_hot_score),
    reveal: (fovea) => {
      const [words, meanings] = (['oneHot', 'embedding'] as const).map((thing) => scoresOf(fovea, rowsOf(fovea, thing).X));
      const [alone, truck, embedded] = [at(words!, 0, 1), at(words!, 0, 4), at(meanings!, 0, 1).toFixed(1)];
      return {
        right: alone === 1 ? 2 : alone > truck ? 1 : 0,
        shown: fill(texts.one_hot_score.shown, { alone, truck, embedded }),
      };
    },
  },
};
export default step;
