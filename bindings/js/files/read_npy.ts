/** Reading npy, the format of `numpy.save`. */
import { checkChoice, readOptions } from '../errors/options.ts';
import { forEachRow } from '../tensor/shapes.ts';
import { withFile } from './binary_file.ts';
import { decode } from './decode.ts';
import { readNpyHeader } from './npy_header.ts';
import { withRoom, type OpenNamed } from './source.ts';
import type { FileTensor, NpyOptions, ReadAs, StoredArray } from './types.ts';

export async function readNpyWith<As extends ReadAs>(
  openNamed: OpenNamed,
  source: unknown,
  options: NpyOptions<As> | undefined,
): Promise<FileTensor<As>> {
  const fn = 'readNpy';
  const known = readOptions(fn, options, ['as']);
  const { as = 'float32' as As } = known;
  checkChoice(fn, 'as', as, ['float32', 'stored'] as As[]);
  return withFile(fn, openNamed, source, async (file) => {
    const { dtype, shape, littleEndian, fortran, start } = await readNpyHeader(file);
    const data = decode(file, 'the array', await file.read(start, file.size), dtype, as, littleEndian);
    return { data: fortran ? withRoom(fn, 'the array', () => toRowMajor(data, shape)) : data, shape, dtype };
  });
}

/** The array in row-major order, from one in column-major order. */
function toRowMajor<Data extends StoredArray>(data: Data, shape: readonly number[]): Data {
  if (shape.length < 2 || data.length === 0) return data;
  let size = 1;
  const strides = shape.map((length) => {
    const stride = size;
    size *= length;
    return stride;
  });
  const result = new (data.constructor as new (length: number) => Data)(data.length);
  const [width, step] = [shape.at(-1)!, strides.at(-1)!];
  let at = 0;
  forEachRow(shape, strides, (from) => {
    for (let i = 0; i < width; i++) result[at++] = data[from + i * step]!;
  });
  return result;
}
