/** Writing npy, the format of `numpy.load`. */
import { fail } from '../errors/errors.ts';
import { readOptions } from '../errors/options.ts';
import { storedArray } from './dtypes.ts';
import { checkFloatDtype, encode, place } from './encode.ts';
import { npyName } from './npy_header.ts';
import { withRoom, type Bytes } from './source.ts';
import type { FileBytes, TensorToWrite, WriteOptions } from './types.ts';

/**
 * An npy file of version 1.0, little-endian and row-major.
 *
 * @param array as `TensorToWrite` tells.
 * @param options `dtype`: what floats are written as, rounded to nearest, ties to even.
 * @throws AttentionError `shape` for data that does not fill its shape; `value` for what is no array, for numbers that its
 *   `dtype` cannot hold, and for types that NumPy lacks, BF16 among them; `option`; `memory`.
 *
 * Source: NumPy, numpy/lib/format.py.
 * @example
 * import { readNpy, writeNpy } from 'fovea/files';
 * import { softmax } from 'fovea/ops';
 * const { data, shape } = await readNpy(writeNpy([[1, 2], [3, 4]]));
 * softmax(fovea, { data, shape }).shape; // [2, 2]
 */
export function writeNpy(array: TensorToWrite, options?: WriteOptions): FileBytes {
  const fn = 'writeNpy';
  return withRoom(fn, 'the file', () => write(fn, array, options));
}

function write(fn: string, array: TensorToWrite, options: WriteOptions | undefined): Bytes {
  const known = readOptions(fn, options, ['dtype']);
  checkFloatDtype(fn, known.dtype);
  const encoded = encode(fn, 'array', array, known.dtype);
  const { dtype, shape, bytes } = encoded;
  const type = npyName(dtype);
  if (type === undefined) fail('value', fn, `array must have a type that NumPy has, got ${dtype}; pass the option dtype`);
  const order = storedArray(dtype).BYTES_PER_ELEMENT === 1 ? '|' : '<';
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const dict = `{'descr': '${order}${type}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // Data begin at a multiple of 64, so that they can be mapped into memory.
  const start = Math.ceil((10 + dict.length + 1) / 64) * 64;
  const head = `\x93NUMPY\x01\0${String.fromCharCode((start - 10) & 255, (start - 10) >> 8)}${dict.padEnd(start - 11)}\n`;
  const file = new Uint8Array(start + bytes.length);
  for (let i = 0; i < start; i++) file[i] = head.charCodeAt(i);
  place(file, start, encoded);
  return file;
}
