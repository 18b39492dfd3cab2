/** `embedding`: rows of a table. */
import { TABLE_ROWS_BLOCK } from '../../../build/generated/blocks/table_rows.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { readIntegerArray, type IntegerInput } from '../tensor/integer_arrays.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { isPackedWeights, type PackedWeights } from './packed_weights.ts';
import { computeArray, placeDense, readArray } from './operands.ts';

/**
 * The rows of a table that ids name, as torch.nn.functional.embedding.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param ids integers from 0 to rows - 1, of any shape: nested numbers, an Int32Array or BigInt64Array, or one with its shape.
 * @param table [rows, width]; or what `quantize` gives for it, whose rows are rounded.
 * @returns [...the shape of ids, width]; a Tensor where the table is one, or is quantized.
 * @throws AttentionError `shape` | `value` (also for an id outside of the table) | `disposed` | `memory` | `internal`.
 * @example
 * import { embedding } from 'fovea/ops';
 * toNested(embedding(fovea, [2, 0], [[1, 2], [3, 4], [5, 6]])); // [[5, 6], [1, 2]]
 */
export function embedding(fovea: Fovea, ids: IntegerInput, table: PackedWeights): Tensor;
/** The rows of a table of plain numbers that ids name; a Tensor where the table is one. */
export function embedding<X extends ArrayInput>(fovea: Fovea, ids: IntegerInput, table: X): ResultArray<X>;
export function embedding(fovea: Fovea, ids: IntegerInput, table: ArrayInput | PackedWeights): NDArray | Tensor {
  const fn = 'embedding';
  const instance = instanceOf(fn, fovea);
  if (isPackedWeights(table)) {
    instance.engine.check(fn);
    const [most, columns] = table.shape as [number, number];
    const { ids: list, shape } = readIntegerArray(fn, 'ids', ids, 0, most - 1);
    return fovea.scope(() => table.rows(fn, list).reshape([...shape, columns]));
  }
  const rows = readArray(instance, fn, 'table', table);
  const [count, width] = rows.shape;
  if (count === undefined || width === undefined || rows.shape.length !== 2)
    return fail('shape', fn, `table must be [rows, width], got ${formatShape(rows.shape)}`);
  const wanted = readIntegerArray(fn, 'ids', ids, 0, count - 1);
  return computeArray(instance, fn, table, [...wanted.shape, width], (arena, y) => {
    const from = placeDense(arena, rows);
    const positions = arena.placeIntegers(wanted.ids);
    return () =>
      arena.run('tableRows', TABLE_ROWS_BLOCK, {
        table: from.address,
        rows: count,
        width,
        positions: positions.address,
        start: 0,
        tokens: sizeOf(wanted.shape),
        y: y.address,
      });
  });
}
