/** `valueAndGrad`: a function's value, and its gradients by the numbers that go into it. */
import { describe, fail } from '../errors/errors.ts';
import { isFunction, isList, isRevoked } from '../errors/options.ts';
import { tagOf } from '../errors/objects.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { Module } from '../nn/module.ts';
import { transpose } from '../ops/rearrange.ts';
import type { Instance } from '../runtime/instance.ts';
import { instanceOf } from '../runtime/instances.ts';
import { reachable } from '../tensor/reachable.ts';
import { formatShape, sizeOf, type Shape } from '../tensor/shapes.ts';
import { createTensor, isTensor, tensorState, tensorStorage, type Tensor } from '../tensor/tensor.ts';
import { tensorBytes } from '../tensor/tensor_state.ts';
import { walkBack } from './backward.ts';
import { Gradients, type VariablePlaces } from './gradients.ts';
import { Tape } from './tape.ts';
import { readVariables, type Differentiable, type Variable, type Variables } from './variables.ts';

/** Gradients by name: for a module a Map by the names of its state dict, for a record an object of the same names. */
export type GradientsOf<W extends Differentiable> = W extends Module
  ? Map<string, Tensor>
  : { readonly [Name in keyof W]: Tensor };

export interface ValueAndGradients<W extends Differentiable, A> {
  /** The loss. */
  readonly value: number;
  /** The derivative of the loss by each number of `wrt`: zeros where it does not depend on them. The caller disposes them. */
  readonly gradients: GradientsOf<W>;
  /** The function's result beside the loss; its Tensors live on. */
  readonly aux: A;
}

/**
 * The value of a function, and its gradients by the Tensors of a record, or by the weights of a module. Calls inside whose inputs depend on
 * them are followed, so modules and mechanisms need no code of their own; results of such calls are Tensors there, also of plain arrays. Numbers that
 * JavaScript reads are constants.
 *
 * @param fovea an instance of the `load` of fovea/train.
 * @param wrt a module, or Tensors by name.
 * @param fn synchronous; it returns the loss, a Tensor of one element, or [loss, aux].
 * @returns `value`, `gradients` and `aux`.
 * @throws AttentionError `option` (an instance of another `load`, weights in int8, an operation that has no gradient, a call inside of another one, an
 *   async function) | `shape` (a loss of several elements) | `value` | `disposed` | `memory` | `internal`. Nothing is changed then.
 *
 * Accuracy: float32, as forward. Source: reverse accumulation, Griewank, Walther 2008, Evaluating Derivatives, §3.2.
 * @example
 * import { valueAndGrad } from 'fovea/train';
 * import { multiply, sum } from 'fovea/ops';
 * const w = fovea.tensor([1, 2]);
 * const { value, gradients } = valueAndGrad(fovea, { w }, () => sum(fovea, multiply(fovea, w, w)));
 * console.assert(value === 5 && String(toNested(gradients.w)) === '2,4');
 */
export function valueAndGrad<W extends Differentiable, A = undefined>(
  fovea: Fovea,
  wrt: W,
  fn: () => Tensor | readonly [loss: Tensor, aux: A],
): ValueAndGradients<W, A> {
  const name = 'valueAndGrad';
  const instance = instanceOf(name, fovea);
  const variables = readVariables(instance, name, wrt);
  const made = new Map<Variable, Tensor>();
  const gradientOf = (variable: Variable): number => {
    const known = made.get(variable) ?? createTensor(instance, name, rowsShape(variable));
    made.set(variable, known);
    return tensorStorage(known).address;
  };
  try {
    const { value, aux } = differentiate(instance, name, variables, { gradientOf, rowsOf: () => 0 }, fn);
    const gradients = variables.list.map((one) => [one.name, inShape(fovea, one, made.get(one)!)] as const);
    return {
      value,
      gradients: (wrt instanceof Module ? new Map(gradients) : Object.fromEntries(gradients)) as GradientsOf<W>,
      aux,
    };
  } catch (error) {
    for (const tensor of made.values()) tensor.dispose();
    throw error;
  }
}

interface Differentiated<A> {
  readonly value: number;
  readonly aux: A;
}

/**
 * Writes the gradients of the variables to their places.
 * @internal
 */
export function differentiate<A>(
  instance: Instance,
  fn: string,
  variables: Variables,
  places: VariablePlaces,
  body: () => Tensor | readonly [Tensor, A],
): Differentiated<A> {
  const core = instance.engine.check(fn);
  if (core.arithmeticBackward === undefined) fail('option', fn, 'the instance must be of the load() of fovea/train');
  if (instance.recorder !== null) fail('option', fn, 'cannot be called inside a function that is differentiated');
  if (!isFunction(body)) fail('value', fn, `fn must be a function, got ${describe(body)}`);
  if (tagOf(body) === 'AsyncFunction') fail('option', fn, ASYNC);
  const tape = new Tape(instance, variables);
  try {
    const [loss, aux] = record(instance, fn, tape, body);
    const { from, to } = tensorBytes(tensorState(instance, fn, 'the loss', loss));
    if (sizeOf(loss.shape) !== 1 || to - from !== 4)
      fail('shape', fn, `the loss must be a Tensor of one element, got ${formatShape(loss.shape)}`);
    const value = instance.heap.floats(from, 1)[0]!;
    const gradients = new Gradients(instance, fn, tape, variables, places);
    try {
      if (gradients.at(from) !== 0) walkBack(instance, fn, tape, gradients, from);
      gradients.end();
      for (const tensor of reachable(aux, isTensor)) tape.keep(fn, tensorStorage(tensor));
    } finally {
      gradients.dispose();
    }
    return { value, aux: aux as A };
  } finally {
    tape.end();
  }
}

const ASYNC = 'fn must be synchronous: read what it needs before, and give it here';

/** The loss and what was returned beside it. */
function record<A>(
  instance: Instance,
  fn: string,
  tape: Tape,
  body: () => Tensor | readonly [Tensor, A],
): readonly [Tensor, A | undefined] {
  let result: unknown;
  instance.recorder = tape;
  try {
    result = body();
  } finally {
    instance.recorder = null;
  }
  if (typeof result === 'object' && result !== null && !isRevoked(result) && 'then' in result) {
    (result as Promise<unknown>).then?.(undefined, () => {});
    return fail('option', fn, ASYNC);
  }
  const [loss, aux] = isList(result) ? [result[0], result[1]] : [result, undefined];
  if (!isTensor(loss)) return fail('value', fn, `fn must return a Tensor of one element, got ${describe(loss)}`);
  return [loss, aux as A | undefined];
}

/** The shape of the numbers of a variable as rows. */
function rowsShape({ packing, shape }: Variable): Shape {
  return packing === null ? shape : [packing.outer, packing.inner];
}

function inShape(fovea: Fovea, { packing }: Variable, tensor: Tensor): Tensor {
  if (packing?.layout !== 'inOut') return tensor;
  const turned = transpose(fovea, tensor);
  tensor.dispose();
  return turned;
}
