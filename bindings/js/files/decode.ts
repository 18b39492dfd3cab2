/** From the bytes of a file to the array that is handed out. */
import type { BinaryFile } from './binary_file.ts';
import { isHalf, reorder, storedArray } from './dtypes.ts';
import { decodeHalves } from '../tensor/float16.ts';
import { withRoom, type Bytes } from './source.ts';
import type { Dtype, FileTensor, HalfArray, ReadAs, StoredArray } from './types.ts';

/** `bytes` fill a buffer of their own, which the result takes over. `what` is the array as messages call it. */
export function decode<As extends ReadAs>(
  file: BinaryFile,
  what: string,
  bytes: Bytes,
  dtype: Dtype,
  as: As,
  littleEndian = true,
): FileTensor<As>['data'] {
  const convert = (): StoredArray => {
    const Stored = storedArray(dtype);
    reorder(bytes, Stored.BYTES_PER_ELEMENT, littleEndian);
    const data = new Stored(bytes.buffer);
    if (as === 'stored') return dtype === 'F16' ? asFloat16(data as Uint16Array) : data;
    if (isHalf(dtype)) return decodeHalves(data as Uint16Array, dtype);
    return dtype === 'I64' || dtype === 'U64' ? asSafe(file, what, data as BigInt64Array) : data;
  };
  return withRoom(file.fn, what, convert) as FileTensor<As>['data'];
}

function asFloat16(bits: Uint16Array): HalfArray {
  const { Float16Array } = globalThis as { Float16Array?: new (buffer: ArrayBufferLike) => HalfArray };
  return Float16Array === undefined ? bits : new Float16Array(bits.buffer);
}

function asSafe(file: BinaryFile, what: string, data: BigInt64Array): Float64Array {
  return Float64Array.from(data as Iterable<bigint>, (value) => {
    const number = Number(value);
    if (Math.abs(number) > Number.MAX_SAFE_INTEGER)
      file.bad(`${what} has ${value}, which is not within ±(2^53 - 1); pass as: 'stored' for a BigInt array`);
    return number;
  });
}
