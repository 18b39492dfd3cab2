/**
 * Typed arrays as the engine knows them. Their own properties (`length`, `constructor`, `Symbol.toStringTag`, an iterator) may be
 * the caller's code, and a buffer may be resized or detached between two looks: nothing here asks the object itself.
 */
import { fail } from '../errors/errors.ts';
import type { Heap } from '../runtime/heap.ts';

/** Row-major numbers; a typed array's `set` converts any of them. */
export type NumberSource = ArrayLike<number>;

export type AnyTypedArray =
  Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

const PROTOTYPE = Object.getPrototypeOf(Int8Array.prototype) as object;

function getter<R>(name: PropertyKey): (this: unknown) => R {
  return Object.getOwnPropertyDescriptor(PROTOTYPE, name)!.get as (this: unknown) => R;
}

const kindGetter = getter<string | undefined>(Symbol.toStringTag);
const lengthGetter = getter<number>('length');
const bufferGetter = getter<ArrayBufferLike>('buffer');
const offsetGetter = getter<number>('byteOffset');
const bytesGetter = getter<number>('byteLength');
const { keys } = PROTOTYPE as { keys(): unknown };

/** The name of a typed array's type, in whichever realm it was made; undefined for anything else. */
export function typedArrayKind(value: unknown): string | undefined {
  return kindGetter.call(value);
}

/** 0 for a typed array whose buffer was detached, or has become too short for it. */
export function typedArrayLength(array: unknown): number {
  return lengthGetter.call(array);
}

/** A `value` error where a typed array, which has no shape beside it, has lost its numbers: it would count as an empty one. */
export function checkAttached(fn: string, name: string, array: unknown): void {
  try {
    keys.call(array);
  } catch {
    fail('value', fn, `${name} must hold numbers, got an array that was detached (its buffer was moved) or shortened`);
  }
}

export function typedArrayBuffer(array: unknown): ArrayBufferLike {
  return bufferGetter.call(array);
}

/** The bytes of its buffer that a typed array has: [first, one past the last]. */
export function typedArrayBytes(array: unknown): readonly [number, number] {
  const from = offsetGetter.call(array);
  return [from, from + bytesGetter.call(array)];
}

/** The type of this name in this realm. */
function constructorOf(kind: string): Float32ArrayConstructor {
  return (globalThis as unknown as Record<string, Float32ArrayConstructor>)[kind]!;
}

/** A new array of a type of JavaScript's own, or a `memory` error where the engine refuses it. */
export function newArray<A>(fn: string, bytes: number, make: () => A): A {
  try {
    // An engine may promise more memory than there is, and end the process when it is written to.
    if (bytes >= 2 ** 32) throw new RangeError('more than WebAssembly memory can hold');
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail('memory', fn, `JavaScript refused an array of ${bytes} bytes`, error);
  }
}

/** An array of `length` zeros, of the typed array type `kind`. */
export function zeros(fn: string, kind: string, length: number): Float32Array<ArrayBuffer> {
  const Type = constructorOf(kind);
  return newArray(fn, length * Type.BYTES_PER_ELEMENT, () => new Type(length));
}

/** A copy of a typed array, as long as it is now. */
export function copyOf(fn: string, array: NumberSource): Float32Array<ArrayBuffer> {
  const Type = constructorOf(typedArrayKind(array)!);
  return newArray(fn, typedArrayLength(array) * Type.BYTES_PER_ELEMENT, () => new Type(array));
}

/**
 * target <- as many of the numbers as it holds, which are as many as were there when the argument was read. A `value` error where
 * the caller has detached or shortened the array since.
 */
export function copyInto(fn: string, target: AnyTypedArray, source: NumberSource): void {
  const kind = typedArrayKind(source);
  const length = kind === undefined ? source.length : typedArrayLength(source);
  if (length === 0 && target.length === 0) return; // a detached array cannot even be copied from
  if (length === target.length) return target.set(source);
  if (kind === undefined || length < target.length)
    fail('value', fn, `an array of ${target.length} numbers was detached or shortened during the call, and has ${length} now`);
  const [from] = typedArrayBytes(source);
  target.set(new (constructorOf(kind))(typedArrayBuffer(source) as ArrayBuffer, from, target.length));
}

/** The numbers, copied where they lie in this memory: growth would detach them, and writing change them. */
export function ownNumbers(heap: Heap, fn: string, data: NumberSource): NumberSource {
  return typedArrayKind(data) !== undefined && heap.owns(typedArrayBuffer(data)) ? copyOf(fn, data) : data;
}
