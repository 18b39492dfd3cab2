/** The public types of `fovea/models`. */
import type { HostSignal, HostUrl } from '../errors/host_types.ts';
import type { FileSource } from '../files/types.ts';
import type { SampleOptions } from '../ops/sample.ts';
import type { NDArray } from '../tensor/array_types.ts';

/**
 * Where the files of a model are: the URL of a folder; in Node, its path; the Files that a visitor has chosen, as
 * `<input type="file" webkitdirectory>` gives them; or sources by their names in the folder, 'config.json' and '1_Pooling/config.json'.
 */
export type ModelFolder = string | HostUrl | readonly File[] | ReadonlyMap<string, FileSource>;

/** Texts, or the ids of their tokens, special tokens included. One text gives results without the axis N of texts. */
export type Texts = string | readonly (string | readonly number[])[];

/** What a model asks of a tokenizer: `@huggingface/tokenizers` has it, and so may your own. */
export interface TokenizerLike {
  encode(
    text: string,
    options?: { text_pair?: string | null; add_special_tokens?: boolean; return_token_type_ids?: boolean | null },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };
  decode(ids: number[], options?: { skip_special_tokens?: boolean }): string;
  id_to_token?(id: number): string | undefined;
}

export interface LoadProgress {
  readonly file: string;
  /** 'download': bytes arrive; 'pack': they become weights. */
  readonly phase: 'download' | 'pack';
  /** Bytes of the file. */
  readonly loaded: number;
  /** Null where the server does not tell. */
  readonly total: number | null;
}

export interface LoadModelOptions {
  /** 'int8' keeps the matrices in 8 bits, a quarter of their memory: `quantize` of fovea/ops tells how, and the error. Default 'float32'. */
  readonly dtype?: 'float32' | 'int8' | undefined;
  /** Keys in place of those of config.json. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** In place of the folder's tokenizer.json; null: the model takes ids alone, and no tokenizer is loaded. */
  readonly tokenizer?: TokenizerLike | null | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** Aborting rejects with the signal's reason; memory that was taken is given back. */
  readonly signal?: HostSignal | undefined;
  /** In place of the global fetch: for credentials, headers, or a cache of your own. */
  readonly fetch?: typeof fetch | undefined;
}

/** How the states of a text's tokens become one vector. */
export type Pooling = 'mean' | 'cls' | 'max' | 'lastToken' | 'meanSqrtLength' | 'weightedMean';

export interface ModelInfo {
  /** As config.json names it: 'BertModel'. */
  readonly architecture: string;
  /** How many numbers the weights are. */
  readonly parameters: number;
  /** Bytes of wasm memory that they take. */
  readonly bytes: number;
  readonly dtype: 'float32' | 'int8';
  /** The most tokens of one text, special tokens included. */
  readonly maxTokens: number;
  /** The width of a state, and of a vector of `embed` unless the folder has dense layers behind the pooling: then theirs. */
  readonly width: number;
  /** The texts of the classes, in order; empty for a model without any. */
  readonly labels: readonly string[];
  /** How `embed` pools unless told otherwise, and whether the folder says so. */
  readonly pooling: Pooling;
  readonly poolingFrom: 'folder' | 'default';
  /** Texts that stand before inputs, by their names. */
  readonly prompts: Readonly<Record<string, string>>;
}

export interface EmbedOptions {
  /** The name of one of `info.prompts`, or a text that stands before each input. Default none. */
  readonly prompt?: string | undefined;
  /** Default `info.pooling`. */
  readonly pooling?: Pooling | undefined;
  /** Whether vectors are given unit length; default as the folder says, true where it says nothing. */
  readonly normalize?: boolean | undefined;
  /** Takes the first numbers of each vector, before it is given unit length: for models trained so (Matryoshka). */
  readonly dimensions?: number | undefined;
  /** Default true: texts of more than `info.maxTokens` tokens are cut; false: they are a `value` error. */
  readonly truncate?: boolean | undefined;
  /** Also the attention weights, of all layers or of those listed. */
  readonly attentions?: boolean | readonly number[] | undefined;
  readonly signal?: HostSignal | undefined;
}

