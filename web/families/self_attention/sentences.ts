import type { Fovea } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import { add } from 'fovea/ops';
import type { Json } from '../../shell/kept.svelte.ts';

/**
 * The sentence of self-attention with other words, and read by a second layer. All matrices are written by hand over axes that can be
 * read: one for each word, then pronoun, animate, one for each place, and the four that the first layer writes.
 */

const BASE = ['猫', '追', '老鼠', '，', '因为', '它', '饿', '了'] as const;
const ANIMATE = ['猫', '老鼠'];
const IT = 5;

export type LastWord = '饿' | '怕';
export type Prey = '老鼠' | '球';

export interface Reading {
  readonly prey: Prey;
  readonly last: LastWord;
  readonly layers: 1 | 2;
}

export function readReading(json: Json): Reading | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { prey, last, layers } = json as Record<string, Json>;
  const isKnown = (prey === '老鼠' || prey === '球') && (last === '饿' || last === '怕') && (layers === 1 || layers === 2);
  return isKnown ? { prey, last, layers } : undefined;
}

export const wordsOfReading = ({ prey, last }: Reading): string[] =>
  BASE.map((word) => (word === '老鼠' ? prey : word === '饿' ? last : word));

type Entry = readonly [row: number, col: number, value: number];

function matrix(rows: number, cols: number, entries: readonly Entry[]): number[][] {
  const result = Array.from({ length: rows }, () => new Array<number>(cols).fill(0));
  for (const [row, col, value] of entries) result[row]![col] = value;
  return result;
}

/** Inputs and params of the layer that is looked at. The first layer's output, which the second reads, comes from the package. */
export function reading(fovea: Fovea, chosen: Reading): { readonly inputs: Arguments; readonly params: Arguments } {
  const words = wordsOfReading(chosen);
  const n = words.length;
  const [pronoun, animate, places] = [n, n + 1, n + 2];
  const [chases, chased, seeksChaser, seeksChased] = [0, 1, 2, 3].map((i) => places + n + i) as [
    number,
    number,
    number,
    number,
  ];
  const width = places + n + 4;
  const X = words.map((word, place) => {
    const vector = new Array<number>(width).fill(0);
    vector[place] = 1;
    if (place === IT) vector[pronoun] = 1;
    if (ANIMATE.includes(word)) vector[animate] = 1;
    vector[places + place] = 1;
    return vector;
  });
  const asked = n + 3;
  const own = words.flatMap((_, i): Entry[] => (i === IT ? [] : [[i, i, 8]]));
  const params = {
    Wq: matrix(width, asked, [...own, [pronoun, n, 8], [seeksChaser, n + 1, 8], [seeksChased, n + 2, 8]]),
    Wk: matrix(width, asked, [
      ...words.map((_, i): Entry => [i, i, 1]),
      [animate, n, 1],
      [chases, n + 1, 1],
      [chased, n + 2, 1],
    ]),
    Wv: matrix(width, n, words.map((_, i): Entry => [i, i, 1])), // prettier-ignore
  };
  if (chosen.layers === 1) return { inputs: { X }, params };
  return { inputs: { X: add(fovea, X, neighbors(fovea, X, words, places)) }, params };
}

/**
 * Layer 1: one head looks at the next word, one at the previous, and they write what they find there: before 追 stands who chases, after
 * it who is chased; before 饿 stands a word that seeks the one who chases, before 怕 one that seeks the one who is chased.
 */
function neighbors(fovea: Fovea, X: readonly number[][], words: readonly string[], places: number) {
  const n = words.length;
  const width = X[0]!.length;
  const toNext = (i: number): number => Math.min(n - 1, i + 1);
  const toPrevious = (i: number): number => Math.max(0, i - 1);
  const chase = words.indexOf('追');
  const last = words.findIndex((word) => word === '饿' || word === '怕');
  const params = {
    Wq: matrix(width, 2 * n, words.flatMap((_, i): Entry[] => [
      [places + i, toNext(i), 20],
      [places + i, n + toPrevious(i), 20],
    ])), // prettier-ignore
    Wk: matrix(width, 2 * n, words.flatMap((_, i): Entry[] => [
      [places + i, i, 1],
      [places + i, n + i, 1],
    ])), // prettier-ignore
    Wv: matrix(width, 4, [
      [chase, 0, 1],
      [last, 1, 1],
      [chase, 2, 1],
    ]),
    Wo: matrix(4, width, [
      [0, places + n, 1],
      [1, places + n + (words[last] === '饿' ? 2 : 3), 1],
      [2, places + n + 1, 1],
    ]),
  };
  return fovea.multiHeadAttention(X, X, X, params, { heads: 2, scale: 1 }).output;
}
