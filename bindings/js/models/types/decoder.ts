/** Decoders: their methods, options and results. */
import type { HostSignal } from '../../errors/host_types.ts';
import type { SampleOptions } from '../../ops/sample.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { ModelInfo } from './encoder.ts';

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

  /** `generate` of the decoder, but that the tokens which the context holds are not read again. */
  generate(prompt: Prompt, options?: GenerateOptions): Generation;

  /** Frees its memory. May be called again. */
  dispose(): void;

  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/**
 * The result of `generate`: a loop `for await` over its tokens, or all of their text at once. It begins when it is asked for, and can be read once.
 * Leaving the loop frees the memory that it held.
 */
export interface Generation extends AsyncIterable<GeneratedToken> {
  /** How it ended; rejects with what `for await` and `text` throw. */
  readonly finished: Promise<GenerationEnd>;

  /** All of the text. */
  text(): Promise<string>;
}
