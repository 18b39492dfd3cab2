/** Ids of words and of places: checked where they exist, looked up, as rows of 0 and 1. */
import { fail } from '../../errors/errors.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import { embedding } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import type { System } from './system.ts';

/**
 * The integers of an input [B, T], 0 in place of padding. Throws a `value` error for one outside of 0 … count - 1.
 *
 * @param lengths of all sequences, of the batch's entries or parts of them.
 */
export function existingIds(system: System, name: string, lengths: Lengths, count: number): Int32Array {
  const { list, size } = lengths;
  const ids = system.ids(name).slice();
  ids.forEach((id, n) => {
    const t = n % size;
    if (t >= list[Math.floor(n / size)]!) ids[n] = 0;
    else if (id < 0 || id >= count)
      fail('value', system.fn, `${name} must be ids from 0 to ${count - 1}, got ${id} at position ${t}`);
  });
  return ids;
}

/** The rows of a table [V, E] that the integers of an input [B, T] name: [B, T, E]. Padding has some row of the table. */
export function embed(system: System, name: string, table: Tensor, lengths: Lengths): Tensor {
  const ids = existingIds(system, name, lengths, table.shape[0]!);
  return embedding(system.fovea, { data: ids, shape: [lengths.list.length, lengths.size] }, table);
}

/** Rows of `width` numbers, 1 at the row's id and 0 elsewhere; a row of zeros for a negative id: [...shape, width]. */
export function oneHot(fovea: Fovea, ids: Int32Array, shape: readonly number[], width: number): Tensor {
  const rows = new Float32Array(ids.length * width);
  ids.forEach((id, n) => id >= 0 && (rows[n * width + id] = 1));
  return fovea.tensor(rows, [...shape, width]);
}
