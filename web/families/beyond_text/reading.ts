import type { TraceStage } from 'fovea';

/** Row `row` of a stage over its last axis. */
export function rowOf(stage: TraceStage | undefined, row: number): number[] {
  const width = stage?.shape.at(-1) ?? 0;
  return Array.from(stage?.data.slice(row * width, (row + 1) * width) ?? []);
}

export function rowsOf(stage: TraceStage | undefined): number[][] {
  const width = stage?.shape.at(-1) ?? 0;
  return Array.from({ length: width === 0 ? 0 : stage!.data.length / width }, (_, row) => rowOf(stage, row));
}
