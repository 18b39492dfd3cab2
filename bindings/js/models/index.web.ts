/** `fovea/models` for the web: a text is a URL. */
import type { Fovea } from '../fovea/fovea.ts';
import { openUrl as openNamed } from '../files/open_url.ts';
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
  return loadEncoderFrom(fn, fovea, openFolder({ fn, ...known }, openNamed, null, folder), known);
}

/** Documented in index.ts. */
export async function loadDecoder(fovea: Fovea, folder: ModelFolder, options?: LoadModelOptions): Promise<Decoder> {
  const fn = 'loadDecoder';
  const known = readLoadOptions(fn, options);
  return loadDecoderFrom(fn, fovea, openFolder({ fn, ...known }, openNamed, null, folder), known);
}
