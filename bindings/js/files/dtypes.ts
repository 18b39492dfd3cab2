/** The types of numbers in files: how large they are, and which arrays hold them. */
import type { Dtype, NumberDtype, OpaqueDtype } from './types.ts';

/** Where two types have one array, the first is what such an array is by itself. */
const arrays = {
  F64: Float64Array,
  F32: Float32Array,
  I64: BigInt64Array,
  U64: BigUint64Array,
  I32: Int32Array,
  U32: Uint32Array,
  I16: Int16Array,
  U16: Uint16Array,
  F16: Uint16Array,
  BF16: Uint16Array,
  I8: Int8Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
} as const satisfies Record<NumberDtype, unknown>;

const opaqueBits: Readonly<Record<OpaqueDtype, number>> = {
  C64: 64,
  F8_E4M3: 8,
  F8_E5M2: 8,
  F8_E8M0: 8,
  F8_E4M3FNUZ: 8,
  F8_E5M2FNUZ: 8,
  F6_E2M3: 6,
  F6_E3M2: 6,
  F4: 4,
};

export const numberDtypes = Object.keys(arrays) as NumberDtype[];

/** The array type whose entries have the bits of the file; bytes for what is opaque. */
export type StoredConstructor = (typeof arrays)[NumberDtype];

// Names come out of files: `constructor` must not be one.
export function isNumberDtype(name: unknown): name is NumberDtype {
  return typeof name === 'string' && Object.hasOwn(arrays, name);
}

export function isDtype(name: string): name is Dtype {
  return isNumberDtype(name) || Object.hasOwn(opaqueBits, name);
}

export function isFloat(dtype: Dtype): boolean {
  return dtype === 'F64' || dtype === 'F32' || isHalf(dtype);
}

export function isHalf(dtype: Dtype): dtype is 'F16' | 'BF16' {
  return dtype === 'F16' || dtype === 'BF16';
}

export function storedArray(dtype: Dtype): StoredConstructor {
  return isNumberDtype(dtype) ? arrays[dtype] : Uint8Array;
}

/** The default type of an array: `kind` is the name of a typed array's type, or 'numbers' or 'booleans'. */
export function naturalDtype(kind: string): NumberDtype {
  if (kind === 'numbers') return 'F32';
  if (kind === 'booleans') return 'BOOL';
  if (kind === 'Float16Array') return 'F16';
  return numberDtypes.find((dtype) => arrays[dtype].name === kind) ?? 'U8';
}

/** The bytes that an array takes. NaN where no file can hold it: more bits than a safe integer tells, or a part of a byte. */
export function bytesOf(dtype: Dtype, shape: readonly number[]): number {
  let bits = isNumberDtype(dtype) ? 8 * arrays[dtype].BYTES_PER_ELEMENT : opaqueBits[dtype];
  for (const length of shape) {
    bits *= length;
    if (!Number.isSafeInteger(bits)) return NaN;
  }
  return bits % 8 === 0 ? bits / 8 : NaN;
}

/** Exchanges the bytes of every number between the order of a file and that of this machine, where they differ. */
export function reorder(bytes: Uint8Array, width: number, littleEndian: boolean): void {
  const machineIsLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  if (width === 1 || machineIsLittle === littleEndian) return;
  for (let from = 0; from < bytes.length; from += width) bytes.subarray(from, from + width).reverse();
}
