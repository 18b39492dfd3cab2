/** `argmax`: where the largest number stands. */
import { ARGMAX_BLOCK } from '../../../build/generated/blocks/argmax.ts';
import { compute } from '../call/call.ts';
import { copyOut } from '../call/outputs.ts';
import { fail } from '../errors/errors.ts';
import { readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { AxisOptions } from './axis_options.ts';
import { placeDense, readArray, readAxis } from './operands.ts';

/** Integers that JavaScript owns: `ids` of `embedding`. */
export interface IntegerArray {
  data: Int32Array;
  shape: number[];
}

/**
 * Where the largest number along `axis` stands: the lowest index of several. The first NaN counts as the largest, as in PyTorch
 * and NumPy; -0 and 0 are equal.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis, `axis` not empty.
 * @param options `axis`, default -1, the last.
 * @returns integers in the shape of x without the axis: a plain Int32Array with its shape, of a Tensor too.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { argmax } from 'fovea/ops';
 * argmax(fovea, [[1, 3, 2], [5, 5, 0]]).data; // Int32Array [1, 0]
 */
export function argmax(fovea: Fovea, x: ArrayInput, options?: AxisOptions): IntegerArray {
  const fn = 'argmax';
  const instance = instanceOf(fn, fovea);
  const { axis = -1 } = readOptions(fn, options, ['axis']);
  const operand = readArray(instance, fn, 'x', x);
  const { place, outer, length, inner } = readAxis(fn, operand, axis);
  const shape = operand.shape.filter((_, at) => at !== place);
  const count = sizeOf(shape);
  if (count === 0) return { data: new Int32Array(0), shape };
  if (length === 0) fail('shape', fn, `axis ${axis} must have at least one entry, got x ${formatShape(operand.shape)}`);
  const data = compute(instance, fn, (arena) => {
    const from = placeDense(arena, operand);
    const y = arena.reserve(4 * count);
    return () => {
      arena.run('argmax', ARGMAX_BLOCK, { x: from.address, outer, length, inner, y: y.address });
      return copyOut(arena, arena.heap.integers(y.address, count) as Int32Array<ArrayBuffer>);
    };
  });
  return { data, shape };
}
