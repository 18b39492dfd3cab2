/** Shared by the functions of `fovea/ops`: calls of one step with one result, and the addresses of operands. */
import { fail } from '../errors/errors.ts';
import type { CallArena } from '../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../call/ptr.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { checkInteger } from '../errors/options.ts';
import { isContiguous, sizeOf, type Shape } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Instance } from '../runtime/instance.ts';
import { compute } from '../call/call.ts';
import { freshOutput } from '../call/outputs.ts';
import { gather } from '../tensor/strided.ts';
import { isTensor } from '../tensor/tensor.ts';

export function readArray(instance: Instance, fn: string, name: string, input: unknown): Operand {
  return readOperand(instance, fn, name, input);
}

/** An array that may be absent. */
export function readOptional(instance: Instance, fn: string, name: string, input: unknown): Operand | null {
  return input === undefined ? null : readArray(instance, fn, name, input);
}

/**
 * A call with one result: a Tensor if `input` is one. `prepare` places the operands, what it returns computes the result; it is
 * not called where there is nothing to compute.
 */
export function computeArray<X extends ArrayInput>(
  instance: Instance,
  fn: string,
  input: X,
  shape: Shape,
  prepare: (arena: CallArena, y: Ptr) => () => void,
): ResultArray<X> {
  return compute(instance, fn, (arena) => {
    const y = freshOutput(arena, shape, isTensor(input));
    const run = sizeOf(shape) > 0 ? prepare(arena, y.ptr) : () => {};
    return () => {
      run();
      return y.finish() as ResultArray<X>;
    };
  });
}

/** Where the operand is row-major: its own place, or for a Tensor's slice a copy, made before what is pushed after it. */
export function placeDense(arena: CallArena, operand: Operand): Ptr {
  const { address, shape, strides } = operand;
  if (address === null || isContiguous(shape, strides)) return arena.place(operand);
  const size = sizeOf(shape);
  const ptr = arena.reserveFloats(size);
  const run = (): void => {
    gather(arena.heap, address, shape, strides, arena.heap.floats(ptr.address, size));
    arena.recorder?.noteCopy(arena.fn, address, shape, strides, ptr.address);
  };
  arena.steps.push({ operation: null, run });
  return ptr;
}

export function placeOptional(arena: CallArena, operand: Operand | null): Ptr {
  return operand === null ? NULL_PTR : placeDense(arena, operand);
}

/** The operand as rows along its last axis, the same number of floats apart: in place where that is so, else a copy. */
export function placeRows(arena: CallArena, operand: Operand): { ptr: Ptr; rowStride: number } {
  const { shape, strides } = operand;
  const width = shape[shape.length - 1] ?? 1;
  let rowStride: number | null = null;
  let next = 0;
  let even = true;
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    if (shape[axis] === 1) continue;
    rowStride ??= next = strides[axis]!;
    even &&= strides[axis] === next;
    next *= shape[axis]!;
  }
  if (even) return { ptr: arena.place(operand), rowStride: rowStride ?? width };
  return { ptr: placeDense(arena, operand), rowStride: width };
}

/** The shape around one axis. */
export interface AxisPlace {
  readonly place: number;
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

export function readAxis(fn: string, { name, shape }: Operand, axis: number): AxisPlace {
  const rank = shape.length;
  if (rank === 0) fail('shape', fn, `${name} must have an axis, got the shape []`);
  checkInteger(fn, 'axis', axis, -rank, rank - 1);
  const place = axis < 0 ? axis + rank : axis;
  return {
    place,
    outer: sizeOf(shape.slice(0, place)),
    length: shape[place]!,
    inner: sizeOf(shape.slice(place + 1)),
  };
}
