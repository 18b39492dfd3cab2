/** Entries of an axis by their indices: taken, or added up. */
import { LISTED_ROWS_BLOCK } from '../../../build/generated/blocks/listed_rows.ts';
import { fail } from '../errors/errors.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { readIntegerArray, type IntegerInput } from '../tensor/integer_arrays.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import { computeArray, placeDense, readArray, readAxis } from './operands.ts';

export interface GatherOptions {
  /** Default 0, the first. */
  readonly axis?: number | undefined;
}

export interface ScatterAddOptions extends GatherOptions {
  /** The length of the result along `axis`. */
  readonly length: number;
}

/**
 * The entries of an axis that indices name, as `numpy.take`.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @param indices integers from 0 to the axis's length - 1, of any shape.
 * @param options `axis`, default 0, the first.
 * @returns the shape of x with the shape of indices in place of the axis; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { gather } from 'fovea/ops';
 * toNested(gather(fovea, [[1, 2], [3, 4], [5, 6]], [2, 0])); // [[5, 6], [1, 2]]
 * toNested(gather(fovea, [[1, 2], [3, 4]], [1], { axis: 1 })); // [[2], [4]]
 */
export function gather<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  indices: IntegerInput,
  options?: GatherOptions,
): ResultArray<X> {
  const fn = 'gather';
  const instance = instanceOf(fn, fovea);
  const { axis = 0 } = readOptions(fn, options, ['axis']);
  const operand = readArray(instance, fn, 'x', x);
  const { place, outer, length, inner } = readAxis(fn, operand, axis);
  const wanted = readIntegerArray(fn, 'indices', indices, 0, length - 1);
  const shape = [...operand.shape.slice(0, place), ...wanted.shape, ...operand.shape.slice(place + 1)];
  return computeArray(instance, fn, x, shape, (arena, y) => {
    const from = placeDense(arena, operand);
    const list = arena.placeIntegers(wanted.ids);
    const block = { outer, length, inner, count: sizeOf(wanted.shape) };
    return () => arena.run('takeRows', LISTED_ROWS_BLOCK, { ...block, indices: list.address, x: from.address, y: y.address });
  });
}

/**
 * Sums the entries of an axis that have the same index: entry indices[i] of the result is the sum of all entries i of x, in
 * their order, and 0 where there is none. As `torch.Tensor.index_add_` to zeros.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @param indices [the axis's length], integers from 0 to length - 1.
 * @param options `length`; `axis`, default 0, the first.
 * @returns the shape of x, the axis `length` long; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: float32 sums in the order of the indices.
 * @example
 * import { scatterAdd } from 'fovea/ops';
 * toNested(scatterAdd(fovea, [[1, 2], [3, 4], [5, 6]], [2, 0, 2], { length: 3 })); // [[3, 4], [0, 0], [6, 8]]
 */
export function scatterAdd<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  indices: IntegerInput,
  options: ScatterAddOptions,
): ResultArray<X> {
  const fn = 'scatterAdd';
  const instance = instanceOf(fn, fovea);
  const { axis = 0, length } = readOptions<ScatterAddOptions>(fn, options, ['axis', 'length']);
  if (length === undefined) return fail('option', fn, 'the option length must be given: how many entries the result has');
  checkInteger(fn, 'length', length, 0, 2 ** 31 - 1);
  const operand = readArray(instance, fn, 'x', x);
  const { place, outer, length: count, inner } = readAxis(fn, operand, axis);
  const { ids, shape: given } = readIntegerArray(fn, 'indices', indices, 0, length - 1);
  if (given.length !== 1 || given[0] !== count)
    fail('shape', fn, `indices must be [n], n = ${count} being the length of axis ${axis}, got ${formatShape(given)}`);
  const shape = operand.shape.map((own, at) => (at === place ? length : own));
  return computeArray(instance, fn, x, shape, (arena, y) => {
    const from = placeDense(arena, operand);
    const list = arena.placeIntegers(ids);
    return () => {
      arena.heap.floats(y.address, sizeOf(shape)).fill(0);
      arena.run('addRows', LISTED_ROWS_BLOCK, {
        outer,
        length,
        inner,
        indices: list.address,
        count,
        x: from.address,
        y: y.address,
      });
    };
  });
}
