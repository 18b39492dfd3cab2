/** `loadEncoder`, `loadDecoder` and `modelFunctions`, but for how a platform opens files. Documented in index.ts. */
import type { Fovea } from '../fovea/fovea.ts';
import type { OpenNamed } from '../files/source.ts';
import type { RemoteFovea } from '../worker/remote_fovea.ts';
import { loadDecoderFrom } from './decoder/load_decoder.ts';
import { loadEncoderFrom } from './encoder/load_encoder.ts';
import { openFolder, type Folder, type OpenInPath } from './folder/folder.ts';
import { readLoadOptions, type ReadLoadOptions } from './load_options.ts';
import type { Decoder, DecoderInfo, Encoder, LoadModelOptions, ModelFolder, ModelInfo } from './types/index.ts';
import { isConnection, loadRemote, RemoteDecoder, RemoteEncoder } from './worker/remote_models.ts';
import { servedModels, type ModelFunctions } from './worker/served_models.ts';

type LoadModel<Model> = (fovea: Fovea | RemoteFovea, folder: ModelFolder, options?: LoadModelOptions) => Promise<Model>;

interface Loaders {
  readonly loadEncoder: LoadModel<Encoder>;
  readonly loadDecoder: LoadModel<Decoder>;
  readonly modelFunctions: ModelFunctions;
}

/** @param openInPath - opens a file of a folder on the disk; null where there is none */
export function loadersWith(openNamed: OpenNamed, openInPath: OpenInPath | null): Loaders {
  const folderOf = (fn: string, folder: ModelFolder, options: ReadLoadOptions): Folder =>
    openFolder({ fn, ...options }, openNamed, openInPath, folder);

  const loadEncoder: LoadModel<Encoder> = async (fovea, folder, options) => {
    const fn = 'loadEncoder';
    const known = readLoadOptions(fn, options);
    if (!isConnection(fovea)) return loadEncoderFrom(fn, fovea, folderOf(fn, folder, known), known);
    const { ask, model, info } = await loadRemote<ModelInfo>(fn, 'encoder', fovea, folder, known);
    return new RemoteEncoder(ask, model, info);
  };

  const loadDecoder: LoadModel<Decoder> = async (fovea, folder, options) => {
    const fn = 'loadDecoder';
    const known = readLoadOptions(fn, options);
    if (!isConnection(fovea)) return loadDecoderFrom(fn, fovea, folderOf(fn, folder, known), known);
    const { ask, model, info } = await loadRemote<DecoderInfo>(fn, 'decoder', fovea, folder, known);
    return new RemoteDecoder(ask, model, info);
  };

  return { loadEncoder, loadDecoder, modelFunctions: servedModels({ encoder: loadEncoder, decoder: loadDecoder }) };
}
