/** `fovea/models` for Node: a text is a path or a URL. */
import type { Fovea } from '../fovea/fovea.ts';
import { openInPath } from './folder/open_path.node.ts';
import { openNamed } from '../files/open_path.node.ts';
import { loadDecoderFrom } from './decoder/load_decoder.ts';
import type { Decoder } from './decoder/decoder.ts';
import { loadEncoderFrom } from './encoder/load_encoder.ts';
import type { Encoder } from './encoder/encoder.ts';
import { openFolder } from './folder/folder.ts';
import { readLoadOptions } from './load_options.ts';
import type { LoadModelOptions, ModelFolder } from './types.ts';

export { AttentionError } from '../errors/errors.ts';
export * from './names.ts';

/** Documented in index.ts. */
export async function loadEncoder(fovea: Fovea, folder: ModelFolder, options?: LoadModelOptions): Promise<Encoder> {
  const fn = 'loadEncoder';
  const known = readLoadOptions(fn, options);
  return loadEncoderFrom(fn, fovea, openFolder({ fn, ...known }, openNamed, openInPath, folder), known);
}

/** Documented in index.ts. */
export async function loadDecoder(fovea: Fovea, folder: ModelFolder, options?: LoadModelOptions): Promise<Decoder> {
  const fn = 'loadDecoder';
  const known = readLoadOptions(fn, options);
  return loadDecoderFrom(fn, fovea, openFolder({ fn, ...known }, openNamed, openInPath, folder), known);
}
