import type { TraceStage } from 'fovea';
import { run } from 'fovea/catalog';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

/** Readings of the family's picture: the rows of one query, and the package's results for other scores. */

export type Matrix = readonly (readonly number[])[];

export const matrixOf = (mechanism: Mechanism, part: 'inputs' | 'params', name: string): Matrix =>
  (mechanism[part][name] ?? []) as Matrix;

export function rowOf(stage: TraceStage | undefined, row: number): number[] {
  const width = stage?.shape.at(-1) ?? 0;
  return Array.from(stage?.data.slice(row * width, (row + 1) * width) ?? []);
}

export function rowsOf(stage: TraceStage | undefined): number[][] {
  return Array.from({ length: stage?.shape.at(-2) ?? 0 }, (_, row) => rowOf(stage, row));
}

/** The keys with which query `i` scores `score` at key `j`: that key moves along the query, by the least that does it. */
export function keysWithScore(queries: Matrix, keys: Matrix, i: number, j: number, score: number): Matrix {
  const query = queries[i] ?? [];
  const length = query.reduce((sum, x) => sum + x * x, 0);
  const dot = query.reduce((sum, x, n) => sum + x * (keys[j]?.[n] ?? 0), 0);
  const by = length === 0 ? 0 : (score - dot) / length;
  return keys.map((key, n) => (n === j ? key.map((x, axis) => x + by * (query[axis] ?? 0)) : key));
}

/** Weights that query `i` gives key `j` for each of `scores`, the other keys as they are: one call of the package. */
export function weightsOver(
  mechanism: Mechanism,
  i: number,
  j: number,
  scores: readonly number[],
  options = mechanism.options,
): number[] {
  const [queries, keys, values] = ['q', 'k', 'v'].map((name) => matrixOf(mechanism, 'inputs', name)) as [
    Matrix,
    Matrix,
    Matrix,
  ];
  const inputs = {
    q: scores.map(() => [queries[i]]),
    k: scores.map((score) => keysWithScore(queries, keys, i, j, score)),
    v: scores.map(() => values),
  };
  const { trace } = run(mechanism.fovea, mechanism.entry.id, inputs, mechanism.params, options);
  const weights = trace.find(({ name }) => name === 'weights')!;
  return scores.map((_, n) => weights.data[n * keys.length + j]!);
}

/** Scores that query `i` gives to keys of one number each, with other output weights of the units. */
export function unitScores(mechanism: Mechanism, i: number, keys: readonly number[], w: readonly number[]): number[] {
  const inputs = {
    q: [matrixOf(mechanism, 'inputs', 'q')[i]],
    k: keys.map((key) => [key]),
    v: keys.map(() => [0]),
  };
  const { trace } = run(mechanism.fovea, mechanism.entry.id, inputs, { ...mechanism.params, w }, mechanism.options);
  return rowOf(
    trace.find(({ name }) => name === 'scores'),
    0,
  );
}

/** `count` numbers from `from` to `to`. */
export const grid = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + ((to - from) * n) / (count - 1));

/** The matrix with one number in place of what stands there. */
export const replaced = (rows: readonly (readonly number[])[], row: number, col: number, value: number): number[][] =>
  rows.map((numbers, r) => numbers.map((x, c) => (r === row && c === col ? value : x)));
