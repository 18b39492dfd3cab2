import type { TraceStage } from 'fovea';
import type { Matrix } from '../../figures/matrix.ts';

/** Readings of the family's pictures from traces and results. */

/** The last two axes of a stage; of a history, such as the state after each token, the last matrix. */
export function lastMatrix(stage: TraceStage | undefined): Matrix {
  const [rows = 0, cols = 0] = stage?.shape.slice(-2) ?? [];
  return { data: stage?.data.slice(-rows * cols) ?? [], rows, cols };
}

/** The last row of a stage; of one number a row, that number. */
export function lastRow(stage: TraceStage | undefined): number[] {
  const width = stage && stage.shape.length > 1 ? stage.shape.at(-1)! : 1;
  return Array.from(stage?.data.slice(-width) ?? []);
}

/** An array of the package as a matrix. */
export const matrixOf = ({ data, shape }: { readonly data: Float32Array; readonly shape: readonly number[] }): Matrix => ({
  data,
  rows: shape.at(-2) ?? 1,
  cols: shape.at(-1) ?? 1,
});

/** One-hot values: what attention makes of them are its weights. */
export const oneHot = (count: number): number[][] =>
  Array.from({ length: count }, (_, i) => Array.from({ length: count }, (_, j) => Number(i === j)));
