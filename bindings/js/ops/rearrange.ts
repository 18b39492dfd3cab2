/** Arrays joined along an axis, and axes in another order. */
import { describe, fail } from '../errors/errors.ts';
import { checkInteger, isList, readEntries, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { formatShape, rowMajor } from '../tensor/shapes.ts';
import type { AxisOptions } from './axis_options.ts';
import { planCopy } from './copies.ts';
import { computeArray, readArray, readAxis } from './operands.ts';

/**
 * Arrays one after another along `axis`.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param arrays at least one; their shapes differ along `axis` at most.
 * @param options `axis`, default -1, the last.
 * @returns their shape, the lengths along `axis` summed; a Tensor where the first array is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { concat } from 'fovea/ops';
 * toNested(concat(fovea, [[[1], [2]], [[3, 4], [5, 6]]])); // [[1, 3, 4], [2, 5, 6]]
 * toNested(concat(fovea, [[1, 2], [3]], { axis: 0 })); // [1, 2, 3]
 */
export function concat<X extends ArrayInput>(
  fovea: Fovea,
  arrays: readonly [X, ...ArrayInput[]],
  options?: AxisOptions,
): ResultArray<X> {
  const fn = 'concat';
  const instance = instanceOf(fn, fovea);
  const { axis = -1 } = readOptions(fn, options, ['axis']);
  const given: unknown = arrays;
  if (!isList(given) || given.length === 0)
    return fail('value', fn, `arrays must be a list of at least one array, got ${describe(given)}`);
  const operands = readEntries(fn, 'arrays', given, (array, n) => readArray(instance, fn, `arrays[${n}]`, array));
  const first = operands[0]!;
  const { place } = readAxis(fn, first, axis);
  const shape = [...first.shape];
  for (const { name, shape: own } of operands.slice(1)) {
    if (own.length !== shape.length || own.some((length, at) => at !== place && length !== shape[at]))
      fail(
        'shape',
        fn,
        `${name} must have the shape of arrays[0], ${formatShape(first.shape)}, but along axis ${axis}, got ${formatShape(own)}`,
      );
    shape[place]! += own[place]!;
  }
  const toStrides = rowMajor(shape);
  return computeArray(instance, fn, arrays[0], shape, (arena, y) => {
    let offset = 0;
    const copies = operands.map((from) => {
      const copy = planCopy(arena, { from, to: y, offset, shape: from.shape, fromStrides: from.strides, toStrides });
      offset += from.shape[place]! * toStrides[place]!;
      return copy;
    });
    return () => copies.forEach((copy) => copy());
  });
}

/**
 * The axes in another order.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @param axes of the result, in order: the axes of x that they are, each once; negative ones count from the end. Left out: the
 *   last two of x exchanged.
 * @returns the shape of x in that order; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 * @example
 * import { transpose } from 'fovea/ops';
 * toNested(transpose(fovea, [[1, 2, 3], [4, 5, 6]])); // [[1, 4], [2, 5], [3, 6]]
 * transpose(fovea, { data: new Float32Array(24), shape: [2, 3, 4] }, [2, 0, 1]).shape; // [4, 2, 3]
 */
export function transpose<X extends ArrayInput>(fovea: Fovea, x: X, axes?: readonly number[]): ResultArray<X> {
  const fn = 'transpose';
  const instance = instanceOf(fn, fovea);
  const operand = readArray(instance, fn, 'x', x);
  const rank = operand.shape.length;
  const order = axes === undefined ? swapLast(fn, rank) : readOrder(fn, axes, rank);
  const shape = order.map((axis) => operand.shape[axis]!);
  const fromStrides = order.map((axis) => operand.strides[axis]!);
  return computeArray(instance, fn, x, shape, (arena, y) =>
    planCopy(arena, { from: operand, to: y, offset: 0, shape, fromStrides, toStrides: rowMajor(shape) }),
  );
}

function swapLast(fn: string, rank: number): number[] {
  if (rank < 2) fail('shape', fn, `x must have at least two axes, or axes be given, got ${rank}`);
  const order = Array.from({ length: rank }, (_, axis) => axis);
  return [...order.slice(0, -2), rank - 1, rank - 2];
}

function readOrder(fn: string, axes: unknown, rank: number): number[] {
  if (!isList(axes) || axes.length !== rank)
    return fail('value', fn, `axes must list the ${rank} axes of x, got ${describe(axes)}`);
  const order = readEntries(fn, 'axes', axes, (axis, at) => {
    checkInteger(fn, `axes[${at}]`, axis, -rank, rank - 1);
    return axis < 0 ? axis + rank : axis;
  });
  const twice = order.find((axis, at) => order.indexOf(axis) !== at);
  if (twice !== undefined) fail('value', fn, `axes must name each axis of x once, got ${twice} twice`);
  return order;
}
