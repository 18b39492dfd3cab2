/// <reference lib="esnext.disposable" preserve="true" />
/** `Encoder`: texts to vectors, classes, tags and ranks. */
import { describe, fail } from '../../errors/errors.ts';
import { disposeByUsing, nameClass } from '../../errors/inspect.ts';
import type { HostSignal } from '../../errors/host_types.ts';
import { checkBoolean, checkChoice, checkInteger, isList, readOptions } from '../../errors/options.ts';
import { sigmoid } from '../../ops/activations.ts';
import { softmax } from '../../ops/products.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import { readAttentionLayers } from '../attention_layers.ts';
import { tokenizeAll, type TokenizedText } from '../text/tokens.ts';
import type {
  ClassifyOptions,
  Encoder,
  Embeddings,
  EmbedOptions,
  Label,
  ModelInfo,
  TextAttentions,
  TextOptions,
  TextPair,
  Texts,
  TokenizerLike,
  TokenLabel,
} from '../types/index.ts';
import type { DenseLayer } from './dense.ts';
import type { EncoderModel } from './encoder_model.ts';
import { encodeInParts } from './passes.ts';
import { pool, POOLINGS, toUnitLength } from './pooling.ts';

/** The parts of an encoder. */
export interface EncoderParts {
  readonly model: EncoderModel;
  readonly dense: readonly DenseLayer[];
  readonly tokenizer: TokenizerLike | null;
  /** Whether vectors have unit length unless told otherwise. */
  readonly normalize: boolean;
}

/** An encoder on an instance of this thread. Documented in types/encoder.ts. */
export class LocalEncoder implements Encoder {
  static {
    nameClass(
      LocalEncoder.prototype,
      'Encoder',
      ({ info }) => `Encoder { ${info.architecture}, ${info.parameters} parameters }`,
    );
    disposeByUsing(LocalEncoder.prototype);
  }

  readonly info: ModelInfo;
  readonly #model: EncoderModel;
  readonly #dense: readonly DenseLayer[];
  readonly #tokenizer: TokenizerLike | null;
  readonly #normalize: boolean;

  /** @internal */
  constructor({ model, dense, tokenizer, normalize }: EncoderParts, info: ModelInfo) {
    this.#model = model;
    this.#dense = dense;
    this.#tokenizer = tokenizer;
    this.#normalize = normalize;
    this.info = info;
  }

