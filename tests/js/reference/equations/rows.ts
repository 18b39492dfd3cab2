/** Rows of numbers in double, for references of mechanisms that are written from their papers. */
import { numbers } from '../../support/numbers.ts';

export type Row = number[];
export type Matrix = number[][];

/** Exact float32 numbers from -scale to scale, nested: a row for one length, a matrix for two. */
export function random(shape: [number], seed: number, scale?: number): Row;
export function random(shape: [number, number], seed: number, scale?: number): Matrix;
export function random(shape: [number, number, number], seed: number, scale?: number): Matrix[];
export function random(shape: readonly number[], seed: number, scale = 1): unknown {
  const { data } = numbers(shape, seed);
  const nest = (axes: readonly number[], from: number): unknown => {
    if (axes.length === 0) return Math.fround(scale * data[from]!);
    const inner = axes.slice(1).reduce((product, length) => product * length, 1);
    return Array.from({ length: axes[0]! }, (_, n) => nest(axes.slice(1), from + n * inner));
  };
  return nest(shape, 0);
}

let rounded = (x: number): number => x;

/** Applies `round` to the results of this file's functions while `compute` runs, to measure how rounding errors of single steps propagate. */
export function withRounding<Result>(round: (x: number) => number, compute: () => Result): Result {
  rounded = round;
  try {
    return compute();
  } finally {
    rounded = (x) => x;
  }
}

export const dot = (a: Row, b: Row): number => rounded(a.reduce((sum, x, n) => sum + x * b[n]!, 0));

/** x·W, W [in, out]. */
export const times = (x: Row, W: Matrix): Row =>
  W[0]!.map((_, column) => rounded(x.reduce((sum, a, n) => sum + a * W[n]![column]!, 0)));

/** W·x, W [out, in], as PyTorch has its weights. */
export const timesOuter = (W: Matrix, x: Row): Row => W.map((row) => dot(row, x));

/** The sum of rows, element by element. */
export const plus = (...rows: Row[]): Row => rows[0]!.map((_, n) => rounded(rows.reduce((sum, row) => sum + row[n]!, 0)));

export const sum = (x: Row): number => x.reduce((total, one) => total + one, 0);

export const columns = (rows: Matrix): Matrix => (rows[0] ?? []).map((_, d) => rows.map((row) => row[d]!));

export const hadamard = (a: Row, b: Row): Row => a.map((x, n) => rounded(x * b[n]!));

export const scaled = (x: Row, factor: number): Row => x.map((one) => rounded(one * factor));

export const tanh = (x: Row): Row => x.map((one) => rounded(Math.tanh(one)));

export const relu = (x: Row): Row => x.map((one) => Math.max(0, one));

export const elu = (x: Row): Row => x.map((one) => (one > 0 ? one : rounded(Math.expm1(one))));

export const sigmoid = (x: Row): Row => x.map((one) => rounded(1 / (1 + Math.exp(-one))));

export const zeros = (length: number): Row => new Array<number>(length).fill(0);

/** Softmax of the entries that `exists` admits; the others, and all where there is none, are 0. */
export function softmax(scores: Row, exists: (n: number) => boolean = () => true): Row {
  const largest = Math.max(...scores.filter((_, n) => exists(n)));
  const parts = scores.map((score, n) => (exists(n) ? Math.exp(score - largest) : 0));
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => (total === 0 ? 0 : rounded(part / total)));
}

/** Σ_j weights[j]·rows[j], of this width. */
export function mix(weights: Row, rows: Matrix, width: number): Row {
  return weights.reduce<Row>((sum, weight, j) => plus(sum, scaled(rows[j]!, weight)), zeros(width));
}

/** One step of PyTorch's LSTM layer: gates i, f, g, o. */
export function lstmStep(
  x: Row,
  h: Row,
  c: Row,
  [ih, hh, biasIh = zeros(4 * h.length), biasHh = zeros(4 * h.length)]: [Matrix, Matrix, Row?, Row?],
): { h: Row; c: Row } {
  const all = plus(timesOuter(ih, x), biasIh, timesOuter(hh, h), biasHh);
  const [i, f, g, o] = [0, 1, 2, 3].map((gate) => all.slice(gate * h.length, (gate + 1) * h.length)) as [Row, Row, Row, Row];
  const cell = plus(hadamard(sigmoid(f), c), hadamard(sigmoid(i), tanh(g)));
  return { h: hadamard(sigmoid(o), tanh(cell)), c: cell };
}

/** One step of PyTorch's GRU layer without biases: gates r, z, n. */
export function gruStep(x: Row, h: Row, [ih, hh]: readonly [Matrix, Matrix]): Row {
  const [input, state] = [timesOuter(ih, x), timesOuter(hh, h)];
  const gate = (all: Row, n: number): Row => all.slice(n * h.length, (n + 1) * h.length);
  const [r, z] = [0, 1].map((n) => sigmoid(plus(gate(input, n), gate(state, n)))) as [Row, Row];
  const n = tanh(plus(gate(input, 2), hadamard(r, gate(state, 2))));
  return h.map((before, d) => (1 - z[d]!) * n[d]! + z[d]! * before);
}
