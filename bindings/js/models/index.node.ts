/** `fovea/models` for Node: a text is a path or a URL. */
import type { Fovea } from '../fovea/fovea.ts';
import type { RemoteFovea } from '../worker/remote_fovea.ts';
import { openInPath } from './folder/open_path.node.ts';
import { openNamed } from '../files/open_path.node.ts';
import { loadDecoderFrom } from './decoder/load_decoder.ts';
import { loadEncoderFrom } from './encoder/load_encoder.ts';
import { openFolder } from './folder/folder.ts';
import { readLoadOptions } from './load_options.ts';
import type { Decoder, DecoderInfo, Encoder, LoadModelOptions, ModelFolder, ModelInfo } from './types/index.ts';
import { isConnection, loadRemote, RemoteDecoder, RemoteEncoder } from './worker/remote_models.ts';
import { servedModels, type ModelFunctions } from './worker/served_models.ts';

export { AttentionError } from '../errors/errors.ts';
export * from './names.ts';

/** Documented in index.ts. */
export async function loadEncoder(
  fovea: Fovea | RemoteFovea,
  folder: ModelFolder,
  options?: LoadModelOptions,
): Promise<Encoder> {
  const fn = 'loadEncoder';
  const known = readLoadOptions(fn, options);
  if (!isConnection(fovea))
    return loadEncoderFrom(fn, fovea, openFolder({ fn, ...known }, openNamed, openInPath, folder), known);
  const { ask, model, info } = await loadRemote<ModelInfo>(fn, 'encoder', fovea, folder, known);
  return new RemoteEncoder(ask, model, info);
}

/** Documented in index.ts. */
export async function loadDecoder(
  fovea: Fovea | RemoteFovea,
  folder: ModelFolder,
  options?: LoadModelOptions,
): Promise<Decoder> {
  const fn = 'loadDecoder';
  const known = readLoadOptions(fn, options);
  if (!isConnection(fovea))
    return loadDecoderFrom(fn, fovea, openFolder({ fn, ...known }, openNamed, openInPath, folder), known);
  const { ask, model, info } = await loadRemote<DecoderInfo>(fn, 'decoder', fovea, folder, known);
  return new RemoteDecoder(ask, model, info);
}

/** Documented in index.ts. */
export const modelFunctions: ModelFunctions = servedModels({ encoder: loadEncoder, decoder: loadDecoder });
