/** The allowed pairs of a call as lists (CSR), found by the core in memory that the frame takes on the way. */
import { PATTERN_FIELDS } from './abi.ts';
import type { PatternFields } from './blocks.ts';
import { fail } from './errors.ts';
import type { Frame } from './frame.ts';
import { placeWords } from './pattern_plans.ts';

/** Addresses of int32: row g·Tq + i has the keys indices[indptr[row]] up to indices[indptr[row + 1]]. */
export interface FoundPairs {
  readonly indptr: number;
  /** 0 where they were not asked for. */
  readonly indices: number;
  readonly total: number;
}

/** Finds the pairs of all groups, which have `queries` rows each: of one batch entry and query head, as the core is told of it. */
export function findPairs(
  frame: Frame,
  words: Int32Array,
  groups: readonly Partial<PatternFields>[],
  queries: number,
  withIndices: boolean,
): FoundPairs {
  const { fn, heap } = frame;
  const rows = groups.length * queries;
  const indptr = frame.take(4 * (rows + 1));
  const program = placeWords(frame, words);
  const find = (group: Partial<PatternFields>, counts: number, indices: number): void =>
    frame.run('patternPairs', PATTERN_FIELDS, { ...group, program, programWords: words.length, counts, indices });
  const starts = (): Int32Array => heap.integers(indptr, rows + 1);

  // indptr[row + 1] <- the number of the row's keys
  groups.forEach((group, g) => find(group, indptr + 4 * (1 + g * queries), 0));
  // indptr <- their running sum
  const sums = starts();
  let total = (sums[0] = 0);
  for (let row = 1; row <= rows; row++) sums[row] = total += sums[row]!;
  if (total >= 2 ** 31) fail('memory', fn, `has ${total} allowed pairs, and sparse weights hold less than 2^31`);

  let indices = 0;
  if (withIndices) {
    indices = frame.take(4 * total);
    const counts = frame.take(4 * queries);
    groups.forEach((group, g) => find(group, counts, indices + 4 * starts()[g * queries]!));
    frame.give(counts);
  }
  frame.give(program);
  return { indptr, indices, total };
}
