/** `loadEncoder`: from the files of a folder to an encoder. */
import type { Fovea } from '../../fovea/fovea.ts';
import { instanceOf } from '../../runtime/instances.ts';
import { ModelConfig } from '../config.ts';
import { encoderSpec } from '../families/families.ts';
import { partRows } from '../../nn/layer_room.ts';
import type { Folder } from '../folder/folder.ts';
import { findWeights } from '../folder/weight_files.ts';
import { bytesOfWeights, loadWeightFiles } from '../load_weights.ts';
import { readModelConfig } from '../read_config.ts';
import type { ReadLoadOptions } from '../load_options.ts';
import { loadTokenizer, tokenizerFiles } from '../text/load_tokenizer.ts';
import { DenseLayer, type DenseSpec } from './dense.ts';
import { LocalEncoder } from './encoder.ts';
import { EncoderModel } from './encoder_model.ts';
import { readSentenceSettings } from './sentence_transformers.ts';

export async function loadEncoderFrom(
  fn: string,
  fovea: Fovea,
  folder: Folder,
  options: ReadLoadOptions,
): Promise<LocalEncoder> {
  const { form, signal } = options;
  const { dtype } = form;
  folder.readAhead([
    ...['config.json', 'modules.json', 'sentence_bert_config.json', 'config_sentence_transformers.json'],
    ...[...tokenizerFiles(options.tokenizer), 'model.safetensors.index.json'],
  ]);
  const config = await readModelConfig(fn, folder, options.config);
  const spec = encoderSpec(config, instanceOf(fn, fovea));
  const settings = await readSentenceSettings(fn, folder);
  const { tokenizer, config: ofTokenizer } = await loadTokenizer(fn, folder, options.tokenizer);
  const weights = await findWeights(fn, folder);
  const denseFile = ({ path }: DenseSpec): string => `${path}/model.safetensors`;
  await folder.checkOthers([...weights.files, ...settings.dense.map(denseFile)]);
  const model = new EncoderModel(fovea, spec);
  const dense = settings.dense.map((one) => new DenseLayer(fovea, one));
  const shared = { fn, folder, form, signal, onProgress: options.onProgress };
  try {
    const rows = (name: string): readonly number[] => partRows(model.config, name);
    await loadWeightFiles(model, { ...shared, ...weights, rename: spec.rename, partRows: rows, convert: spec.convert });
    for (const layer of dense)
      await loadWeightFiles(layer, { ...shared, files: [denseFile(layer.spec)], tensors: null, rename: [] });
  } catch (error) {
    for (const module of [model, ...dense]) module.dispose();
    throw error;
  }
  const own = new ModelConfig(fn, ofTokenizer, 'tokenizer_config.json').value('model_max_length');
  const limits = [settings.maxTokens, own, spec.maxTokens].filter(
    // Tokenizers without a limit say 10^30.
    (limit): limit is number => typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0,
  );
  const modules = [model, ...dense];
  const info = {
    ...{ architecture: spec.architecture, dtype, parameters: modules.reduce((sum, { parameters }) => sum + parameters, 0) },
    bytes: modules.reduce((sum, module) => sum + bytesOfWeights(module.named(), dtype), 0),
    ...{ layers: spec.layers.length, heads: model.config.heads },
    ...{
      maxTokens: Math.min(...limits),
      width: dense.at(-1)?.spec.outFeatures ?? model.config.dModel,
      labels: spec.head?.labels ?? [],
    },
    ...{ pooling: settings.pooling, poolingFrom: settings.poolingFrom, prompts: settings.prompts },
  };
  return new LocalEncoder({ model, dense, tokenizer, normalize: settings.normalize }, info);
}
