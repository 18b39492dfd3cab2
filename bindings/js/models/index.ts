/** The public surface of `fovea/models`: what both entries export, and the types. */
import type { Fovea } from '../fovea/fovea.ts';
import type { RemoteFovea } from '../worker/remote_fovea.ts';
import type { ModelFunctions } from './worker/served_models.ts';
import type { Decoder, Encoder, LoadModelOptions, ModelFolder } from './types/index.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export * from './names.ts';
export type * from './types/index.ts';
export type { ModelFunctions } from './worker/served_models.ts';

/**
 * An encoder of texts from a folder as Hugging Face's models have it: config.json, model.safetensors or the parts that an index names,
 * tokenizer.json, and what sentence-transformers keeps beside them. Families: bert (Jina's with ALiBi, too), roberta, xlm-roberta, camembert,
 * mpnet, distilbert, modernbert, nomic_bert.
 *
 * Nothing but the files of the folder is asked for, and no code of it runs.
 *
 * @param fovea an instance; or a connection of fovea/worker whose worker serves `modelFunctions`: then all work is done there, and functions
 *   but onProgress cannot be sent.
 * @param folder a URL; in Node a path, too; Files; or a Map of sources by name.
 * @throws AttentionError `load` for a file that is missing, cannot be had, is a page in HTML or has another digest, named; `value` for a family or a key of config.json that is not
 *   known, and for weights that are missing; `shape` for weights of other shapes, all listed; `memory`, before the weights are downloaded;
 *   `option`. An abort rejects with the signal's reason. Nothing is held in memory then.
 * @example
 * import { loadEncoder } from 'fovea/models';
 * const encoder = await loadEncoder(fovea, folder);
 * const { data, shape } = await encoder.embed(['cats and dogs', 'stock prices']); // [2, width], of unit length
 * encoder.dispose();
 */
export declare function loadEncoder(
  fovea: Fovea | RemoteFovea,
  folder: ModelFolder,
  options?: LoadModelOptions,
): Promise<Encoder>;

/**
 * A language model from a folder as Hugging Face's models have it: as `loadEncoder`, and generation_config.json and a chat template where there
 * are such. Families: gpt2, llama, mistral, qwen2, qwen3, gemma, gemma2, gemma3_text.
 *
 * @throws AttentionError as `loadEncoder`.
 * @example
 * import { loadDecoder } from 'fovea/models';
 * const decoder = await loadDecoder(fovea, folder);
 * const text = await decoder.generate('Once upon a time', { maxTokens: 8 }).text();
 * decoder.dispose();
 */
export declare function loadDecoder(
  fovea: Fovea | RemoteFovea,
  folder: ModelFolder,
  options?: LoadModelOptions,
): Promise<Decoder>;

/**
 * The functions that a worker's module gives to `serve` of fovea/serve, so that `loadEncoder` and `loadDecoder` take its connection: the models live in the
 * worker, and a page stays responsive.
 *
 * @example
 * // model.worker.js; the page: connect({ worker: new Worker(new URL('./model.worker.js', import.meta.url), { type: 'module' }) })
 * import { modelFunctions } from 'fovea/models';
 * import { serve } from 'fovea/serve';
 * serve({ functions: modelFunctions });
 */
export declare const modelFunctions: ModelFunctions;
