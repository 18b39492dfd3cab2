/** `fovea/files` for Node: a text is a path or a URL. */
import { readNpyWith } from './read_npy.ts';
import { openNamed } from './open_path.node.ts';
import { readSafetensorsWith } from './read_safetensors.ts';
import type { FileSource, FileTensor, NpyOptions, ReadAs, SafetensorsFile, SafetensorsOptions } from './types.ts';

export { AttentionError } from '../errors/errors.ts';
export { writeNpy } from './write_npy.ts';
export { writeSafetensors } from './write_safetensors.ts';

/** Documented in index.ts. */
export function readSafetensors<As extends ReadAs = 'float32'>(
  source: FileSource,
  options?: SafetensorsOptions<As>,
): Promise<SafetensorsFile<As>> {
  return readSafetensorsWith(openNamed, source, options);
}

/** Documented in index.ts. */
export function readNpy<As extends ReadAs = 'float32'>(source: FileSource, options?: NpyOptions<As>): Promise<FileTensor<As>> {
  return readNpyWith(openNamed, source, options);
}
