/** The numbers that a function is differentiated by: named Tensors, or the weights of a module. */
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject } from '../errors/options.ts';
import { Module } from '../nn/module.ts';
import { isPackedWeights } from '../ops/packed_weights.ts';
import { partsOf } from '../ops/weight_panels.ts';
import type { Instance } from '../runtime/instance.ts';
import { isContiguous, sizeOf, type Shape } from '../tensor/shapes.ts';
import { isTensor, tensorState, type Tensor } from '../tensor/tensor.ts';
import { tensorBytes } from '../tensor/tensor_state.ts';
import { lastFrom } from './by_address.ts';

/** A part of a packed matrix: its place in memory, and its first row in the matrix [out, in]. */
interface PackedPart {
  readonly from: number;
  readonly row: number;
  readonly rows: number;
}

/** A matrix that is kept packed. */
export interface Packing {
  readonly inner: number;
  readonly outer: number;
  readonly layout: 'inOut' | 'outIn';
  readonly parts: readonly PackedPart[];
}

export interface Variable {
  readonly name: string;
  readonly shape: Shape;
  /** The bytes that it occupies. */
  readonly from: number;
  readonly to: number;
  /** Null for an array that is row-major. */
  readonly packing: Packing | null;
}

/** Tensors by name. */
export type TensorRecord = Readonly<Record<string, Tensor>>;
/** By what a function may be differentiated. */
export type Differentiable = Module | TensorRecord;

export class Variables {
  readonly list: readonly Variable[];
  /** In the order of their addresses. */
  readonly #sorted: readonly Variable[];

  constructor(list: readonly Variable[]) {
    this.list = list;
    this.#sorted = [...list].sort((a, b) => a.from - b.from);
  }

  /** The variable that occupies an address. */
  at(address: number): Variable | undefined {
    const found = lastFrom(this.#sorted, address);
    return found !== undefined && address < found.to ? found : undefined;
  }
}

/** @param isTrainable - false for names that are constants */
export function readVariables(
  instance: Instance,
  fn: string,
  wrt: unknown,
  isTrainable: (name: string) => boolean = () => true,
): Variables {
  if (wrt instanceof Module) return new Variables(ofModule(instance, fn, wrt).filter(({ name }) => isTrainable(name)));
  if (!isPlainObject(wrt)) return fail('value', fn, `wrt must be a module or an object of Tensors, got ${describe(wrt)}`);
  const list = Object.entries(wrt).map(([name, tensor]) => {
    if (!isTensor(tensor)) return fail('value', fn, `wrt.${name} must be a Tensor, got ${describe(tensor)}`);
    return ofTensor(instance, fn, name, tensor);
  });
  checkApart(fn, list);
  return new Variables(list.filter(({ name }) => isTrainable(name)));
}

function ofModule(instance: Instance, fn: string, module: Module): Variable[] {
  module.checkUsable(fn);
  if (module.instance !== instance) fail('option', fn, 'the module must be of this instance, got one of another load()');
  return [...module.named()].map(([name, { shape, packing, value }]) => {
    if (value === null)
      return fail('value', fn, `has no weights yet, got none for ${name}: call loadStateDict, or pass a seed`);
    if (!isPackedWeights(value)) return ofTensor(instance, fn, name, value);
    if (value.dtype !== 'float32') return fail('option', fn, `${name} must be float32, got ${value.dtype} weights`);
    const { layout, parts } = packing!;
    const outer = layout === 'outIn' ? shape[0]! : shape[1]!;
    const { from, to } = ofTensor(instance, fn, name, value.data);
    const { inner, list } = partsOf({ shape, layout, parts: parts ?? [outer], offset: 0, dtype: 'float32' });
    const packed = list.map(({ first, length, at }) => ({ from: from + 4 * at, row: first, rows: length }));
    return { name, shape, from, to, packing: { inner, outer, layout, parts: packed } };
  });
}

function ofTensor(instance: Instance, fn: string, name: string, tensor: Tensor): Variable {
  const state = tensorState(instance, fn, name, tensor);
  if (!isContiguous(state.shape, state.strides))
    fail('value', fn, `${name} must be contiguous, got a slice whose rows lie apart; clone() it first`);
  const { from } = tensorBytes(state);
  return { name, shape: state.shape, from, to: from + 4 * sizeOf(state.shape), packing: null };
}

/** Two names of the same numbers would each have a part of their gradient. */
function checkApart(fn: string, list: readonly Variable[]): void {
  const sorted = [...list].sort((a, b) => a.from - b.from);
  sorted.forEach((one, n) => {
    const before = sorted[n - 1];
    if (before !== undefined && before.to > one.from)
      fail('value', fn, `wrt.${before.name} and wrt.${one.name} must not share memory`);
  });
}
