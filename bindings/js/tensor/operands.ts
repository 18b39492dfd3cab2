/** Array arguments of a call: read and checked, whether plain or Tensor, and not yet in wasm memory. */
import { readPlain } from './arrays.ts';
import { fail } from '../errors/errors.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Meaning } from './nested_arrays.ts';
import { formatShape, rowMajor, sameShape, type Shape } from './shapes.ts';
import { isTensor, tensorState } from './tensor.ts';
import { tensorBytes } from './tensor_state.ts';
import { ownNumbers, typedArrayBuffer, typedArrayBytes, typedArrayKind, type NumberSource } from './typed_arrays.ts';

export interface Operand {
  readonly name: string;
  readonly shape: Shape;
  /** In elements; the last axis of a Tensor always has stride 1. */
  readonly strides: Shape;
  /** The first byte of a Tensor's elements; null for a plain array, whose numbers are in `data`. */
  readonly address: number | null;
  /** The owner of the memory at `address`: code of the caller's may have disposed it since the operand was read. */
  readonly owner: { readonly disposed: boolean } | null;
  /** The shape's numbers. */
  readonly data: NumberSource;
  /** The kind of a PlainArray; 'Tensor' for a Tensor. */
  readonly kind: string;
  /** [first, one past the last] of the bytes it occupies, in which buffer: what an `out` target must not overlap. */
  readonly occupies: Occupied | null;
  /** The number in WeightFormat of packed weights; 0 for an array. */
  readonly format: number;
}

export interface Occupied {
  readonly buffer: unknown;
  readonly from: number;
  readonly to: number;
}

const NO_DATA: NumberSource = [];

export function readOperand(
  instance: Instance,
  fn: string,
  name: string,
  input: unknown,
  meaning: Meaning = 'numbers',
): Operand {
  if (isTensor(input)) {
    const state = tensorState(instance, fn, name, input);
    const { shape, strides, storage } = state;
    const occupies = tensorBytes(state);
    return { name, shape, strides, address: occupies.from, owner: storage, data: NO_DATA, kind: 'Tensor', occupies, format: 0 };
  }
  const { shape, data, kind } = readPlain(fn, name, input, meaning);
  return plainOperand(name, shape, ownNumbers(instance.heap, fn, data), kind, occupiedBy(instance, data));
}

/** An operand out of numbers that fovea made itself. */
export function plainOperand(
  name: string,
  shape: Shape,
  data: NumberSource,
  kind: string,
  occupies: Occupied | null = null,
): Operand {
  return { name, shape, strides: rowMajor(shape), address: null, owner: null, data, kind, occupies, format: 0 };
}

export function occupiedBy(instance: Instance, data: unknown): Occupied | null {
  if (typedArrayKind(data) === undefined) return null;
  const buffer = typedArrayBuffer(data);
  const [from, to] = typedArrayBytes(data);
  return { buffer: instance.heap.owns(buffer) ? instance : buffer, from, to };
}

export function overlap(a: Occupied | null, b: Occupied | null): boolean {
  if (a === null || b === null || a.buffer !== b.buffer) return false;
  return a.from < a.to && b.from < b.to && a.from < b.to && b.from < a.to;
}

/** A `disposed` error where the caller's own code, a getter or a callback, has freed an operand after it was read. */
export function checkAlive(fn: string, { name, owner }: Pick<Operand, 'name' | 'owner'>): void {
  if (owner !== null && owner.disposed) fail('disposed', fn, `${name} was disposed while the arguments were read`);
}

/** A `shape` error unless the operand has exactly this shape; `meaning` spells it in letters. */
export function checkShape(fn: string, operand: Operand, shape: Shape, meaning: string): void {
  if (sameShape(operand.shape, shape)) return;
  fail('shape', fn, `${operand.name} must be ${meaning} = ${formatShape(shape)}, got ${formatShape(operand.shape)}`);
}
