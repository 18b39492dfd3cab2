/** Sums, differences and products, element by element. */
import { ARITHMETIC } from '../../../build/generated/enums.ts';
import { ARITHMETIC_BLOCK } from '../../../build/generated/abi.ts';
import { fail } from '../errors/errors.ts';
import { checkFinite, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { broadcastShapes, broadcastStrides, formatShape, rowMajor, type Shape } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { computeArray, placeDense, readArray } from './operands.ts';

const KINDS = ARITHMETIC;

/**
 * scale·(a + b), broadcast by NumPy's rule: shapes are aligned at their ends, lengths are equal or 1.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param a any shape.
 * @param b any shape that broadcasts with a's.
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
  b: ArrayInput,
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
export function subtract<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput): ResultArray<A> {
  return arithmetic(fovea, 'subtract', a, b);
}

/**
 * a·b element by element, broadcast as `add`. The product of matrices is `matmul`.
 *
 * @example
 * import { multiply } from 'fovea/ops';
 * toNested(multiply(fovea, [[1, 2], [3, 4]], [[2], [10]])); // [[2, 4], [30, 40]]
 */
export function multiply<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput): ResultArray<A> {
  return arithmetic(fovea, 'multiply', a, b);
}

function arithmetic<A extends ArrayInput>(
  fovea: Fovea,
  fn: (typeof KINDS)[number],
  a: A,
  b: ArrayInput,
  scale = 1,
): ResultArray<A> {
  const instance = instanceOf(fn, fovea);
  const [left, right] = [readArray(instance, fn, 'a', a), readArray(instance, fn, 'b', b)];
  const shape = broadcastShapes(left.shape, right.shape);
  if (shape === null)
    return fail('shape', fn, `a and b must broadcast, got a ${formatShape(left.shape)}, b ${formatShape(right.shape)}`);
  const axes = mergeAxes(shape, left.shape, right.shape);
  return computeArray(instance, fn, a, shape, (arena, y) => {
    const [aSpan, bSpan] = [placeDense(arena, left), placeDense(arena, right)];
    const table = arena.placeIntegers(Int32Array.from([...axes.lengths, ...axes.aStrides, ...axes.bStrides]));
    const rank = axes.lengths.length;
    return () =>
      arena.run('arithmetic', ARITHMETIC_BLOCK, {
        kind: KINDS.indexOf(fn),
        scale,
        rank,
        lengths: table.address,
        aStrides: table.address + 4 * rank,
        bStrides: table.address + 8 * rank,
        a: aSpan.address,
        b: bSpan.address,
        y: y.address,
      });
  });
}

interface MergedAxes {
  readonly lengths: number[];
  readonly aStrides: number[];
  readonly bStrides: number[];
}

/** The axes of two row-major arrays, neighbors that both walk as one joined, so that rows are as long as they can be. */
function mergeAxes(shape: Shape, a: Shape, b: Shape): MergedAxes {
  const [aAll, bAll] = [broadcastStrides(a, rowMajor(a), shape)!, broadcastStrides(b, rowMajor(b), shape)!];
  const merged: MergedAxes = { lengths: [], aStrides: [], bStrides: [] };
  const { lengths, aStrides, bStrides } = merged;
  shape.forEach((length, axis) => {
    if (length === 1) return;
    const last = lengths.length - 1;
    const [x, y] = [aAll[axis]!, bAll[axis]!];
    if (last >= 0 && aStrides[last] === x * length && bStrides[last] === y * length) {
      lengths[last]! *= length;
      [aStrides[last], bStrides[last]] = [x, y];
      return;
    }
    lengths.push(length);
    aStrides.push(x);
    bStrides.push(y);
  });
  return merged;
}
