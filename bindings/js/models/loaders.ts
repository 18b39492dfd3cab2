/** `loadEncoder`, `loadDecoder` and `modelFunctions`, but for how a platform opens files. Documented in index.ts. */
import type { Fovea } from '../fovea/fovea.ts';
import type { OpenNamed } from '../files/source.ts';
import type { RemoteFovea } from '../worker/remote_fovea.ts';
import { loadDecoderFrom } from './decoder/load_decoder.ts';
import { loadEncoderFrom } from './encoder/load_encoder.ts';
import type { Folder } from './folder/folder.ts';
import { checkedFolder, readIntegrity } from './folder/integrity.ts';
import { openFolder, type OpenInPath } from './folder/open_folder.ts';
import { readLoadOptions, withOwnSignal, type ReadLoadOptions } from './load_options.ts';
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
  /** The result of `load` with the folder, and with a signal of its own. */
  const loadFrom = <Model>(
    fn: string,
    given: ModelFolder,
    known: ReadLoadOptions,
    load: (folder: Folder, options: ReadLoadOptions) => Promise<Model>,
  ): Promise<Model> =>
    withOwnSignal(known.signal, async (signal) => {
      const options = { ...known, signal };
      const folder = openFolder({ fn, ...options }, openNamed, openInPath, given);
      return load(checkedFolder(fn, folder, readIntegrity(fn, options.integrity)), options);
    });

  const loadEncoder: LoadModel<Encoder> = async (fovea, folder, options) => {
    const fn = 'loadEncoder';
    const known = readLoadOptions(fn, options);
    if (!isConnection(fovea)) return loadFrom(fn, folder, known, (opened, own) => loadEncoderFrom(fn, fovea, opened, own));
    const { ask, model, info } = await loadRemote<ModelInfo>(fn, 'encoder', fovea, folder, known);
    return new RemoteEncoder(ask, model, info);
  };

  const loadDecoder: LoadModel<Decoder> = async (fovea, folder, options) => {
    const fn = 'loadDecoder';
    const known = readLoadOptions(fn, options);
    if (!isConnection(fovea)) return loadFrom(fn, folder, known, (opened, own) => loadDecoderFrom(fn, fovea, opened, own));
    const { ask, model, info } = await loadRemote<DecoderInfo>(fn, 'decoder', fovea, folder, known);
    return new RemoteDecoder(ask, model, info);
  };

  return { loadEncoder, loadDecoder, modelFunctions: servedModels({ encoder: loadEncoder, decoder: loadDecoder }) };
}
