/** Where a call's results go: fresh JavaScript arrays, fresh Tensors, or the caller's own `out` targets. */
import { readShape, typedArrayKind } from './arrays.ts';
import { describe, fail } from './errors.ts';
import type { Frame, Span } from './frame.ts';
import { occupiedBy, overlap, type Occupied, type Operand } from './operands.ts';
import { isPlainObject, unknownName } from './options.ts';
import { formatShape, isContiguous, sameShape, sizeOf, type Shape } from './shapes.ts';
import { isTensor, tensorBytes, tensorState, type Tensor } from './tensor.ts';
import type { NDArray, OutTargets } from './types.ts';

/** One result: where the core writes it, row-major, and how it is handed over. */
export interface Output {
  readonly span: Span;
  /** Call once, after the core has written to `span`. */
  readonly finish: () => NDArray | Tensor;
}

const TARGETS = ['output', 'weights', 'lse'] as const;
export type TargetName = (typeof TARGETS)[number];

/** The targets in `out` that are present, or an error where `out` is no object of such `names`. */
export function readTargets(fn: string, out: OutTargets | undefined, names: readonly TargetName[] = TARGETS): OutTargets {
  if (out === undefined) return {};
  if (!isPlainObject(out)) fail('option', fn, `out must be an object of ${names.join(' or ')}, got ${describe(out)}`);
  const targets: Record<string, unknown> = {};
  for (const [name, target] of Object.entries(out)) {
    if (target === undefined) continue;
    if (!(names as readonly string[]).includes(name)) unknownName(fn, 'out target', name, names);
    targets[name] = target;
  }
  return targets;
}

/** Reserves a fresh result: a Tensor, or an array that JavaScript owns. */
export function freshOutput(frame: Frame, shape: Shape, asTensor: boolean): Output {
  if (asTensor) {
    const { span, get } = frame.reserveTensor(shape);
    return { span, finish: get };
  }
  const span = frame.reserveFloats(sizeOf(shape));
  const finish = (): NDArray => ({ data: copyOut(frame, frame.heap.floats(span.address, sizeOf(shape))), shape: [...shape] });
  return { span, finish };
}

/** A copy of a view that JavaScript owns, or a `memory` error where the engine refuses it. */
export function copyOut<A extends Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(frame: Frame, source: A): A {
  try {
    return source.slice() as A;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail('memory', frame.fn, `JavaScript refused an array of ${source.byteLength} bytes for a result`, error);
  }
}

/** Reserves the results of one call, each in its `out` target where there is one. */
export class Outputs {
  readonly #frame: Frame;
  readonly #targets: OutTargets;
  readonly #asTensor: boolean;
  readonly #taken: { name: string; occupies: Occupied | null }[];

  constructor(frame: Frame, targets: OutTargets, asTensor: boolean, inputs: readonly Operand[]) {
    this.#frame = frame;
    this.#targets = targets;
    this.#asTensor = asTensor;
    this.#taken = [...inputs];
  }

  reserve(name: TargetName, shape: Shape): Output {
    const target = this.#targets[name];
    if (target === undefined) return this.fresh(shape);
    return isTensor(target) ? this.#tensorTarget(name, shape, target) : this.#arrayTarget(name, shape, target);
  }

  /** A result that has no `out` target. */
  fresh(shape: Shape): Output {
    return freshOutput(this.#frame, shape, this.#asTensor);
  }

  #tensorTarget(name: TargetName, shape: Shape, target: Tensor): Output {
    const { fn, instance } = this.#frame;
    const state = tensorState(instance, fn, `out.${name}`, target);
    this.#checkShape(name, shape, state.shape);
    if (!isContiguous(state.shape, state.strides))
      fail('value', fn, `out.${name} must be contiguous, got a slice with strides ${formatShape(state.strides)}`);
    const [from, to] = tensorBytes(state);
    this.#take(name, { buffer: instance, from, to });
    return { span: { address: from }, finish: () => target };
  }

  #arrayTarget(name: TargetName, shape: Shape, target: NDArray): Output {
    const { fn, instance, heap } = this.#frame;
    if (!isPlainObject(target) || typedArrayKind(target.data) !== 'Float32Array') {
      fail(
        'value',
        fn,
        `out.${name} must be { data: Float32Array, shape } or a Tensor, got ${describe(isPlainObject(target) ? target.data : target)}`,
      );
    }
    const { data } = target;
    this.#checkShape(name, shape, readShape(fn, `out.${name}.shape`, target.shape));
    if (data.length !== sizeOf(shape))
      fail('shape', fn, `out.${name}'s data must fill its shape, got ${data.length} numbers for ${formatShape(shape)}`);
    if (heap.owns(data))
      fail('value', fn, `out.${name} must not be a view of wasm memory, which growth detaches; pass the Tensor itself`);
    this.#take(name, occupiedBy(instance, data));
    const span = this.#frame.reserveFloats(sizeOf(shape));
    const finish = (): NDArray => {
      data.set(heap.floats(span.address, sizeOf(shape)));
      return target;
    };
    return { span, finish };
  }

  #checkShape(name: TargetName, shape: Shape, got: Shape): void {
    if (!sameShape(shape, got))
      fail('shape', this.#frame.fn, `out.${name} must have the shape ${formatShape(shape)}, got ${formatShape(got)}`);
  }

  #take(name: TargetName, occupies: Occupied | null): void {
    const other = this.#taken.find((taken) => overlap(taken.occupies, occupies));
    if (other !== undefined) fail('value', this.#frame.fn, `out.${name} must not overlap ${other.name} in memory`);
    this.#taken.push({ name: `out.${name}`, occupies });
  }
}