export interface TextAttentions {
  readonly tokens: string[];
  /** [H, T, T] of each layer, null where not asked for. */
  readonly layers: (NDArray | null)[];
}

export interface Embeddings {
  readonly data: Float32Array;
  /** [N, D], or [D] of one text. */
  readonly shape: number[];
  /** Whether each text was cut. */
  readonly truncated: boolean[];
  readonly attentions?: TextAttentions[];
}

export interface Label {
  readonly label: string;
  /** A probability. */
  readonly score: number;
}

export interface TokenLabel extends Label {
  readonly token: string;
}

export interface TextOptions {
  /** As in `EmbedOptions`. */
  readonly truncate?: boolean | undefined;
  readonly signal?: HostSignal | undefined;
}

export interface ClassifyOptions extends TextOptions {
  /** How many classes of each text, the likeliest first; default all. */
  readonly top?: number | undefined;
}

/** Two texts that are read as one input, as a question and a passage. */
export type TextPair = readonly [text: string, pair: string];

export interface DecoderInfo extends Omit<ModelInfo, 'labels' | 'pooling' | 'poolingFrom' | 'prompts'> {
  /** The tokens at which a generation ends. */
  readonly endTokens: readonly number[];
}

/** A message of a conversation, as the folder's template writes it. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** A text, ids of tokens, which are taken as they are, or a conversation. */
export type Prompt = string | readonly number[] | readonly Message[];

/** Without `temperature` the likeliest token is taken each time. */
export interface GenerateOptions extends SampleOptions {
  /** Default 512, or what the model has room for. */
  readonly maxTokens?: number | undefined;
  /** Logits of tokens that are there already are divided by it where positive, else multiplied. Default 1. Source: Keskar et al. 2019, arXiv:1909.05858. */
  readonly repetitionPenalty?: number | undefined;
  /** Texts at which the generation ends; they are no part of the text. */
  readonly stop?: readonly string[] | undefined;
  /** Changes the logits in place before `temperature`; `ids` are all tokens so far. */
  readonly logits?: ((logits: Float32Array, ids: readonly number[]) => void) | undefined;
  /** Also the attention weights of each token, of all layers or of those listed. */
  readonly attentions?: boolean | readonly number[] | undefined;
  /** How the keys and values of the tokens are kept; default 'float32'. */
  readonly cacheDtype?: 'float32' | 'float16' | undefined;
  readonly signal?: HostSignal | undefined;
}

export interface ContextOptions {
  /** The most tokens. */
  readonly capacity: number;
  /** How their keys and values are kept; default 'float32'. */
  readonly dtype?: 'float32' | 'float16' | undefined;
}

export interface GeneratedToken {
  readonly id: number;
  /** The text that is certain with this token: empty while a character or a stop text may go on. */
  readonly text: string;
  /** [H, tokens so far] of each layer, null where not asked for: where the token that gave this one looked. */
  readonly attentions?: (NDArray | null)[];
}

export interface GenerationEnd {
  /** 'end': the model ended it; 'stop': a stop text came, or the loop was left; 'length': there was no room for more. */
  readonly reason: 'end' | 'stop' | 'length';
  readonly promptTokens: number;
  /** Tokens that were generated, the one that ends it too. */
  readonly tokens: number;
}

/**
 * An encoder and its tokenizer, as `loadEncoder` makes it. Its weights are in wasm memory until `dispose`.
 *
 * @example
 * import { loadEncoder } from 'fovea/models';
 * const encoder = await loadEncoder(fovea, folder);
 * const { data, shape } = await encoder.embed(['cats and dogs', 'stock prices']); // [2, width], of unit length
 * encoder.dispose();
 */
export interface Encoder {
  readonly info: ModelInfo;

