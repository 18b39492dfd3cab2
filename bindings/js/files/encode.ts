/** From an array that a caller gives to the bytes of a file. */
import { readPlain } from '../tensor/arrays.ts';
import { describe, fail } from '../errors/errors.ts';
import { checkChoice, isObject } from '../errors/options.ts';
import { readProperty } from '../errors/objects.ts';
import { decodeHalves } from '../tensor/float16.ts';
import { isFloat, isHalf, isNumberDtype, naturalDtype, reorder, storedArray } from './dtypes.ts';
import { encodeHalves } from './halves.ts';
import type { FloatDtype, NumberDtype } from './types.ts';

export interface Encoded {
  readonly dtype: NumberDtype;
  readonly shape: number[];
  /** In the order of this machine; maybe the caller's own. */
  readonly bytes: Uint8Array;
}

interface Given {
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
  readonly shape: number[];
  readonly kind: string;
}

export function checkFloatDtype(fn: string, dtype: FloatDtype | undefined): void {
  checkChoice(fn, 'dtype', dtype, ['F64', 'F32', 'F16', 'BF16']);
}

/** `floats` is what all floats become. */
export function encode(fn: string, what: string, value: unknown, floats: FloatDtype | undefined): Encoded {
  const named = isObject(value) ? readProperty(value, 'dtype') : undefined;
  const own = typeof named === 'string' ? named.replace(/^(b?)(float|int|uint)(?=\d)/, shortName) : named;
  if (own !== undefined && !isNumberDtype(own))
    fail('value', fn, `${what} must have a dtype that can be written, got ${describe(named)}`);
  const { data, shape, kind }: Given = readPlain(fn, what, value, 'stored');
  const base = own ?? naturalDtype(kind);
  const dtype = floats !== undefined && isFloat(base) ? floats : base;
  const areBits = kind === 'Uint16Array' && isHalf(base);
  if (areBits ? dtype === base : kind === 'Float16Array' && dtype === 'F16') return { dtype, shape, bytes: bytesIn(data) };
  const numbers = areBits ? decodeHalves(Uint16Array.from(data as ArrayLike<number>), base) : data;
  return { dtype, shape, bytes: bytesIn(convert(fn, what, numbers, dtype)) };
}

/** The names of `fovea` and of ndarray, as float32, by those of safetensors. */
function shortName(_: string, brain: string, type: string): string {
  return `${brain}${type[0]}`.toUpperCase();
}

/** The numbers in the array of `dtype`: floats rounded, all else exactly. */
function convert(fn: string, what: string, numbers: Given['data'], dtype: NumberDtype): ArrayLike<number> | ArrayLike<bigint> {
  const Stored = storedArray(dtype);
  if (numbers instanceof Stored && !isHalf(dtype)) return numbers;
  if (!isFloat(dtype)) return convertExactly(fn, what, numbers, dtype);
  if (typeof numbers[0] === 'bigint') fail('value', fn, `${what} has BigInts, which ${dtype} does not hold; use Number()`);
  const floats = numbers as ArrayLike<number>;
  return isHalf(dtype) ? encodeHalves(floats, dtype) : (Stored as Float64ArrayConstructor).from(floats);
}

function convertExactly(fn: string, what: string, numbers: ArrayLike<number | bigint>, dtype: NumberDtype): ArrayLike<number> {
  const stored = new (storedArray(dtype))(numbers.length) as unknown as { [index: number]: number | bigint };
  const toStored = dtype === 'I64' || dtype === 'U64' ? BigInt : Number;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (typeof number === 'bigint' || Number.isSafeInteger(number)) stored[i] = toStored(number);
    // By value, whether it is a number or a BigInt. A new entry is 0, which no number is that was not taken.
    if (stored[i] != number) fail('value', fn, `${what} has ${describe(number)} at ${i}, which ${dtype} does not hold`);
  }
  return stored as unknown as ArrayLike<number>;
}

function bytesIn(data: unknown): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Puts the bytes where they belong in the file, and returns where they end. */
export function place(file: Uint8Array, at: number, { dtype, bytes }: Encoded): number {
  const end = at + bytes.length;
  file.set(bytes, at);
  reorder(file.subarray(at, end), storedArray(dtype).BYTES_PER_ELEMENT, true);
  return end;
}
