/** Losses: the mean over what was predicted, a Tensor of one element. */
import { CROSS_ENTROPY_BLOCK } from '../../../build/generated/blocks/cross_entropy.ts';
import { MEAN_SQUARED_ERROR_BLOCK } from '../../../build/generated/blocks/mean_squared_error.ts';
import { fail } from '../errors/errors.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { placeDense, placeOptional, placeRows, readArray, readOptional } from '../ops/operands.ts';
import { compute } from '../call/call.ts';
import { freshOutput } from '../call/outputs.ts';
import { instanceOf } from '../runtime/instances.ts';
import { checkShape } from '../tensor/operands.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { readIntegerArray, type IntegerInput } from '../tensor/integer_arrays.ts';
import { formatShape, sameShape, sizeOf } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';

export interface CrossEntropyOptions {
  /** Rows with this target are left out; default -100. */
  readonly ignoreIndex?: number | undefined;
  /** [...], the weight of each row; default 1. */
  readonly weights?: ArrayInput | undefined;
}

/**
 * The mean over rows of −ln softmax(logits)[target], as `torch.nn.functional.cross_entropy`: with weights Σ w·nll / Σ w. Without any row it is NaN.
 *
 * @param fovea an instance of the `load` of fovea/train.
 * @param logits [..., V].
 * @param targets [...], integers from 0 to V - 1, or ignoreIndex.
 * @returns a Tensor of one element.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: exponentials and their sums in float32, logarithms and the mean in double, rounded once.
 * @example
 * import { crossEntropy } from 'fovea/train';
 * const loss = crossEntropy(fovea, [[0, 0], [0, 0]], [0, 1]);
 * console.assert(Math.abs(loss.data[0] - Math.LN2) < 1e-6);
 * loss.dispose();
 */
export function crossEntropy(fovea: Fovea, logits: ArrayInput, targets: IntegerInput, options?: CrossEntropyOptions): Tensor {
  const fn = 'crossEntropy';
  const instance = instanceOf(fn, fovea);
  if (instance.engine.check(fn).crossEntropy === undefined)
    fail('option', fn, 'the instance must be of the load() of fovea/train');
  const { ignoreIndex = -100, weights } = readOptions(fn, options, ['ignoreIndex', 'weights']);
  checkInteger(fn, 'ignoreIndex', ignoreIndex, -(2 ** 31), 2 ** 31 - 1);
  const x = readArray(instance, fn, 'logits', logits);
  const classes = x.shape.at(-1);
  if (classes === undefined || classes === 0)
    return fail('shape', fn, `logits must be [..., V] with V ≥ 1, got ${formatShape(x.shape)}`);
  const leading = x.shape.slice(0, -1);
  const { ids, shape } = readIntegerArray(fn, 'targets', targets, -(2 ** 31), 2 ** 31 - 1);
  if (!sameShape(shape, leading))
    fail(
      'shape',
      fn,
      `targets must have the shape of logits without its last axis, ${formatShape(leading)}, got ${formatShape(shape)}`,
    );
  const wrong = ids.findIndex((id) => id !== ignoreIndex && (id < 0 || id >= classes));
  if (wrong >= 0)
    fail(
      'value',
      fn,
      `targets must be integers from 0 to ${classes - 1}, or ignoreIndex ${ignoreIndex}, got ${ids[wrong]} at ${wrong}`,
    );
  const w = readOptional(instance, fn, 'weights', weights);
  if (w !== null) checkShape(fn, w, leading, "logits' without its last axis");
  const rows = sizeOf(leading);
  return compute(instance, fn, (arena) => {
    const loss = freshOutput(arena, [], true);
    const { ptr, rowStride } = placeRows(arena, x);
    const list = arena.placeIntegers(ids);
    const weightsPtr = placeOptional(arena, w);
    const statistics = arena.reserveFloats(2 * rows);
    return () => {
      arena.run('crossEntropy', CROSS_ENTROPY_BLOCK, {
        ...{ rows, classes, x: ptr.address, xRow: rowStride, targets: list.address, ignoreIndex },
        ...{ weights: weightsPtr.address, statistics: statistics.address, loss: loss.ptr.address },
      });
      return loss.finish() as Tensor;
    };
  });
}

/**
 * The mean of (x − target)², as `torch.nn.functional.mse_loss`.
 *
 * @param fovea an instance of the `load` of fovea/train.
 * @param x any shape of at least one element.
 * @param target the shape of x.
 * @returns a Tensor of one element.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: summed in double, rounded once.
 * @example
 * import { meanSquaredError } from 'fovea/train';
 * const loss = meanSquaredError(fovea, [1, 2], [1, 4]);
 * console.assert(loss.data[0] === 2);
 * loss.dispose();
 */
export function meanSquaredError(fovea: Fovea, x: ArrayInput, target: ArrayInput): Tensor {
  const fn = 'meanSquaredError';
  const instance = instanceOf(fn, fovea);
  if (instance.engine.check(fn).meanSquaredError === undefined)
    fail('option', fn, 'the instance must be of the load() of fovea/train');
  const [a, b] = [readArray(instance, fn, 'x', x), readArray(instance, fn, 'target', target)];
  checkShape(fn, b, a.shape, "x's shape");
  const count = sizeOf(a.shape);
  if (count === 0) fail('shape', fn, `x must have at least one element, got ${formatShape(a.shape)}`);
  return compute(instance, fn, (arena) => {
    const loss = freshOutput(arena, [], true);
    const [from, to] = [placeDense(arena, a), placeDense(arena, b)];
    return () => {
      arena.run('meanSquaredError', MEAN_SQUARED_ERROR_BLOCK, {
        ...{ count, x: from.address, target: to.address, loss: loss.ptr.address },
      });
      return loss.finish() as Tensor;
    };
  });
}