  async embed(texts: Texts, options?: EmbedOptions): Promise<Embeddings> {
    const fn = this.#fn('embed');
    const names = ['prompt', 'pooling', 'normalize', 'dimensions', 'truncate', 'attentions', 'signal'] as const;
    const {
      prompt,
      pooling = this.info.pooling,
      normalize = this.#normalize,
      dimensions,
      truncate,
      attentions,
      signal,
    } = readOptions(fn, options, names);
    const { width } = this.info;
    checkChoice(fn, 'pooling', pooling, POOLINGS);
    checkBoolean(fn, 'normalize', normalize);
    if (dimensions !== undefined) checkInteger(fn, 'dimensions', dimensions, 1, width);
    const layers = readAttentionLayers(fn, attentions, this.#model.spec.layers.length);
    const before = this.#prompt(fn, prompt);
    const tokenized = this.#tokenize(fn, texts, truncate, before);
    const seen: TextAttentions[] = [];
    const pooled: Float64Array[] = [];
    await encodeInParts(this.#model, fn, tokenized, layers, signal, (n, { states, weights }) => {
      pooled.push(pool(states, this.#model.width, pooling));
      if (layers.length > 0) seen.push(this.#attentions(tokenized[n]!, weights));
    });
    const length = dimensions ?? width;
    const data = new Float32Array(tokenized.length * length);
    this.#project(pooled).forEach((vector, n) => {
      const own = vector.subarray(0, length);
      data.set(normalize ? toUnitLength(own) : own, n * length);
    });
    return {
      ...{ data, shape: typeof texts === 'string' ? [length] : [tokenized.length, length] },
      truncated: tokenized.map(({ truncated }) => truncated),
      ...(layers.length > 0 && { attentions: seen }),
    };
  }

  async states(texts: Texts, options?: TextOptions): Promise<NDArray[]> {
    const fn = this.#fn('states');
    const { truncate, signal } = readOptions(fn, options, ['truncate', 'signal']);
    const tokenized = this.#tokenize(fn, texts, truncate);
    const list: NDArray[] = [];
    await encodeInParts(this.#model, fn, tokenized, [], signal, (n, { states }) => {
      list.push({ data: states.slice(), shape: [tokenized[n]!.ids.length, this.#model.width] });
    });
    return list;
  }

  async classify(texts: Texts | readonly TextPair[], options?: ClassifyOptions): Promise<Label[][]> {
    const fn = this.#fn('classify');
    const { labels } = this.info;
    const { top = labels.length, truncate, signal } = readOptions(fn, options, ['top', 'truncate', 'signal']);
    this.#checkHead(fn, 'classes', (head) => head.of !== 'tokens');
    checkInteger(fn, 'top', top, 1, labels.length);
    const all: Label[][] = [];
    for (const logits of await this.#headOf(fn, texts, truncate, signal)) {
      const scores = this.#probabilities(logits);
      const list = labels.map((label, n) => ({ label, score: scores[n]! }));
      all.push(list.sort((a, b) => b.score - a.score).slice(0, top));
    }
    return all;
  }

  async tag(texts: Texts, options?: TextOptions): Promise<TokenLabel[][]> {
    const fn = this.#fn('tag');
    const { truncate, signal } = readOptions(fn, options, ['truncate', 'signal']);
    this.#checkHead(fn, 'tags', (head) => head.of === 'tokens');
    const { labels } = this.info;
    const { width } = this.#model;
    const tokenized = this.#tokenize(fn, texts, truncate);
    const all: TokenLabel[][] = [];
    await encodeInParts(this.#model, fn, tokenized, [], signal, (n, { states }) => {
      const { ids } = tokenized[n]!;
      const { data } = this.#model.logits(fn, { data: states, shape: [ids.length, width] });
      const tags = ids.map((id, at) => {
        const scores = this.#probabilities(data.subarray(at * labels.length, (at + 1) * labels.length));
        const best = scores.indexOf(Math.max(...scores));
        return { token: this.#token(id), label: labels[best]!, score: scores[best]! };
      });
      all.push(tags.filter((_, at) => !this.#isSpecial(ids[at]!)));
    });
    return all;
  }

  async rank(query: string, passages: readonly string[], options?: TextOptions): Promise<Float32Array> {
    const fn = this.#fn('rank');
    const { truncate, signal } = readOptions(fn, options, ['truncate', 'signal']);
    this.#checkHead(fn, 'one class', (head) => head.of !== 'tokens' && head.labels.length === 1);
    if (typeof query !== 'string') fail('value', fn, `query must be a text, got ${describe(query)}`);
    if (!isList(passages)) fail('value', fn, `passages must be a list of texts, got ${describe(passages)}`);
    const pairs = Array.from(passages, (passage) => [query, passage] as const);
    return Float32Array.from((await this.#headOf(fn, pairs, truncate, signal)).map(([logit]) => logit!));
  }

  dispose(): void {
    for (const module of [this.#model, ...this.#dense]) module.dispose();
  }

  #fn(method: string): string {
    return this.#model.fn(method);
  }

  #checkHead(fn: string, what: string, isRight: (head: NonNullable<EncoderModel['spec']['head']>) => boolean): void {
    const { head } = this.#model.spec;
    if (head === null || !isRight(head))
      fail('option', fn, `the model must have a head of ${what}, got ${this.info.architecture}`);
  }

  /** Softmax of logits, of a single one the sigmoid. */
  #probabilities(logits: Float32Array): readonly number[] {
    const { fovea } = this.#model;
    const { data } = (logits.length === 1 ? sigmoid : softmax)(fovea, { data: logits, shape: [logits.length] });
    return Array.from(data);
  }

  /** The vectors behind the dense layers of the folder. */
  #project(pooled: readonly Float64Array[]): readonly Float64Array[] {
    if (this.#dense.length === 0) return pooled;
    return pooled.map((vector) => {
      let x: NDArray = { data: Float32Array.from(vector), shape: [1, vector.length] };
      for (const layer of this.#dense) x = layer.apply(x);
      return Float64Array.from(x.data);
    });
  }

  /** The logits of the head of classes for each text. */
  async #headOf(
    fn: string,
    texts: Texts | readonly TextPair[],
    truncate: boolean | undefined,
    signal: HostSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    const { width } = this.#model;
    const tokenized = this.#tokenize(fn, texts, truncate);
    const pooling = this.#model.spec.head!.of === 'mean' ? 'mean' : 'cls';
    const logits: Float32Array[] = [];
    await encodeInParts(this.#model, fn, tokenized, [], signal, (_, { states }) => {
      // Text by text: in 8 bits the number of rows would make a difference.
      const row = { data: Float32Array.from(pool(states, width, pooling)), shape: [1, width] };
      logits.push(this.#model.logits(fn, row).data);
    });
    return logits;
  }

  #tokenize(fn: string, texts: unknown, truncate: boolean | undefined, before = ''): readonly TokenizedText[] {
    const { vocabSize, types } = this.#model.spec;
    return tokenizeAll(fn, this.#tokenizer, texts, before, { vocabSize, types, maxTokens: this.info.maxTokens, truncate });
  }

  #attentions({ ids }: TokenizedText, weights: ReadonlyMap<number, NDArray>): TextAttentions {
    const layers = this.#model.spec.layers.map((_, layer) => weights.get(layer) ?? null);
    return { tokens: ids.map((id) => this.#token(id)), layers };
  }

  #prompt(fn: string, prompt: unknown): string {
    if (prompt === undefined) return '';
    if (typeof prompt !== 'string') return fail('option', fn, `prompt must be a text, got ${describe(prompt)}`);
    const { prompts } = this.info;
    return Object.hasOwn(prompts, prompt) ? prompts[prompt]! : prompt;
  }

  #token(id: number): string {
    return this.#tokenizer?.id_to_token?.(id) ?? String(id);
  }

  /** Whether a token is there for the model alone: decoding leaves it out. */
  #isSpecial(id: number): boolean {
    return (
      this.#tokenizer !== null && this.#tokenizer.decode([id], { skip_special_tokens: true }) === '' && this.#token(id) !== ''
    );
  }
}

export interface LocalEncoder {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}
