/** The allowed pairs of a call as lists (CSR), found by the core in memory that the arena takes on the way. */
import { PATTERN_BLOCK, type PatternBlock } from '../../../../build/generated/blocks/pattern.ts';
import { fail } from '../../errors/errors.ts';
import { someFields, type CallArena } from '../../call/call_arena.ts';

/** Addresses of int32: row g·Tq + i has the keys indices[indptr[row]] up to indices[indptr[row + 1]]. */
export interface FoundPairs {
  readonly indptr: number;
  /** 0 where they were not asked for. */
  readonly indices: number;
  readonly total: number;
}

/** Finds the pairs of all groups, which have `queries` rows each: `groupOf` says what the core is told of a batch entry and query head. */
export function findPairs(
  arena: CallArena,
  words: Int32Array,
  groups: number,
  groupOf: (group: number) => Partial<PatternBlock>,
  queries: number,
  withIndices: boolean,
): FoundPairs {
  const { fn, heap } = arena;
  const rows = groups * queries;
  const indptr = arena.alloc(4 * (rows + 1));
  const program = placeWords(arena, words);
  const find = (group: Partial<PatternBlock>, counts: number, indices: number): void =>
    arena.run('patternPairs', PATTERN_BLOCK, someFields({ ...group, program, programWords: words.length, counts, indices }));
  const starts = (): Int32Array => heap.integers(indptr, rows + 1);

  // Groups that see the same are found once: those of heads that share their masks.
  const fields = Array.from({ length: groups }, (_, g) => groupOf(g));
  const firsts = new Map<string, number>();
  const firstLike = fields.map((group, g) => {
    const key = Object.values(group).join();
    const first = firsts.get(key) ?? g;
    firsts.set(key, first);
    return first;
  });

  // indptr[row + 1] <- the number of the row's keys
  fields.forEach((group, g) => {
    const first = firstLike[g]!;
    if (first === g) find(group, indptr + 4 * (1 + g * queries), 0);
    else starts().copyWithin(1 + g * queries, 1 + first * queries, 1 + (first + 1) * queries);
  });
  // indptr <- their running sum
  const sums = starts();
  let total = (sums[0] = 0);
  for (let row = 1; row <= rows; row++) sums[row] = total += sums[row]!;
  if (total >= 2 ** 31) fail('memory', fn, `has ${total} allowed pairs, and sparse weights hold less than 2^31`);

  let indices = 0;
  if (withIndices) {
    indices = arena.alloc(4 * total);
    const counts = arena.alloc(4 * queries);
    fields.forEach((group, g) => {
      const from = starts()[g * queries]!;
      const first = firstLike[g]!;
      if (first === g) return find(group, counts, indices + 4 * from);
      const pairs = heap.integers(indices, total);
      pairs.copyWithin(from, starts()[first * queries]!, starts()[(first + 1) * queries]!);
    });
    arena.free(counts);
  }
  arena.free(program);
  return { indptr, indices, total };
}

/** A copy of a program in wasm memory. */
export function placeWords(arena: CallArena, words: Int32Array): number {
  const address = arena.alloc(4 * words.length);
  arena.heap.integers(address, words.length).set(words);
  return address;
}
