/** Activation functions, element by element. */
import { ACTIVATION, type Activation } from '../../../build/generated/enums/activation.ts';
import { instanceOf } from '../runtime/instances.ts';
import { ACTIVATION_BLOCK } from '../../../build/generated/blocks/activation.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { findRemedy, type ForeignNames } from '../errors/foreign_names.ts';
import { checkChoice, checkFinite, readOptions } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import { isContiguous, sizeOf } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { computeArray, placeRows, readArray } from './operands.ts';

export type ActivationName = Exclude<Activation, 'none'> | 'quickGelu';
/** No option is known; those of other libraries are explained. */
type NoOptions = Readonly<Record<never, never>>;

/** Options of other libraries that choose the approximation of gelu. */
function approximationRemedy(name: string): string | undefined {
  return name === 'approximate' || name === 'kind' ? 'use geluTanh for the approximation by tanh' : undefined;
}

/** The names of Hugging Face and Keras that differ. */
const FOREIGN: ForeignNames = [
  ['gelunew gelufast gelupytorchtanh geluaccurate gelupythontanh', "use 'geluTanh'"],
  ['gelupython geluerf', "use 'gelu'"],
  ['swish', "use 'silu'"],
  ['relu2 relusquared relu6', 'it is another function'],
  ['linear identity', 'leave it out'],
];

/** Where an option names a function that is applied to the result of a layer. */
export function checkActivation(fn: string, name: ActivationName | undefined): void {
  const known = [...ACTIVATION.slice(1), 'quickGelu'] as ActivationName[];
  checkChoice(fn, 'activation', name, known, (value) => findRemedy(FOREIGN, value, known));
}

/** The number of a function that has one, where none is given. */
const DEFAULT_PARAMETERS: Partial<Record<ActivationName, number>> = { silu: 1, elu: 1, leakyRelu: 0.01, quickGelu: 1.702 };

/** The function and its number, as the core takes them. */
export function activationFields(name: ActivationName, parameter = DEFAULT_PARAMETERS[name] ?? 0): ActivationFields {
  return { activation: ACTIVATION.indexOf(name === 'quickGelu' ? 'silu' : name), parameter };
}

interface ActivationFields {
  readonly activation: number;
  readonly parameter: number;
}

/**
 * max(x, 0).
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 * @example
 * import { relu } from 'fovea/ops';
 * toNested(relu(fovea, [-1, 2])); // [0, 2]
 */
export function relu<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return activate(fovea, 'relu', 'relu', x);
}

/**
 * x·Φ(x), Φ being the distribution function of the normal distribution: of -Infinity 0.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: within 10 eps of each result by itself, however small it is.
 * Source: Hendrycks, Gimpel 2016, arXiv:1606.08415 §2.
 * @example
 * import { gelu } from 'fovea/ops';
 * toNested(gelu(fovea, [-1, 1])); // [-0.1587, 0.8413]
 */
export function gelu<X extends ArrayInput>(fovea: Fovea, x: X, options?: NoOptions): ResultArray<X> {
  readOptions('gelu', options, [], approximationRemedy);
  return activate(fovea, 'gelu', 'gelu', x);
}

/**
 * The approximation of gelu by tanh: x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))): of -Infinity 0. GPT-2's activation; PyTorch's gelu with
 * `approximate: 'tanh'`, Hugging Face's gelu_new and gelu_pytorch_tanh.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: within 10 eps of each result by itself, however small it is, and that of tanh's argument.
 * Source: Hendrycks, Gimpel 2016, arXiv:1606.08415 §2.
 * @example
 * import { geluTanh } from 'fovea/ops';
 * toNested(geluTanh(fovea, [-1, 1])); // [-0.1588, 0.8412]
 */
export function geluTanh<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return activate(fovea, 'geluTanh', 'geluTanh', x);
}

/**
 * x·sigmoid(βx), also called swish: of -Infinity 0.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @param options `beta` > 0, default 1; 1.702 makes it QuickGELU.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Elfwing et al. 2017, arXiv:1702.03118 eq. 5; β: Ramachandran et al. 2017, arXiv:1710.05941.
 * @example
 * import { silu } from 'fovea/ops';
 * toNested(silu(fovea, [-1, 1])); // [-0.2689, 0.7311]
 */
