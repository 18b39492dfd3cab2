/** Readings of a trace, for claims. */
import type { TraceStage } from '../../trace/stages.ts';

/** The stage of a name; claims know which stages their mechanism records. */
export function stageOf(trace: readonly TraceStage[], name: string): TraceStage {
  const stage = trace.find((one) => one.name === name);
  if (stage === undefined) throw new Error(`no stage ${name} among ${trace.map((one) => one.name).join(', ')}`);
  return stage;
}

/** One number of a stage, by its index along each axis. */
export function valueAt(trace: readonly TraceStage[], name: string, index: readonly number[]): number {
  const { data, shape } = stageOf(trace, name);
  return data[index.reduce((at, i, axis) => at * shape[axis]! + i, 0)]!;
}

/** The numbers along the last axis of a stage, at an index along the axes before. */
export function rowAt(trace: readonly TraceStage[], name: string, index: readonly number[]): Float32Array {
  const { data, shape } = stageOf(trace, name);
  const width = shape.at(-1)!;
  const row = index.reduce((at, i, axis) => at * shape[axis]! + i, 0);
  return data.subarray(row * width, (row + 1) * width);
}

/** The place of a row's largest number; the first where several are. */
export function largest(row: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < row.length; i++) if (row[i]! > row[best]!) best = i;
  return best;
}

/** Whether two numbers differ by the tolerance at most. */
export function isNear(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance;
}

/** Whether a row of a stage has these numbers, each within the tolerance. */
export function isRowNear(
  trace: readonly TraceStage[],
  name: string,
  index: readonly number[],
  numbers: readonly number[],
  tolerance: number,
): boolean {
  const row = rowAt(trace, name, index);
  return row.length === numbers.length && numbers.every((number, n) => isNear(row[n]!, number, tolerance));
}
