/** Numbers that lessons read from traces and compute for predictions. */
import type { Fovea, TraceStage } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import { run } from 'fovea/catalog';
import { decimals } from '../figures/format.ts';
import { series, type Localized } from '../shell/localized.ts';

/** Row `row` of a stage over its last axis. */
export function rowOf(trace: readonly TraceStage[], name: string, row = 0): number[] {
  const stage = trace.find((candidate) => candidate.name === name);
  const width = stage?.shape.at(-1) ?? 0;
  return Array.from(stage?.data.slice(row * width, (row + 1) * width) ?? []);
}

/** Column `col` of a stage, over its last axis but one. */
export function column(trace: readonly TraceStage[], name: string, col = 0): number[] {
  const stage = trace.find((candidate) => candidate.name === name);
  const rows = stage?.shape.at(-2) ?? 0;
  return Array.from({ length: rows }, (_, row) => rowOf(trace, name, row)[col] ?? NaN);
}

/** The first row of a stage of a mechanism, or what else `read` takes from it, with other arguments than its defaults. */
export function computed(
  fovea: Fovea,
  id: string,
  stage: string,
  { inputs, params, options }: { inputs?: Arguments; params?: Arguments; options?: Arguments } = {},
  read: (trace: readonly TraceStage[], name: string) => number[] = rowOf,
): number[] {
  return read(run(fovea, id, inputs, params, options).trace, stage);
}

/** Weights for given scores: one query that is 1, keys that are the scores. */
export function weightsOf(fovea: Fovea, scores: readonly number[], options: Arguments = {}): number[] {
  const numbers = scores.map((score) => [score]);
  return computed(fovea, 'relu', 'weights', {
    inputs: { q: [[1]], k: numbers, v: numbers },
    options: { normalizer: 'softmax', ...options },
  });
}

/** Numbers as a sentence has them: three decimals, exact 0 and 1 as they are. */
export const show = (x: number, digits = 3): string => decimals(x, Number.isInteger(x) ? 0 : digits);
export const list = (numbers: readonly number[], digits = 3): Localized => series(numbers.map((x) => show(x, digits)));

export const isNear = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((x, i) => Math.abs(x - (b[i] ?? 0)) < 1e-6);
