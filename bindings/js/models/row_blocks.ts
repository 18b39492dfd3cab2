/** The numbers of a tensor in a file, as float32: whole, or some rows at a time. */
import type { BinaryFile } from '../files/binary_file.ts';
import { decode } from '../files/decode.ts';
import type { TensorEntry } from '../files/safetensors_header.ts';
import { PANEL } from '../ops/weight_panels.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { typedArrayKind } from '../tensor/typed_arrays.ts';

/** Bytes that are read at a time, unless a panel of rows has more: no matrix is in memory twice. */
const BLOCK = 1 << 22;

/** All numbers of a tensor. */
export function readNumbers(file: BinaryFile, entry: TensorEntry): Promise<Float32Array> {
  return readRange(file, entry, entry.begin, entry.end);
}

/** A matrix by blocks of whole panels of rows, each with its first row. */
export async function* rowBlocks(file: BinaryFile, entry: TensorEntry): AsyncGenerator<{ first: number; rows: NDArray }> {
  const [count, width] = entry.shape as [number, number];
  const bytes = (entry.end - entry.begin) / count;
  const step = PANEL * Math.max(1, Math.floor(BLOCK / PANEL / bytes));
  for (let first = 0; first < count; first += step) {
    const last = Math.min(count, first + step);
    const data = await readRange(file, entry, entry.begin + first * bytes, entry.begin + last * bytes);
    yield { first, rows: { data, shape: [last - first, width] } };
  }
}

async function readRange(file: BinaryFile, { name, dtype }: TensorEntry, from: number, to: number): Promise<Float32Array> {
  const numbers = decode(file, `tensor ${name}`, await file.read(from, to), dtype, 'float32');
  return typedArrayKind(numbers) === 'Float32Array' ? (numbers as Float32Array) : Float32Array.from(numbers as Float64Array);
}
