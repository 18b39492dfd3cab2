/** Examples of a task: drawn by a seed, some of them held out, several of them as one array. */
import { TestRandom } from '../../tests/js/support/truth_random.ts';

/** For weights, batches and data. */
export const SEED = 1;

/** The text of an example tells it from others. */
export interface Keyed {
  readonly key: string;
}

/** Whether an example is kept from training: CRC-32 of its key is divisible by 8, so no run can train on what is tested. */
export function isHeldOut(key: string): boolean {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(key)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0) % 8 === 0;
}

export class Random extends TestRandom {
  choose<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)]!;
  }

  shuffle<T>(list: readonly T[]): T[] {
    const result = [...list];
    for (let n = result.length - 1; n > 0; n--) {
      const other = this.integer(0, n);
      [result[n], result[other]] = [result[other]!, result[n]!];
    }
    return result;
  }

  /** `count` different entries, in any order. */
  sample<T>(list: readonly T[], count: number): T[] {
    return this.shuffle(list).slice(0, count);
  }
}

/** `count` different examples: all held out, or none. */
export function draw<E extends Keyed>(make: (random: Random) => E, count: number, heldOut: boolean, seed = SEED): E[] {
  const random = new Random(2 * seed + Number(heldOut));
  const found = new Map<string, E>();
  while (found.size < count) {
    const example = make(random);
    if (isHeldOut(example.key) === heldOut && !found.has(example.key)) found.set(example.key, example);
  }
  return [...found.values()];
}

export const range = (length: number): number[] => Array.from({ length }, (_, n) => n);

/** Rows of integers as one array [B, length], 0 after a row's end; and the rows' lengths. */
export function padded(rows: readonly (readonly number[])[], length = Math.max(...rows.map((row) => row.length))) {
  const data = new Int32Array(rows.length * length);
  rows.forEach((row, b) => data.set(row, b * length));
  return { ids: { data, shape: [rows.length, length] }, lengths: rows.map((row) => row.length) };
}

/** A row for each list of words: 1 at each word of `features`; rows of 0 after a list's end. [B, rows, features]. */
export function bags(features: readonly string[], lists: readonly (readonly (readonly string[])[])[]) {
  const rows = Math.max(...lists.map((list) => list.length));
  const data = new Float32Array(lists.length * rows * features.length);
  lists.forEach((list, b) =>
    list.forEach((words, row) => {
      for (const word of words) data[(b * rows + row) * features.length + features.indexOf(word)] = 1;
    }),
  );
  return { data, shape: [lists.length, rows, features.length] };
}
