import type { TraceStage } from 'fovea';
import { decimals } from '../figures/format.ts';

/** One number of a stage by its place on each axis; NaN where the trace has none. */
export function valueAt(trace: readonly TraceStage[], name: string, indices: readonly number[]): number {
  const stage = trace.find((one) => one.name === name);
  if (!stage || indices.some((index, axis) => index >= (stage.shape[axis] ?? 0))) return NaN;
  return stage.data[indices.reduce((at, index, axis) => at * (stage.shape[axis] ?? 1) + index, 0)] ?? NaN;
}

/** A number in sentences: two decimals, or that there is none. */
export const two = (x: number): string => (Number.isNaN(x) ? '–' : decimals(x, 2));