  /**
   * A vector of each text: the states of its tokens pooled, and given unit length.
   *
   * @param texts one gives [D], a list [N, D].
   * @throws AttentionError `value` for what is no text and for ids beyond the vocabulary, and with `truncate: false` for texts that are too long;
   *   `option` | `disposed` | `memory` | `internal`. An abort rejects with the signal's reason.
   *
   * Accuracy: that of the model's functions of fovea/ops and of attention in float32; sums of the pooling are in double. A text has the same
   * bits alone and among others.
   */
  embed(texts: Texts, options?: EmbedOptions): Promise<Embeddings>;

  /**
   * The states of the tokens of each text, [T, width], special tokens included.
   *
   * @throws AttentionError as `embed`.
   */
  states(texts: Texts, options?: TextOptions): Promise<NDArray[]>;

  /**
   * The probabilities of the classes of each text, the likeliest first: softmax of the head's logits, with one class their sigmoid.
   *
   * @param texts as `embed`, or pairs of texts.
   * @throws AttentionError as `embed`; `option` for a model without a head of classes.
   */
  classify(texts: Texts | readonly TextPair[], options?: ClassifyOptions): Promise<Label[][]>;

  /**
   * The likeliest label of each token of each text, special tokens left out.
   *
   * @throws AttentionError as `embed`; `option` for a model without a head of tags.
   */
  tag(texts: Texts, options?: TextOptions): Promise<TokenLabel[][]>;

  /**
   * How well each passage answers the query: the logit of a model that was trained to rank, as a cross-encoder, larger for better ones.
   *
   * @throws AttentionError as `embed`; `option` for a model without a head of one class.
   */
  rank(query: string, passages: readonly string[], options?: TextOptions): Promise<Float32Array>;

  /** Frees the weights. May be called again. */
  dispose(): void;

  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/**
 * A language model and its tokenizer, as `loadDecoder` makes it. Its weights are in wasm memory until `dispose`.
 *
 * @example
 * import { loadDecoder } from 'fovea/models';
 * const decoder = await loadDecoder(fovea, folder);
 * for await (const { text } of decoder.generate('Once upon a time', { maxTokens: 8 })) console.log(text);
 * decoder.dispose();
 */
export interface Decoder {
  readonly info: DecoderInfo;

  /**
   * Continues a prompt. The likeliest token is taken each time, or one is drawn where `temperature` is given; logits pass repetitionPenalty,
   * `logits`, temperature, topK, topP and minP in this order. Between two tokens the event loop runs.
   *
   * @param prompt a text, ids, or messages, which the template of the folder writes.
   * @throws AttentionError from the loop, from `text` and from `finished`: `value` for what is no prompt, and for one that leaves no room;
   *   `option` | `disposed` | `memory` | `internal`. An abort throws the signal's reason. What was held is freed in any case.
   */
  generate(prompt: Prompt, options?: GenerateOptions): Generation;

  /**
   * Room for a text that is continued again and again: keys and values of its tokens stay, and `generate` reads only those that they lack.
   *
   * @throws AttentionError `option` | `value` | `memory` | `disposed`.
   */
  context(options: ContextOptions): Context;

  /**
   * The logits of the token after each of the ids, [T, V].
   *
   * @throws AttentionError `shape` | `value` | `disposed` | `memory` | `internal`.
   */
  logits(ids: readonly number[]): Promise<NDArray>;

  /** Frees the weights. May be called again. */
  dispose(): void;

  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** Room for a text, as `context` of a decoder makes it. */
export interface Context {
  /** The tokens that it holds. */
  readonly length: number;

  /** As `generate` of the decoder, but that the tokens which the context holds are not read again. */
  generate(prompt: Prompt, options?: GenerateOptions): Generation;

  /** Frees its memory. May be called again. */
  dispose(): void;

  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/**
 * What `generate` gives: a loop `for await` over its tokens, or all of their text at once. It begins when it is asked for, and can be read once.
 * Leaving the loop frees the memory that it held.
 */
export interface Generation extends AsyncIterable<GeneratedToken> {
  /** How it ended; rejects with what `for await` and `text` throw. */
  readonly finished: Promise<GenerationEnd>;

  /** All of the text. */
  text(): Promise<string>;
}
