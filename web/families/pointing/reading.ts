import { weight } from '../../figures/format.ts';
import { rowOf } from '../../lessons/numbers.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

/** Readings of a run for the pictures of pointing and copying. */

export const print = (x: number): string => weight(x, 3, 0);
export const largestOf = (row: readonly number[]): number => row.indexOf(Math.max(...row));
export const rowsOf = ({ trace }: Mechanism, stage: string, count: number): number[][] =>
  Array.from({ length: count }, (_, n) => rowOf(trace, stage, n));
export const idsOf = (list: unknown): number[] => [...(list as Iterable<number>)];

/** The words by their ids: those of the vocabulary, then those of the source that it lacks. */
export function wordsById(vocabulary: readonly string[], source: readonly string[], sourceIds: readonly number[]): string[] {
  const words = [...vocabulary];
  sourceIds.forEach((id, place) => (words[id] ??= source[place] ?? ''));
  return words;
}
