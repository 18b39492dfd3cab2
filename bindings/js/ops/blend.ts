/** `blend`: two arrays joined by a gate. */
import { BLEND_BLOCK } from '../../../build/generated/blocks/blend.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { broadcastShapes, broadcastStrides, formatShape, rowMajor } from '../tensor/shapes.ts';
import { computeArray, placeDense, readArray } from './operands.ts';
import { placeAxes, shareAxes } from './shared_axes.ts';

/**
 * The fusion gate: gate·a + (1 - gate)·b element by element, broadcast by NumPy's rule.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param a any shape.
 * @param b any shape that broadcasts with a's.
 * @param gate any shape that broadcasts with theirs, usually from 0 to 1, which is not asked of it.
 * @returns the shape of all, broadcast; a Tensor where a is one.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 *
 * Source: Shen et al. 2018 (DiSAN), arXiv:1709.04696 eq. 20.
 * @example
 * import { blend } from 'fovea/ops';
 * toNested(blend(fovea, [[1, 2], [3, 4]], [[0, 0], [8, 8]], [[0.5], [0.25]])); // [[0.5, 1], [6.75, 7]]
 */
export function blend<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput, gate: ArrayInput): ResultArray<A> {
  const fn = 'blend';
  const instance = instanceOf(fn, fovea);
  const operands = [readArray(instance, fn, 'a', a), readArray(instance, fn, 'b', b), readArray(instance, fn, 'gate', gate)];
  const shape = operands.reduce<number[] | null>((all, one) => all && broadcastShapes(all, one.shape), []);
  if (shape === null) {
    const shapes = operands.map((one) => `${one.name} ${formatShape(one.shape)}`).join(', ');
    return fail('shape', fn, `a, b and gate must broadcast, got ${shapes}`);
  }
  const strides = operands.map((one) => broadcastStrides(one.shape, rowMajor(one.shape), shape)!);
  return computeArray(instance, fn, a, shape, (arena, y) => {
    const [aPtr, bPtr, gatePtr] = operands.map((one) => placeDense(arena, one));
    const axes = placeAxes(arena, shareAxes(shape, strides), 'aStrides', 'bStrides', 'gateStrides');
    return () => {
      const ptrs = { a: aPtr!.address, b: bPtr!.address, gate: gatePtr!.address };
      arena.run('blend', BLEND_BLOCK, { ...axes(), ...ptrs, y: y.address });
    };
  });
}
