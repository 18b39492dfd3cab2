/** Array arguments of a call: read and checked, whether plain or Tensor, and not yet in wasm memory. */
import { readPlain, typedArrayKind, type NumberSource } from './arrays.ts';
import { fail } from './errors.ts';
import type { Instance } from './instance.ts';
import { formatShape, rowMajor, sameShape, type Shape } from './shapes.ts';
import { isTensor, tensorBytes, tensorState } from './tensor.ts';

export interface Operand {
  readonly name: string;
  readonly shape: Shape;
  /** In elements; the last axis of a Tensor always has stride 1. */
  readonly strides: Shape;
  /** The first byte of a Tensor's elements; null for a plain array, whose numbers are in `data`. */
  readonly address: number | null;
  readonly data: NumberSource;
  /** As PlainArray's; 'Tensor' for a Tensor. */
  readonly kind: string;
  /** [first, one past the last] of the bytes it occupies, in which buffer: what an `out` target must not overlap. */
  readonly occupies: Occupied | null;
}

export interface Occupied {
  readonly buffer: unknown;
  readonly from: number;
  readonly to: number;
}

export function readOperand(instance: Instance, fn: string, name: string, input: unknown, booleans = false): Operand {
  if (isTensor(input)) {
    const state = tensorState(instance, fn, name, input);
    const [from, to] = tensorBytes(state);
    return {
      name,
      shape: state.shape,
      strides: state.strides,
      address: from,
      data: [],
      kind: 'Tensor',
      occupies: { buffer: instance, from, to },
    };
  }
  const { shape, data, kind } = readPlain(fn, name, input, booleans);
  return plainOperand(name, shape, ownNumbers(instance, data), kind, occupiedBy(instance, data));
}

/** An operand out of numbers that fovea made itself. */
export function plainOperand(
  name: string,
  shape: Shape,
  data: NumberSource,
  kind: string,
  occupies: Occupied | null = null,
): Operand {
  return { name, shape, strides: rowMajor(shape), address: null, data, kind, occupies };
}

export function occupiedBy(instance: Instance, data: unknown): Occupied | null {
  if (typedArrayKind(data) === undefined) return null;
  const { buffer, byteOffset, byteLength } = data as Uint8Array;
  return { buffer: instance.heap.owns(data as Uint8Array) ? instance : buffer, from: byteOffset, to: byteOffset + byteLength };
}

export function overlap(a: Occupied | null, b: Occupied | null): boolean {
  return a !== null && b !== null && a.buffer === b.buffer && a.from < b.to && b.from < a.to;
}

/** A `shape` error unless the operand has exactly this shape; `meaning` spells it in letters. */
export function checkShape(fn: string, operand: Operand, shape: Shape, meaning: string): void {
  if (sameShape(operand.shape, shape)) return;
  fail('shape', fn, `${operand.name} must be ${meaning} = ${formatShape(shape)}, got ${formatShape(operand.shape)}`);
}

/** A view of a Tensor's `data` would detach when the call grows the memory; such numbers are copied out first. */
function ownNumbers(instance: Instance, data: NumberSource): NumberSource {
  return typedArrayKind(data) !== undefined && instance.heap.owns(data as Uint8Array) ? (data as Float32Array).slice() : data;
}
