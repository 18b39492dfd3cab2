/** `loadDecoder`: from the files of a folder to a language model. */
import type { Fovea } from '../../fovea/fovea.ts';
import { isList } from '../../errors/options.ts';
import { CausalDecoder } from '../../nn/causal_decoder.ts';
import { partRows } from '../../nn/layer_room.ts';
import { ModelConfig } from '../config.ts';
import { decoderSpec } from '../families/families.ts';
import { readJson, readText, type Folder } from '../folder/folder.ts';
import { findWeights } from '../folder/weight_files.ts';
import type { ReadLoadOptions } from '../load_options.ts';
import { bytesOfWeights, loadWeightFiles } from '../load_weights.ts';
import { readModelConfig } from '../read_config.ts';
import { chatTemplateOf } from '../text/chat_template.ts';
import { loadTokenizer, tokenizerFiles } from '../text/load_tokenizer.ts';
import { LocalDecoder } from './decoder.ts';

export async function loadDecoderFrom(
  fn: string,
  fovea: Fovea,
  folder: Folder,
  options: ReadLoadOptions,
): Promise<LocalDecoder> {
  const { form, signal, onProgress } = options;
  const { dtype } = form;
  const ofChat = options.tokenizer === null ? [] : ['chat_template.jinja'];
  folder.readAhead([
    ...['config.json', 'generation_config.json', 'model.safetensors.index.json'],
    ...[...tokenizerFiles(options.tokenizer), ...ofChat],
  ]);
  const config = await readModelConfig(fn, folder, options.config);
  const spec = decoderSpec(config);
  const { tokenizer, config: ofTokenizer } = await loadTokenizer(fn, folder, options.tokenizer);
  const template = tokenizer === null ? null : chatTemplateOf(ofTokenizer, await readText(fn, folder, 'chat_template.jinja'));
  const generation = (await readJson(fn, folder, 'generation_config.json')) ?? {};
  const weights = await findWeights(fn, folder);
  await folder.checkOthers(weights.files);
  const model = new CausalDecoder(fovea, spec.options);
  const { rename, convert } = spec;
  const rows = (name: string): readonly number[] => partRows(model.layers[0]!.config, name);
  await loadWeightFiles(model, { ...weights, fn, folder, form, signal, rename, partRows: rows, convert, onProgress });
  const ends =
    new ModelConfig(fn, generation as Record<string, unknown>, 'generation_config.json').value('eos_token_id') ??
    config.value('eos_token_id') ??
    [];
  const info = {
    ...{ architecture: spec.architecture, parameters: model.parameters, bytes: bytesOfWeights(model.named(), dtype), dtype },
    ...{ layers: model.layers.length, heads: spec.options.nHead, maxTokens: spec.maxTokens, width: spec.options.dModel },
    endTokens: (isList(ends) ? [...ends] : [ends]).filter((id): id is number => typeof id === 'number'),
  };
  return new LocalDecoder({ model, tokenizer, template, info, vocabSize: spec.options.vocabSize });
}
