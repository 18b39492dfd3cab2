/** Encoders: their methods, options and results. */
import type { HostSignal } from '../../errors/host_types.ts';
import type { NDArray } from '../../tensor/array_types.ts';

/** Texts, or the ids of their tokens, special tokens included. One text gives results without the axis N of texts. */
export type Texts = string | readonly (string | readonly number[])[];

/** How the states of a text's tokens become one vector. */
export type Pooling = 'mean' | 'cls' | 'max' | 'lastToken' | 'meanSqrtLength' | 'weightedMean';

export interface ModelInfo {
  /** The model's class, as config.json names it: 'BertModel'. */
  readonly architecture: string;
  /** How many numbers the weights are. */
  readonly parameters: number;
  /** Bytes of wasm memory that they take. */
  readonly bytes: number;
  readonly dtype: 'float32' | 'int8';
  readonly layers: number;
  /** Heads of queries in each layer. */
  readonly heads: number;
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
  /** See `EmbedOptions`. */
  readonly truncate?: boolean | undefined;
  readonly signal?: HostSignal | undefined;
}

export interface ClassifyOptions extends TextOptions {
  /** How many classes of each text, the likeliest first; default all. */
  readonly top?: number | undefined;
}

/** Two texts that are read as one input, as a question and a passage. */
export type TextPair = readonly [text: string, pair: string];

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
