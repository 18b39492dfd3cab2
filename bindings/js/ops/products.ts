/** Matrix products, linear layers, and softmax with its logarithms. */
import { instanceOf } from '../runtime/instances.ts';
import { LINEAR_LAYER_BLOCK } from '../../../build/generated/blocks/linear_layer.ts';
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { readOptions } from '../errors/options.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AxisOptions } from './axis_options.ts';
import { activate, activationFields, checkActivation, type ActivationName } from './activations.ts';
import { computeArray, placeOptional, placeRows, readArray, readOptional } from './operands.ts';
import { checkShape } from '../tensor/operands.ts';
import { readWeight, type WeightInput } from '../tensor/weights.ts';
import { finish } from '../call/call.ts';
import { planLinearLayer, planMatmul } from './matmul.ts';
import { softmaxLike } from './softmax.ts';

/**
 * The matrix product a·b. Leading axes broadcast by NumPy's rule; a vector counts as one row (a) or one column (b), and its axis
 * is left out of the result, as in NumPy.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param a [..., M, K] or [K].
 * @param b [..., K, N] or [K].
 * @returns [..., M, N].
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 * @example
 * import { matmul } from 'fovea/ops';
 * toNested(matmul(fovea, [[1, 2]], [[3], [4]])); // [[11]]
 */
export function matmul<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput): ResultArray<A> {
  return finish(planMatmul(instanceOf('matmul', fovea), a, b)) as ResultArray<A>;
}

/**
 * exp(x - max) / Σ exp(x - max) along `axis`. An element of -Infinity becomes 0, a line of nothing else all zeros; NaN or +Infinity
 * in a line makes that line NaN.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { softmax } from 'fovea/ops';
 * toNested(softmax(fovea, [[0, 0], [1, -Infinity]])); // [[0.5, 0.5], [1, 0]]
 */
export function softmax<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  return softmaxLike(fovea, 'softmax', x, options);
}

/**
 * x - logSumExp(x) along `axis`; a line of nothing but -Infinity is all -Infinity.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { logSoftmax } from 'fovea/ops';
 * toNested(logSoftmax(fovea, [[0, 0]])); // [[-0.6931, -0.6931]]
 */
export function logSoftmax<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  return softmaxLike(fovea, 'logSoftmax', x, options);
}

/**
 * ln Σ exp(x) along `axis`; -Infinity for an empty axis.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape of at least one axis.
 * @returns the shape of x without the axis.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { logSumExp } from 'fovea/ops';
 * toNested(logSumExp(fovea, [[0, 0]])); // [0.6931]
 */
export function logSumExp<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  return softmaxLike(fovea, 'logSumExp', x, options);
}

/**
 * activation(x·Wᵀ + b): a linear layer whose activation is computed while its results are in cache.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x [..., in].
 * @param weight [out, in], or what `quantize` gives for it.
 * @param bias [out]; undefined = none.
 * @param options `activation`: 'relu', 'gelu', 'geluTanh', 'quickGelu', 'silu', 'elu', 'leakyRelu', 'tanh' or 'sigmoid', with its default
 *   number; left out = none: x·Wᵀ + b, as torch.nn.functional.linear.
 * @returns [..., out], in the bits of the product and the activation one after the other.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { linear } from 'fovea/ops';
 * toNested(linear(fovea, [[1, 2]], [[3, 4], [-3, -4]], [5, 5], { activation: 'relu' })); // [[16, 0]]
 */
export function linear<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  weight: WeightInput,
  bias?: ArrayInput,
  options?: { readonly activation?: ActivationName | undefined },
): ResultArray<X> {
  const fn = 'linear';
  const instance = instanceOf(fn, fovea);
  const { activation } = readOptions(fn, options, ['activation']);
  if (activation !== undefined) checkActivation(fn, activation);
  if (activation === undefined || instance.recorder !== null) {
    const y = finish(planLinearLayer(instance, x, weight, bias)) as ResultArray<X>;
    // The gradient of an activation needs what goes into it.
    return activation === undefined ? y : (activate<ArrayInput>(fovea, fn, activation, y) as ResultArray<X>);
  }
  const a = readArray(instance, fn, 'x', x);
  const w = readWeight(instance, fn, 'weight', weight, 'outIn');
  const b = readOptional(instance, fn, 'bias', bias);
  const inner = a.shape[a.shape.length - 1];
  const [columns] = w.shape;
  if (inner === undefined || w.shape.length !== 2 || w.shape[1] !== inner)
    fail(
      'shape',
      fn,
      `weight must be [out, in], in being the width of x, got weight ${formatShape(w.shape)}, x ${formatShape(a.shape)}`,
    );
  if (b !== null) checkShape(fn, b, [columns!], '[out]');
  const shape = [...a.shape.slice(0, -1), columns!];
  return computeArray(instance, fn, x, shape, (arena, y) => {
    const { ptr, rowStride } = placeRows(arena, a);
    const weightPtr = arena.place(w);
    const biasPtr = placeOptional(arena, b);
    // prettier-ignore
    return () =>
      arena.run('linearLayer', LINEAR_LAYER_BLOCK, {
        rows: sizeOf(shape) / columns!, inner, columns: columns!,
        a: ptr.address, aRow: rowStride, b: weightPtr.address, bRow: 1, bColumn: w.strides[0]!, bFormat: w.format,
        bias: biasPtr.address, c: y.address,
        ...activationFields(activation),
      });
  });
}
