/** Where a call's results go: fresh JavaScript arrays, fresh Tensors, or the caller's own `out` targets. */
import { checkUnstrided, readShape } from '../tensor/arrays.ts';
import { describe, fail } from '../errors/errors.ts';
import type { CallArena } from './call_arena.ts';
import type { Ptr } from './ptr.ts';
import { occupiedBy, overlap, type Occupied, type Operand } from '../tensor/operands.ts';
import { isObject, isPlainObject, readNames, readOptions } from '../errors/options.ts';
import { formatShape, isContiguous, sameShape, sizeOf, type Shape } from '../tensor/shapes.ts';
import { isTensor, tensorState, type Tensor } from '../tensor/tensor.ts';
import { tensorBytes } from '../tensor/tensor_state.ts';
import { typedArrayBuffer, typedArrayKind, typedArrayLength } from '../tensor/typed_arrays.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { OutTargets } from './out_targets.ts';

/** One result: where the core writes it, row-major, and how it is handed over. */
export interface Output {
  readonly ptr: Ptr;
  /** Call once, after the core has written to `ptr`. */
  readonly finish: () => NDArray | Tensor;
}

const TARGETS = ['output', 'weights', 'lse'] as const;
export type TargetName = (typeof TARGETS)[number];

export const NO_TARGETS: OutTargets = readOptions<OutTargets>('', undefined, TARGETS);

/** The targets in `out` that are present, or an error where `out` is no object of such `names`. */
export function readTargets(fn: string, out: OutTargets | undefined, names: readonly TargetName[] = TARGETS): OutTargets {
  if (out === undefined) return NO_TARGETS;
  if (!isPlainObject(out)) fail('option', fn, `out must be an object of ${names.join(' or ')}, got ${describe(out)}`);
  return readNames(fn, 'out target', out, names);
}

/** Reserves a fresh result: a Tensor, or an array that JavaScript owns. */
export function freshOutput(arena: CallArena, shape: Shape, asTensor: boolean): Output {
  if (asTensor || arena.recorder !== null) {
    const ptr = arena.reserveTensor(shape);
    return { ptr, finish: () => ptr.tensor! };
  }
  const ptr = arena.reserveFloats(sizeOf(shape));
  const finish = (): NDArray => ({ data: copyOut(arena, arena.heap.floats(ptr.address, sizeOf(shape))), shape: [...shape] });
  return { ptr, finish };
}

/** A copy of a view that JavaScript owns, or a `memory` error where the engine refuses it. */
export function copyOut<A extends Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(
  { fn }: { readonly fn: string },
  source: A,
): A {
  try {
    return source.slice() as A;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail('memory', fn, `JavaScript refused an array of ${source.byteLength} bytes for a result`, error);
  }
}

/** Reserves the results of one call, each in its `out` target where there is one. */
export class Outputs {
  readonly #arena: CallArena;
  readonly #targets: OutTargets;
  readonly #asTensor: boolean;
  readonly #inputs: () => readonly Operand[];
  #taken: { name: string; occupies: Occupied | null }[] | null = null;

  /** @param inputs - what the targets must not overlap */
  constructor(arena: CallArena, targets: OutTargets, asTensor: boolean, inputs: () => readonly Operand[]) {
    this.#arena = arena;
    this.#targets = targets;
    this.#asTensor = asTensor;
    this.#inputs = inputs;
  }

  reserve(name: TargetName, shape: Shape): Output {
    const target = this.#targets[name];
    if (target === undefined) return this.fresh(shape);
    return isTensor(target) ? this.#tensorTarget(name, shape, target) : this.#arrayTarget(name, shape, target);
  }

  /** A result that has no `out` target. */
  fresh(shape: Shape): Output {
    return freshOutput(this.#arena, shape, this.#asTensor);
  }

  #tensorTarget(name: TargetName, shape: Shape, target: Tensor): Output {
    const { fn, instance } = this.#arena;
    const state = tensorState(instance, fn, `out.${name}`, target);
    this.#checkShape(name, shape, state.shape);
    if (!isContiguous(state.shape, state.strides))
      fail('value', fn, `out.${name} must be contiguous, got a slice with strides ${formatShape(state.strides)}`);
    const occupies = tensorBytes(state);
    this.#take(name, occupies);
    this.#arena.watch({ name: `out.${name}`, owner: state.storage });
    return { ptr: { address: occupies.from }, finish: () => target };
  }

  #arrayTarget(name: TargetName, shape: Shape, target: NDArray): Output {
    const { fn, instance, heap } = this.#arena;
    const data: unknown = isObject(target) ? target.data : target;
    if (data === target || typedArrayKind(data) !== 'Float32Array')
      return fail('value', fn, `out.${name} must be { data: Float32Array, shape } or a Tensor, got ${describe(data)}`);
    this.#checkShape(name, shape, readShape(fn, `out.${name}.shape`, target.shape));
    checkUnstrided(fn, `out.${name}`, target, shape);
    const length = typedArrayLength(data);
    if (length !== sizeOf(shape))
      fail('shape', fn, `out.${name}'s data must fill its shape, got ${length} numbers for ${formatShape(shape)}`);
    if (heap.owns(typedArrayBuffer(data)))
      fail('value', fn, `out.${name} must not be a view of wasm memory, which growth detaches; pass the Tensor itself`);
    this.#take(name, occupiedBy(instance, data));
    const ptr = this.#arena.reserveFloats(sizeOf(shape));
    const finish = (): NDArray => {
      if (typedArrayLength(data) < length) fail('value', fn, `out.${name}'s data was detached or shortened during the call`);
      Float32Array.prototype.set.call(data, heap.floats(ptr.address, length));
      return target;
    };
    return { ptr, finish };
  }

  #checkShape(name: TargetName, shape: Shape, got: Shape): void {
    if (!sameShape(shape, got))
      fail('shape', this.#arena.fn, `out.${name} must have the shape ${formatShape(shape)}, got ${formatShape(got)}`);
  }

  #take(name: TargetName, occupies: Occupied | null): void {
    this.#taken ??= [...this.#inputs()];
    const other = this.#taken.find((taken) => overlap(taken.occupies, occupies));
    if (other !== undefined) fail('value', this.#arena.fn, `out.${name} must not overlap ${other.name} in memory`);
    this.#taken.push({ name: `out.${name}`, occupies });
  }
}
