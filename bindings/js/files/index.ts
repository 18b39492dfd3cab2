/** The public surface of `fovea/files`: what both entries export, and the types. */
import type { FileSource, FileTensor, NpyOptions, ReadAs, SafetensorsFile, SafetensorsOptions } from './types.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export { writeNpy } from './write_npy.ts';
export { writeSafetensors } from './write_safetensors.ts';
export type * from './types.ts';

/**
 * The tensors of a safetensors file, or those that are wanted. The whole header is checked before any tensor is read: a file
 * that is damaged, or made to do harm, is an error.
 *
 * @param source a File, a Blob, bytes, a URL; in Node a path, too. See `FileSource` for what is read of it.
 * @param options `names` or `filter`: which tensors; `as`: 'float32' or 'stored', see `ReadAs`.
 * @returns `tensors` and `metadata`, both Maps. The arrays are row-major and the caller's own.
 * @throws AttentionError `load` where the file cannot be had, and for an HTML page in its place; `value` for a file that is not
 *   as the format says, for names that it lacks and for numbers that 'float32' cannot hold; `option`; `memory`.
 *
 * Accuracy: exact. Source: https://huggingface.co/docs/safetensors.
 * @example
 * import { readSafetensors, writeSafetensors } from 'fovea/files';
 * const file = new Blob([writeSafetensors({ 'q.weight': [[1, 2], [3, 4]], 'q.bias': [5, 6] })]);
 * const { tensors } = await readSafetensors(file, { filter: (name) => name.endsWith('.bias') });
 * fovea.tensor(tensors.get('q.bias')).shape; // [2]
 */
export declare function readSafetensors<As extends ReadAs = 'float32'>(
  source: FileSource,
  options?: SafetensorsOptions<As>,
): Promise<SafetensorsFile<As>>;

/**
 * The array of an npy file: versions 1.0 to 3.0, both orders of bytes, row-major or, as NumPy says, in Fortran's order, which is
 * turned into row-major. Structured arrays, complex numbers, texts, objects and archives (npz) are not read.
 *
 * @param source as for `readSafetensors`.
 * @param options `as`: 'float32' or 'stored', see `ReadAs`.
 * @throws AttentionError as `readSafetensors`.
 *
 * Accuracy: exact. Source: NumPy, numpy/lib/format.py.
 * @example
 * import { readNpy, writeNpy } from 'fovea/files';
 * const { dtype } = await readNpy(writeNpy([1, 0.5], { dtype: 'F16' }));
 * console.assert(dtype === 'F16');
 */
export declare function readNpy<As extends ReadAs = 'float32'>(
  source: FileSource,
  options?: NpyOptions<As>,
): Promise<FileTensor<As>>;
