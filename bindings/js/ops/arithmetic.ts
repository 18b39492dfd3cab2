/** Two arrays element by element. */
import { ARITHMETIC, type Arithmetic } from '../../../build/generated/enums/arithmetic.ts';
import { ARITHMETIC_BLOCK } from '../../../build/generated/blocks/arithmetic.ts';
import { fail } from '../errors/errors.ts';
import { checkFinite, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { broadcastShapes, broadcastStrides, formatShape, rowMajor } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { computeArray, placeDense, readArray } from './operands.ts';
import { placeAxes, shareAxes } from './shared_axes.ts';

/**
 * scale·(a + b), broadcast by NumPy's rule: shapes are aligned at their ends, lengths are equal or 1.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param a any shape.
 * @param b a number, or any shape that broadcasts with a's.
 * @param options `scale`, default 1; √0.5 keeps the variance of a sum of two (Gehring et al. 2017, arXiv:1705.03122 §3.5).
 * @returns the shape of both, broadcast; a Tensor where a is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { add } from 'fovea/ops';
 * toNested(add(fovea, [[1, 2], [3, 4]], [10, 20])); // [[11, 22], [13, 24]]
 */
export function add<A extends ArrayInput>(
  fovea: Fovea,
  a: A,
  b: ArrayInput | number,
  options?: { readonly scale?: number | undefined },
): ResultArray<A> {
  const { scale = 1 } = readOptions('add', options, ['scale']);
  checkFinite('add', 'scale', scale);
  return arithmetic(fovea, 'add', a, b, scale);
}

/**
 * a - b, broadcast as `add`.
 *
 * @example
 * import { subtract } from 'fovea/ops';
 * toNested(subtract(fovea, [[1, 2], [3, 4]], [[1], [2]])); // [[0, 1], [1, 2]]
 */
export function subtract<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput | number): ResultArray<A> {
  return arithmetic(fovea, 'subtract', a, b);
}

/**
 * a·b element by element, broadcast as `add`. The product of matrices is `matmul`.
 *
 * @example
 * import { multiply } from 'fovea/ops';
 * toNested(multiply(fovea, [[1, 2], [3, 4]], [[2], [10]])); // [[2, 4], [30, 40]]
 */
export function multiply<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput | number): ResultArray<A> {
  return arithmetic(fovea, 'multiply', a, b);
}

/**
 * a / b element by element, broadcast as `add`: of 0 / 0 NaN.
 *
 * @example
 * import { divide } from 'fovea/ops';
 * toNested(divide(fovea, [[1, 2], [3, 4]], [[2], [8]])); // [[0.5, 1], [0.375, 0.5]]
 */
export function divide<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput | number): ResultArray<A> {
  return arithmetic(fovea, 'divide', a, b);
}

/**
 * The smaller of a and b element by element, broadcast as `add`: NaN where either is NaN.
 *
 * @example
 * import { minimum } from 'fovea/ops';
 * toNested(minimum(fovea, [[1, 5], [3, 4]], 3)); // [[1, 3], [3, 3]]
 */
export function minimum<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput | number): ResultArray<A> {
  return arithmetic(fovea, 'minimum', a, b);
}

/**
 * The larger of a and b element by element, broadcast as `add`: NaN where either is NaN.
 *
 * @example
 * import { maximum } from 'fovea/ops';
 * toNested(maximum(fovea, [[1, 5], [3, 4]], [[2], [4]])); // [[2, 5], [4, 4]]
 */
export function maximum<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput | number): ResultArray<A> {
  return arithmetic(fovea, 'maximum', a, b);
}

function arithmetic<A extends ArrayInput>(
  fovea: Fovea,
  fn: Arithmetic,
  a: A,
  b: ArrayInput | number,
  scale = 1,
): ResultArray<A> {
  const instance = instanceOf(fn, fovea);
  const number = typeof b === 'number' ? { data: [b], shape: [] } : b;
  const [left, right] = [readArray(instance, fn, 'a', a), readArray(instance, fn, 'b', number)];
  const shape = broadcastShapes(left.shape, right.shape);
  if (shape === null)
    return fail('shape', fn, `a and b must broadcast, got a ${formatShape(left.shape)}, b ${formatShape(right.shape)}`);
  const strides = [left, right].map((one) => broadcastStrides(one.shape, rowMajor(one.shape), shape)!);
  return computeArray(instance, fn, a, shape, (arena, y) => {
    const [aPtr, bPtr] = [placeDense(arena, left), placeDense(arena, right)];
    const axes = placeAxes(arena, shareAxes(shape, strides), 'aStrides', 'bStrides');
    const block = { kind: ARITHMETIC.indexOf(fn), scale };
    return () =>
      arena.run('arithmetic', ARITHMETIC_BLOCK, {
        ...block,
        ...axes(),
        a: aPtr.address,
        b: bPtr.address,
        y: y.address,
      });
  });
}