export function silu<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  options?: { readonly beta?: number | undefined },
): ResultArray<X> {
  const { beta } = readOptions('silu', options, ['beta']);
  if (beta !== undefined) checkPositive('silu', 'beta', beta);
  return activate(fovea, 'silu', 'silu', x, beta);
}

/**
 * x where x > 0, else α(exp(x) - 1).
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @param options `alpha`, default 1.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Clevert et al. 2016, arXiv:1511.07289 eq. 1.
 * @example
 * import { elu } from 'fovea/ops';
 * toNested(elu(fovea, [-1, 1])); // [-0.6321, 1]
 */
export function elu<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  options?: { readonly alpha?: number | undefined },
): ResultArray<X> {
  const { alpha } = readOptions('elu', options, ['alpha']);
  if (alpha !== undefined) checkFinite('elu', 'alpha', alpha);
  return activate(fovea, 'elu', 'elu', x, alpha);
}

/**
 * x where x ≥ 0, else slope·x.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @param options `slope`, default 0.01.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 * @example
 * import { leakyRelu } from 'fovea/ops';
 * toNested(leakyRelu(fovea, [-1, 1], { slope: 0.2 })); // [-0.2, 1]
 */
export function leakyRelu<X extends ArrayInput>(
  fovea: Fovea,
  x: X,
  options?: { readonly slope?: number | undefined },
): ResultArray<X> {
  const { slope } = readOptions('leakyRelu', options, ['slope']);
  if (slope !== undefined) checkFinite('leakyRelu', 'slope', slope);
  return activate(fovea, 'leakyRelu', 'leakyRelu', x, slope);
}

/**
 * x·sigmoid(1.702·x), the approximation of gelu that CLIP has: `silu` with `beta: 1.702`.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: as silu. Source: Hendrycks, Gimpel 2016, arXiv:1606.08415 §2.
 * @example
 * import { quickGelu } from 'fovea/ops';
 * toNested(quickGelu(fovea, [-1, 1])); // [-0.1542, 0.8458]
 */
export function quickGelu<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return activate(fovea, 'quickGelu', 'quickGelu', x);
}

/**
 * The hyperbolic tangent, within 2 units in the last place.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 * @example
 * import { tanh } from 'fovea/ops';
 * toNested(tanh(fovea, [-1, 0])); // [-0.7616, 0]
 */
export function tanh<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return activate(fovea, 'tanh', 'tanh', x);
}

/**
 * 1 / (1 + exp(-x)), within 4 units in the last place.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param x any shape.
 * @returns the shape of x.
 * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
 * @example
 * import { sigmoid } from 'fovea/ops';
 * toNested(sigmoid(fovea, [-1, 0])); // [0.2689, 0.5]
 */
export function sigmoid<X extends ArrayInput>(fovea: Fovea, x: X): ResultArray<X> {
  return activate(fovea, 'sigmoid', 'sigmoid', x);
}

function checkPositive(fn: string, name: string, value: number): void {
  checkFinite(fn, name, value);
  if (!(value > 0)) fail('value', fn, `${name} must be greater than 0, got ${value}`);
}

export function activate<X extends ArrayInput>(
  fovea: Fovea,
  fn: string,
  name: ActivationName,
  input: X,
  parameter?: number,
): ResultArray<X> {
  const instance = instanceOf(fn, fovea);
  const x = readArray(instance, fn, 'x', input);
  const size = sizeOf(x.shape);
  // A contiguous array is one row.
  const whole = isContiguous(x.shape, x.strides);
  const columns = whole ? size : x.shape[x.shape.length - 1]!;
  return computeArray(instance, fn, input, x.shape, (arena, y) => {
    const { ptr, rowStride } = placeRows(arena, x);
    return () =>
      arena.run('activation', ACTIVATION_BLOCK, {
        ...activationFields(name, parameter),
        x: ptr.address,
        xRow: rowStride,
        rows: size / columns,
        columns,
        y: y.address,
      });
  });
}
