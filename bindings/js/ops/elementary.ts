/** Absolute values, exponentials and logarithms, element by element. */
import { ELEMENTARY, type Elementary } from '../../../build/generated/enums/elementary.ts';
import { ELEMENTARY_BLOCK } from '../../../build/generated/blocks/elementary.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { sizeOf } from '../tensor/shapes.ts';
import { computeArray, placeDense, readArray } from './operands.ts';

/**
 * |x|.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 * @example
 * import { abs } from 'fovea/ops';
 * toNested(abs(fovea, [-1, 2])); // [1, 2]
 */
export function abs<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return elementary(fovea, 'abs', x);
}

/**
 * The natural exponential: 0 of -Infinity, Infinity above 88.72.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: within 2 units in the last place, above 87 within 5; results below 2^-126 within 2 units of that number's last place.
 * @example
 * import { exp } from 'fovea/ops';
 * toNested(exp(fovea, [0, 1])); // [1, 2.718]
 */
export function exp<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return elementary(fovea, 'exp', x);
}

/**
 * The natural logarithm: -Infinity of 0, NaN of less.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x; a Tensor where x is one.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: computed in double, then rounded.
 * @example
 * import { log } from 'fovea/ops';
 * toNested(log(fovea, [1, 10])); // [0, 2.303]
 */
export function log<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return elementary(fovea, 'log', x);
}

function elementary<X extends ArrayInput>(fovea: Fovea, fn: Elementary, input: X): ResultArray<X> {
  const instance = instanceOf(fn, fovea);
  const x = readArray(instance, fn, 'x', input);
  return computeArray(instance, fn, input, x.shape, (arena, y) => {
    const ptr = placeDense(arena, x);
    const block = { kind: ELEMENTARY.indexOf(fn), count: sizeOf(x.shape) };
    return () => arena.run('elementary', ELEMENTARY_BLOCK, { ...block, x: ptr.address, y: y.address });
  });
}
