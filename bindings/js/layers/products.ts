/** Sums, and what the instance has already, as functions like the others of this entry. */
import { ACTIVATIONS, ADD_FIELDS, LINEAR_LAYER_FIELDS } from './abi.ts';
import { fail } from '../errors.ts';
import type { Fovea } from '../fovea.ts';
import { checkChoice, checkFinite, readOptions } from '../options.ts';
import { formatShape, sizeOf } from '../shapes.ts';
import type { ArrayInput, AxisOptions, ResultArray } from '../types.ts';
import { DEFAULT_PARAMETERS, type ActivationName } from './activations.ts';
import { compute, placeDense, placeOptional, placeRows, readArray, readOptional, toolsFor } from './tools.ts';

/**
 * The matrix product a·b, as fovea.ops.matmul.
 *
 * @example
 * import { matmul } from 'fovea/ops';
 * toNested(matmul(fovea, [[1, 2]], [[3], [4]])); // [[11]]
 */
export function matmul<A extends ArrayInput>(fovea: Fovea, a: A, b: ArrayInput): ResultArray<A> {
  toolsFor('matmul', fovea);
  return fovea.ops.matmul(a, b);
}

/**
 * exp(x - max) / Σ exp(x - max) along `axis`, as fovea.ops.softmax.
 *
 * @example
 * import { softmax } from 'fovea/ops';
 * toNested(softmax(fovea, [[0, 0], [1, -Infinity]])); // [[0.5, 0.5], [1, 0]]
 */
export function softmax<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  toolsFor('softmax', fovea);
  return fovea.ops.softmax(x, options);
}

/**
 * x - logSumExp(x) along `axis`, as fovea.ops.logSoftmax.
 *
 * @example
 * import { logSoftmax } from 'fovea/ops';
 * toNested(logSoftmax(fovea, [[0, 0]])); // [[-0.6931, -0.6931]]
 */
export function logSoftmax<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  toolsFor('logSoftmax', fovea);
  return fovea.ops.logSoftmax(x, options);
}

/**
 * ln Σ exp(x) along `axis`, as fovea.ops.logSumExp.
 *
 * @example
 * import { logSumExp } from 'fovea/ops';
 * toNested(logSumExp(fovea, [[0, 0]])); // [0.6931]
 */
export function logSumExp<X extends ArrayInput>(fovea: Fovea, x: X, options?: AxisOptions): ResultArray<X> {
  toolsFor('logSumExp', fovea);
  return fovea.ops.logSumExp(x, options);
}

/**
 * activation(x·Wᵀ + b): a linear layer whose activation is computed while its results are in cache.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x [..., in].
 * @param weight [out, in].
 * @param bias [out]; undefined = none.
 * @param options `activation`: 'relu', 'gelu', 'geluTanh', 'silu', 'elu', 'leakyRelu', 'tanh' or 'sigmoid', with its default
 *   number; left out = none, as fovea.ops.linear.
 * @returns [..., out], in the bits of the product and the activation one after the other.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { linear } from 'fovea/ops';
 * toNested(linear(fovea, [[1, 2]], [[3, 4], [-3, -4]], [5, 5], { activation: 'relu' })); // [[16, 0]]
 */
export function linear<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  weight: ArrayInput,
  bias?: ArrayInput,
  options?: { readonly activation?: ActivationName | undefined },
): ResultArray<X> {
  const fn = 'linear';
  const tools = toolsFor(fn, fovea);
  const { activation } = readOptions(fn, options, ['activation']);
  if (activation === undefined) return fovea.ops.linear(x, weight, bias);
  checkChoice(fn, 'activation', activation, ACTIVATIONS.slice(1) as ActivationName[]);
  const a = readArray(tools, fn, 'x', x);
  const w = readArray(tools, fn, 'weight', weight);
  const b = readOptional(tools, fn, 'bias', bias);
  const inner = a.shape[a.shape.length - 1];
  const [columns] = w.shape;
  if (inner === undefined || w.shape.length !== 2 || w.shape[1] !== inner)
    fail(
      'shape',
      fn,
      `weight must be [out, in], in being the width of x, got weight ${formatShape(w.shape)}, x ${formatShape(a.shape)}`,
    );
  if (b !== null) tools.checkShape(fn, b, [columns!], '[out]');
  const shape = [...a.shape.slice(0, -1), columns!];
  return compute(tools, fn, x, shape, (frame, y) => {
    const { span, rowStride } = placeRows(frame, tools, a);
    const weightSpan = frame.place(w);
    const biasSpan = placeOptional(frame, tools, b);
    // prettier-ignore
    return () =>
      frame.run('linearLayer', LINEAR_LAYER_FIELDS, {
        rows: sizeOf(shape) / columns!, inner, columns: columns!,
        a: span.address, aRow: rowStride, b: weightSpan.address, bRow: 1, bColumn: w.strides[0]!,
        bias: biasSpan.address, c: y.address,
        activation: ACTIVATIONS.indexOf(activation), parameter: DEFAULT_PARAMETERS[activation] ?? 0,
      });
  });
}

/**
 * scale·(a + b): residual sums, and what is added to every batch entry.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param a any shape.
 * @param b a's shape, or its last axes: [T, D] is added to each entry of [B, T, D].
 * @param options `scale`, default 1; √0.5 keeps the variance of a sum of two (Gehring et al. 2017, arXiv:1705.03122 §3.5).
 * @returns the shape of a.
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
  const fn = 'add';
  const tools = toolsFor(fn, fovea);
  const { scale = 1 } = readOptions(fn, options, ['scale']);
  checkFinite(fn, 'scale', scale);
  const [left, right] = [readArray(tools, fn, 'a', a), readArray(tools, fn, 'b', b)];
  const missing = left.shape.length - right.shape.length;
  if (!right.shape.every((length, axis) => length === left.shape[axis + missing]))
    fail(
      'shape',
      fn,
      `b must have a's shape or that of its last axes, got a ${formatShape(left.shape)}, b ${formatShape(right.shape)}`,
    );
  return compute(tools, fn, a, left.shape, (frame, y) => {
    const [aSpan, bSpan] = [placeDense(frame, tools, left), placeDense(frame, tools, right)];
    return () =>
      frame.run('add', ADD_FIELDS, {
        a: aSpan.address,
        b: bSpan.address,
        count: sizeOf(left.shape),
        bCount: sizeOf(right.shape),
        scale,
        y: y.address,
      });
  });
}
