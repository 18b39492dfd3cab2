import type { TraceAxis, TraceStage } from 'fovea';
import type { Matrix } from '../figures/matrix.ts';
import { at, row } from '../figures/matrix.ts';

/** Stages that traces have in common: weights of pairs, an output for each query, values. */

/** A stage as matrices: one for each place along the axes that are neither rows nor columns. */
export interface Sliced {
  readonly matrices: readonly Matrix[];
  /** The axis that tells them apart; null where there is one. */
  readonly by: TraceAxis | null;
}

const ROWS: readonly TraceAxis[] = ['query', 'step', 'token'];

/** Rows of queries, columns along the last of `columns` that the stage has; null where it has no such axes. */
function slicesOf({ shape, axes, data }: TraceStage, columns: readonly TraceAxis[]): Sliced | null {
  const rowAxis = axes.findIndex((axis) => ROWS.includes(axis));
  const colAxis = axes.length - 1 - [...axes].reverse().findIndex((axis) => columns.includes(axis));
  if (rowAxis < 0 || colAxis <= rowAxis || colAxis === axes.length) return null;
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
  const others = shape.map((_, axis) => axis).filter((axis) => axis !== rowAxis && axis !== colAxis);
  const [rows, cols] = [shape[rowAxis]!, shape[colAxis]!];
  const places = others.reduce<number[]>(
    (starts, axis) => starts.flatMap((start) => Array.from({ length: shape[axis]! }, (_, n) => start + n * strides[axis]!)),
    [0],
  );
  const matrices = places.map((start) => ({
    data: Float32Array.from(
      { length: rows * cols },
      (_, n) => data[start + Math.floor(n / cols) * strides[rowAxis]! + (n % cols) * strides[colAxis]!]!,
    ),
    rows,
    cols,
  }));
  return { matrices, by: matrices.length > 1 ? (axes[others.filter((axis) => shape[axis]! > 1).at(-1)!] ?? null) : null };
}

/** Weights of the pairs of a query and a key; null where a mechanism has none. */
export function weightsOf(trace: readonly TraceStage[]): Sliced | null {
  const own = trace.filter(({ name }) => /^weights$|Weights$/.test(name) && !name.startsWith('exact'));
  const ordered = [...own.filter(({ name }) => name === 'weights'), ...own.filter(({ name }) => name !== 'weights')];
  for (const stage of ordered) {
    const slices = slicesOf(stage, ['key', 'token']);
    if (slices) return slices;
  }
  return null;
}

/** An output for each query: the stage of that name, else the last that has one row for each. */
export function outputOf(trace: readonly TraceStage[], queries: number): Sliced | null {
  const named = trace.find(({ name }) => name === 'output');
  const stages = named ? [named] : trace.filter(({ name }) => !['query', 'key', 'value'].includes(name));
  for (const stage of [...stages].reverse()) {
    const slices = slicesOf(stage, ['feature', 'class']);
    if (slices && slices.matrices[0]!.rows === queries) return slices;
  }
  return null;
}

/** ‖v_j‖ of each key, for each slice of the weights; null where the trace has no values. */
export function valueNorms(trace: readonly TraceStage[]): readonly (readonly number[])[] | null {
  const stage = trace.find(({ name }) => name === 'value');
  if (!stage) return null;
  const [rows = 1, cols = 1] = stage.shape.slice(-2);
  return Array.from({ length: stage.data.length / (rows * cols) }, (_, slice) =>
    Array.from({ length: rows }, (_, j) => norm(stage.data.subarray((slice * rows + j) * cols, (slice * rows + j + 1) * cols))),
  );
}

const norm = (x: ArrayLike<number>): number => Math.sqrt(Array.from(x).reduce((sum, one) => sum + one * one, 0));

/** weight × ‖value‖: how much of the output's length a pair can bring. */
export const contributions = (weights: Matrix, norms: readonly number[]): Matrix => ({
  ...weights,
  data: Float32Array.from(weights.data, (weight, n) => weight * (norms[n % weights.cols] ?? NaN)),
});

export interface Spread {
  /** −Σ w·ln w of a row, in nats, averaged over the rows; null where weights are no distribution. */
  readonly entropy: number | null;
  /** The largest weight of a row, averaged over the rows. */
  readonly concentration: number;
}

const SUM_TOLERANCE = 1e-3;

/** How widely rows of weights are spread; rows without any weight are left out. */
export function spreadOf(weights: Matrix): Spread {
  const rows = Array.from({ length: weights.rows }, (_, i) => row(weights, i)).filter((one) => one.some((w) => w !== 0));
  const mean = (of: (one: readonly number[]) => number): number =>
    rows.reduce((sum, one) => sum + of(one), 0) / Math.max(1, rows.length);
  const isDistribution = rows.every(
    (one) => one.every((w) => w >= 0) && Math.abs(one.reduce((sum, w) => sum + w, 0) - 1) <= SUM_TOLERANCE,
  );
  return {
    entropy: isDistribution ? mean((one) => one.reduce((sum, w) => (w > 0 ? sum - w * Math.log(w) : sum), 0)) : null,
    concentration: mean((one) => Math.max(...one)),
  };
}

/** Zeros where a mechanism leaves a pair out. */
export const keptPairs = (weights: Matrix): number =>
  Array.from({ length: weights.rows * weights.cols }, (_, n) =>
    at(weights, Math.floor(n / weights.cols), n % weights.cols),
  ).filter((w) => w !== 0).length;
