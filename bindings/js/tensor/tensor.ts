/// <reference lib="esnext.disposable" preserve="true" />
/** Tensors: float32 arrays that live in wasm memory, for chains of calls without copies. */
import { readPlain, readShape } from './arrays.ts';
import { describe, fail } from '../errors/errors.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Storage } from '../runtime/storage.ts';
import { isDisposed, textOf, type TensorState } from './tensor_state.ts';
import { disposeByUsing, nameClass } from '../errors/inspect.ts';
import { internalsOf, isKind, setClassInternals } from '../runtime/internals.ts';
import { checkInteger, isList } from '../errors/options.ts';
import { formatShape, isContiguous, rowMajor, sameShape, sizeOf, type Shape } from './shapes.ts';
import { gather, scatter } from './strided.ts';
import { typedArrayKind, typedArrayLength, type NumberSource } from './typed_arrays.ts';
import type { NumericArray, PlainArray } from './array_types.ts';

let create: (state: TensorState) => Tensor;
/** The state of a Tensor that this copy of the package has made. */
let stateOf: (value: object) => TensorState | undefined;

/**
 * A float32 array in wasm memory, made by `fovea.tensor(x)` or returned by a call whose first array argument is a Tensor.
 * It is row-major, or a slice of what is. The maker of a Tensor disposes it: with `dispose()`, a `using` declaration or
 * `fovea.scope`; a FinalizationRegistry frees what was forgotten, at some time or never.
 *
 * @example
 * const x = fovea.tensor([[1, 2], [3, 4]]);
 * x.slice(0, 1, 2).toArray(); // { data: Float32Array [3, 4], shape: [1, 2] }
 * x.dispose();
 */
export class Tensor {
  readonly #state: TensorState;

