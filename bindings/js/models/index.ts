/** The public surface of `fovea/models`: what both entries export, and the types. */
import type { Fovea } from '../fovea/fovea.ts';
import type { Decoder } from './decoder/decoder.ts';
import type { Encoder } from './encoder/encoder.ts';
import type { LoadModelOptions, ModelFolder } from './types.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export type { Context, Decoder } from './decoder/decoder.ts';
export type { Generation } from './decoder/generation.ts';
export type { Encoder } from './encoder/encoder.ts';
export * from './names.ts';
export type * from './types.ts';

/**
 * An encoder of texts from a folder as Hugging Face's models have it: config.json, model.safetensors or the parts that an index names,
 * tokenizer.json, and what sentence-transformers keeps beside them. Families: bert (Jina's with ALiBi, too), roberta, xlm-roberta, camembert,
 * mpnet, distilbert, modernbert, nomic_bert.
 *
 * Nothing but the files of the folder is asked for, and no code of it runs.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param folder a URL; in Node a path, too; Files; or a Map of sources by name.
 * @throws AttentionError `load` for a file that is missing or cannot be had, named; `value` for a family or a key of config.json that is not
 *   known, and for weights that are missing; `shape` for weights of other shapes, all listed; `memory`, before the weights are downloaded;
 *   `option`. An abort rejects with the signal's reason. Nothing is held in memory then.
 * @example
 * import { loadEncoder } from 'fovea/models';
 * const encoder = await loadEncoder(fovea, folder);
 * const { data, shape } = await encoder.embed(['cats and dogs', 'stock prices']); // [2, width], of unit length
 * encoder.dispose();
 */
export declare function loadEncoder(fovea: Fovea, folder: ModelFolder, options?: LoadModelOptions): Promise<Encoder>;

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
export declare function loadDecoder(fovea: Fovea, folder: ModelFolder, options?: LoadModelOptions): Promise<Decoder>;
