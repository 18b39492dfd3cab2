/**
 * Transformer layers written by hand, 32 wide with one head. A token's axes: 0 to 15 the sinusoids of its position that turn fast
 * enough to tell places apart; 16 to 20 its word; 21 to 25 the word before it, once a head has written it there; 26 to 30 the word
 * that a head predicts; 31 holds 0.
 */
import { identityMatrix, sparseMatrix } from './words.ts';

const E = 32;
const [WORD, BEFORE, NEXT, ZERO] = [16, 21, 26, 31] as const;
const WORDS = 5;

/** [to, from, value]. */
type Entry = readonly [number, number, number];

interface Head {
  readonly queries: readonly Entry[];
  readonly keys: readonly Entry[];
  /** To the axes of the head, then from those to the token's. */
  readonly values: readonly Entry[];
  readonly output: readonly Entry[];
}

/** cos ω and sin ω of the eight fast frequencies, ω = 10000^(-2i/32). */
const TURNS = [
  [0.5403, 0.8415], [0.8460, 0.5332], [0.9504, 0.3110], [0.9842, 0.1769],
  [0.9950, 0.0998], [0.9984, 0.0562], [0.9995, 0.0316], [0.9998, 0.0178],
] as const; // prettier-ignore

const moved = (from: number, to: number, factor: number): Entry[] =>
  Array.from({ length: WORDS }, (_, word) => [to + word, from + word, factor] as const);

/** Looks at the token before: its own position, turned back by one step. Writes down which word stands there. */
export const previousWord: Head = {
  queries: TURNS.flatMap(([cos, sin], i) => [
    [2 * i, 2 * i, 200 * cos],
    [2 * i, 2 * i + 1, -200 * sin],
    [2 * i + 1, 2 * i, 200 * sin],
    [2 * i + 1, 2 * i + 1, 200 * cos],
  ]),
  keys: Array.from({ length: 16 }, (_, axis) => [axis, axis, 1] as const),
  values: moved(WORD, 0, 1),
  output: moved(0, BEFORE, 2),
};

/** Looks at the token that came after this word earlier, and predicts it; where there is none, rests on the first token, word 0. */
export const induction: Head = {
  queries: moved(WORD, 0, 6),
  keys: [...moved(BEFORE, 0, 1), ...Array.from({ length: WORDS }, (_, word) => [word, WORD, 0.5] as const)],
  values: moved(WORD, 0, 1).slice(1),
  output: moved(0, NEXT, 1),
};

/** Looks at the token that comes after this word in the other text, and predicts it. */
export const translation: Head = { ...induction, keys: [...moved(BEFORE, 0, 1), [0, WORD, -1]] };

/** Looks at the same word, and writes nothing. */
export const sameWord: Head = { queries: moved(WORD, 0, 6), keys: moved(WORD, 0, 1), values: [], output: [] };

/** The layer norm takes a token's mean from all its axes; the axis that holds 0 tells how much, and gives it back. */
const withoutMean = (entries: readonly Entry[]): Entry[] =>
  entries.concat(
    [...new Set(entries.map(([to]) => to))].map((to) => [
      to,
      ZERO,
      -entries.reduce((sum, [row, , value]) => (row === to ? sum + value : sum), 0),
    ]),
  );

const attention = ({ queries, keys, values, output }: Head) => ({
  in_proj_weight: sparseMatrix(3 * E, E, [queries, keys, values].flatMap((part, n) => withoutMean(part).map(([to, from, value]) => [n * E + to, from, value] as const))),
  out_proj: { weight: sparseMatrix(E, E, output) },
}); // prettier-ignore
const norm = { weight: new Array<number>(E).fill(1), bias: new Array<number>(E).fill(0) };
/** The feed-forward part gives 0: attention alone does the work. */
const feedForward = {
  linear1: { weight: sparseMatrix(1, E, []), bias: [0] },
  linear2: { weight: sparseMatrix(E, 1, []), bias: new Array<number>(E).fill(0) },
};

export const encoderLayer = (head: Head) => ({ self_attn: attention(head), ...feedForward, norm1: norm, norm2: norm });

export const decoderLayer = (head: Head, cross: Head) => ({
  ...encoderLayer(head),
  multihead_attn: attention(cross),
  norm3: norm,
});

/** [words, E]: 12 on the word's own axis; the slow cosines of positions, which are 1 on odd axes from 16 on, are taken away. */
export const wordTable: readonly (readonly number[])[] = identityMatrix(WORDS).map((_, word) =>
  Array.from({ length: E }, (_, axis) => (axis === WORD + word ? 12 : 0) - (axis >= WORD && axis % 2 === 1 ? 1 : 0)),
);

/** [words, E]: reads the word that was predicted. */
export const predictedWord = sparseMatrix(
  WORDS,
  E,
  moved(0, 0, 3).map(([, word, factor]) => [word, NEXT + word, factor]),
);