  static {
    create = (state) => new Tensor(state);
    stateOf = (value) => (#state in value ? value.#state : undefined);
    setClassInternals(Tensor.prototype, 'tensor', stateOf);
    nameClass(Tensor.prototype, 'Tensor', (tensor) => textOf(tensor.#state));
    disposeByUsing(Tensor.prototype);
  }

  private constructor(state: TensorState) {
    if (state?.storage === undefined) fail('value', 'Tensor', 'a Tensor is made by fovea.tensor(array), not by new Tensor()');
    this.#state = state;
    state.storage.owner ??= this;
  }

  /** The lengths of the axes. */
  get shape(): number[] {
    return [...this.#state.shape];
  }

  /** Whether this tensor, the owner of its memory, or the whole instance has been disposed. */
  get disposed(): boolean {
    return isDisposed(this.#state);
  }

  /**
   * A fresh view of the elements in wasm memory; writing to it writes to the tensor. Take it anew after each call into
   * fovea, as a call may grow the memory, which detaches views. With threads it is a view of a SharedArrayBuffer.
   *
   * @throws AttentionError `disposed`; `value` for a slice whose elements are not contiguous (use `toArray` or `clone`).
   */
  get data(): Float32Array {
    const { instance, shape } = this.#use('tensor.data');
    this.#needContiguous('tensor.data', 'value');
    return instance.heap.floats(this.#address, sizeOf(shape));
  }

  /**
   * A copy that JavaScript owns.
   *
   * @throws AttentionError `disposed`.
   */
  toArray(): { data: Float32Array; shape: number[] } {
    const { instance, shape, strides } = this.#use('tensor.toArray');
    const data = new Float32Array(sizeOf(shape));
    gather(instance.heap, this.#address, shape, strides, data);
    return { data, shape: [...shape] };
  }

  /**
   * Overwrites the elements.
   *
   * @param values as many numbers as the tensor has: a typed array, an array of numbers, or an array input of its shape.
   * @throws AttentionError `shape` where the size or the shape differs; `value`; `disposed`.
   */
  set(values: PlainArray | Tensor | NumericArray | readonly number[]): void {
    const fn = 'tensor.set';
    const { instance, shape, strides } = this.#use(fn);
    const source = isTensor(values) ? values.toArray() : flatOrArray(fn, values, sizeOf(shape));
    if (source.shape !== null && !sameShape(source.shape, shape))
      fail('shape', fn, `values must match the tensor's shape ${formatShape(shape)}, got ${formatShape(source.shape)}`);
    this.#use(fn); // reading the values may have disposed the tensor
    scatter(instance.heap, fn, this.#address, shape, strides, source.data);
  }

  /**
   * A view of the elements under another shape of the same size, disposed with the owner of its memory.
   *
   * @throws AttentionError `shape` where the sizes differ, or for a slice that is not contiguous (`clone` it first).
   */
  reshape(shape: readonly number[]): Tensor {
    const fn = 'tensor.reshape';
    const state = this.#use(fn);
    const wanted = readShape(fn, 'shape', shape);
    if (sizeOf(wanted) !== sizeOf(state.shape)) {
      fail('shape', fn, `the shapes must have one size, got ${formatShape(state.shape)} and ${formatShape(wanted)}`);
    }
    this.#needContiguous(fn, 'shape');
    return new Tensor({ ...state, shape: wanted, strides: rowMajor(wanted) });
  }

  /**
   * The entries `from` to `to` (exclusive) along `axis`: a view, disposed with the owner of its memory.
   *
   * @param axis 0 … rank - 1, or from the end: -rank … -1.
   * @param to default: the axis's length.
   * @throws AttentionError `value` where axis, from or to are outside of the shape; `disposed`.
   */
  slice(axis: number, from: number, to?: number): Tensor {
    const fn = 'tensor.slice';
    const state = this.#use(fn);
    const rank = state.shape.length;
    checkInteger(fn, 'axis', axis, -rank, rank - 1);
    const place = axis < 0 ? axis + rank : axis;
    const length = state.shape[place]!;
    const end = to ?? length;
    checkInteger(fn, 'to', end, 0, length);
    checkInteger(fn, 'from', from, 0, end);
    const shape = state.shape.map((whole, i) => (i === place ? end - from : whole));
    return new Tensor({ ...state, shape, offset: state.offset + from * state.strides[place]! });
  }

  /**
   * A copy with memory of its own.
   *
   * @throws AttentionError `memory`, `disposed`.
   */
  clone(): Tensor {
    const fn = 'tensor.clone';
    const { instance, shape, strides } = this.#use(fn);
    const copy = createTensor(instance, fn, shape);
    gather(instance.heap, this.#address, shape, strides, copy.data);
    instance.recorder?.noteCopy(fn, this.#address, shape, strides, copy.#address);
    return copy;
  }

  /** Frees the memory, and with it every view of it; a view's own dispose frees nothing. May be called again. */
  dispose(): void {
    const { instance, storage } = this.#state;
    this.#state.disposed = true;
    if (storage.owner === this) instance.freeStorage(storage);
  }

  get #address(): number {
    return this.#state.storage.address + 4 * this.#state.offset;
  }

  #use(fn: string): TensorState {
    this.#state.instance.engine.check(fn);
    if (isDisposed(this.#state))
      fail('disposed', fn, `the tensor of shape ${formatShape(this.#state.shape)} has been disposed`);
    return this.#state;
  }

  #needContiguous(fn: string, code: 'shape' | 'value'): void {
    const { shape, strides } = this.#state;
    if (!isContiguous(shape, strides)) {
      fail(
        code,
        fn,
        `needs contiguous elements, got a slice of shape ${formatShape(shape)} with strides ${formatShape(strides)}; clone() it first`,
      );
    }
  }
}

export interface Tensor {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** @internal */
export function isTensor(value: unknown): value is Tensor {
  if (typeof value !== 'object' || value === null) return false;
  return stateOf(value) !== undefined || isKind(value, 'tensor');
}

/**
 * The state of a Tensor, in whichever copy of the package it was made.
 * @internal
 */
export function anyStateOf(fn: string, tensor: Tensor): TensorState {
  return stateOf(tensor) ?? internalsOf<TensorState>(fn, tensor, 'tensor')!;
}

/**
 * The state of a tensor that `fn` was given as `name`: alive, and of this instance.
 * @internal
 */
export function tensorState(instance: Instance, fn: string, name: string, tensor: Tensor): TensorState {
  const state = anyStateOf(fn, tensor);
  if (state.instance !== instance)
    fail('value', fn, `${name} must be a Tensor of this instance, got one that another load() made`);
  if (isDisposed(state))
    fail('disposed', fn, `${name} is a Tensor of shape ${formatShape(state.shape)} that has been disposed`);
  return state;
}

/**
 * The storage behind a tensor, for scopes.
 * @internal
 */
export function tensorStorage(tensor: Tensor): Storage {
  return anyStateOf('scope', tensor).storage;
}

/**
 * A tensor with memory of its own, not yet written; `shape` is its own from now on.
 * @internal
 */
export function createTensor(instance: Instance, fn: string, shape: Shape): Tensor {
  const storage = instance.createStorage(fn, sizeOf(shape));
  return create({ instance, storage, shape, strides: rowMajor(shape), offset: 0, disposed: false });
}

/** `shape` is null where the values are a flat list, as long as the tensor has elements. */
function flatOrArray(fn: string, values: unknown, size: number): { data: NumberSource; shape: number[] | null } {
  const isTyped = typedArrayKind(values) !== undefined;
  const read = isTyped ? { data: values as NumberSource, shape: [typedArrayLength(values)] } : values;
  const { data, shape } = readPlain(fn, 'values', read);
  if (!isTyped && !(isList(values) && shape.length === 1)) return { data, shape };
  if (shape[0] !== size) fail('shape', fn, `values must be as many as the tensor has, ${size}, got ${describe(values)}`);
  return { data, shape: null };
}
