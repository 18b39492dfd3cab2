/** Sums over an axis. */
import { CUMULATIVE_SUM_BLOCK } from '../../../build/generated/blocks/cumulative_sum.ts';
import { POOLING_BLOCK } from '../../../build/generated/blocks/pooling.ts';
import { POOLING } from '../../../build/generated/enums/pooling.ts';
import { readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { AxisOptions } from './axis_options.ts';
import { computeArray, placeDense, readArray, readAxis } from './operands.ts';

/**
 * The sum along `axis`; of an empty axis 0.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @param options `axis`, default -1, the last.
 * @returns the shape of x without the axis; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: at most twice the error of the float32 loop plus 8 eps.
 * @example
 * import { sum } from 'fovea/ops';
 * toNested(sum(fovea, [[1, 2], [3, 4]])); // [3, 7]
 * toNested(sum(fovea, [[1, 2], [3, 4]], { axis: 0 })); // [4, 6]
 */
export function sum<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  const fn = 'sum';
  const instance = instanceOf(fn, fovea);
  const { axis = -1 } = readOptions(fn, options, ['axis']);
  const operand = readArray(instance, fn, 'x', x);
  const { place, outer, length, inner } = readAxis(fn, operand, axis);
  const shape = operand.shape.filter((_, at) => at !== place);
  return computeArray(instance, fn, x, shape, (arena, y) => {
    if (length === 0) return () => void arena.heap.floats(y.address, sizeOf(shape)).fill(0);
    const ptr = placeDense(arena, operand);
    const window = { outLength: 1, kernel: length, stride: length, padding: 0, countPadding: 0 };
    const block = { kind: POOLING.indexOf('sum'), outer, length, inner, ...window };
    return () => arena.run('pooling', POOLING_BLOCK, { ...block, x: ptr.address, y: y.address });
  });
}

/**
 * The sums of the entries so far along `axis`, each entry included.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @param options `axis`, default -1, the last.
 * @returns the shape of x; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: summed in double, each sum rounded once.
 * @example
 * import { cumulativeSum } from 'fovea/ops';
 * toNested(cumulativeSum(fovea, [1, 2, 3])); // [1, 3, 6]
 */
export function cumulativeSum<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  const fn = 'cumulativeSum';
  const instance = instanceOf(fn, fovea);
  const { axis = -1 } = readOptions(fn, options, ['axis']);
  const operand = readArray(instance, fn, 'x', x);
  const { outer, length, inner } = readAxis(fn, operand, axis);
  return computeArray(instance, fn, x, operand.shape, (arena, y) => {
    const ptr = placeDense(arena, operand);
    return () => arena.run('cumulativeSum', CUMULATIVE_SUM_BLOCK, { x: ptr.address, outer, length, inner, y: y.address });
  });
}
