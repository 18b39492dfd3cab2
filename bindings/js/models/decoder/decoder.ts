/// <reference lib="esnext.disposable" preserve="true" />
/** `Decoder`: a language model that continues texts. */
import { describe, fail } from '../../errors/errors.ts';
import { nameClass } from '../../errors/inspect.ts';
import { checkChoice, checkFinite, checkInteger, isFunction, isList, readOptions } from '../../errors/options.ts';
import { kvCache } from '../../cache/make_cache.ts';
import type { KvCache } from '../../cache/kv_cache.ts';
import type { CausalDecoder } from '../../nn/causal_decoder.ts';
import { drawIndex, readSampling, SAMPLE_OPTIONS } from '../../ops/sample.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import { readIntegerArray } from '../../tensor/integer_arrays.ts';
import { nextTurn } from '../turn.ts';
import type {
  Context,
  Decoder,
  DecoderInfo,
  ContextOptions,
  GeneratedToken,
  Generation,
  GenerateOptions,
  Prompt,
  TokenizerLike,
} from '../types.ts';
import { renderMessages, type ChatTemplate } from '../text/chat_template.ts';
import { TokenGeneration, type Tokens } from './generation.ts';
import { TextStream } from './text_stream.ts';

/** Tokens that are generated unless told. */
const DEFAULT_TOKENS = 512;

const OPTIONS = [
  ...SAMPLE_OPTIONS,
  ...(['maxTokens', 'repetitionPenalty', 'stop', 'logits', 'attentions', 'cacheDtype', 'signal'] as const),
] satisfies readonly (keyof GenerateOptions)[];

/** The parts of a decoder. */
export interface DecoderParts {
  readonly model: CausalDecoder;
  readonly vocabSize: number;
  readonly tokenizer: TokenizerLike | null;
  readonly template: ChatTemplate | null;
  readonly info: DecoderInfo;
}

/** The caches of a generation, and the tokens that they hold. */
interface Held {
  readonly caches: readonly KvCache[];
  readonly ids: number[];
  readonly capacity: number;
}

/** A decoder on an instance of this thread. Documented in types.ts. */
export class LocalDecoder implements Decoder {
  static {
    nameClass(
      LocalDecoder.prototype,
      'Decoder',
      ({ info }) => `Decoder { ${info.architecture}, ${info.parameters} parameters }`,
    );
    if (typeof Symbol.dispose === 'symbol') {
      Object.defineProperty(LocalDecoder.prototype, Symbol.dispose, {
        value(this: LocalDecoder) {
          this.dispose();
        },
      });
    }
  }

  readonly info: DecoderInfo;
  readonly #parts: DecoderParts;

  /** @internal */
  constructor(parts: DecoderParts) {
    this.#parts = parts;
    this.info = parts.info;
  }

  generate(prompt: Prompt, options?: GenerateOptions): Generation {
    const fn = this.#fn('generate');
    return new TokenGeneration((note) => this.#tokens(fn, prompt, options, { own: null, note }));
  }

  context(options: ContextOptions): LocalContext {
    const fn = this.#fn('context');
    const { capacity, dtype } = readOptions(fn, options, ['capacity', 'dtype']);
    checkInteger(fn, 'capacity', capacity, 1, this.info.maxTokens);
    checkChoice(fn, 'dtype', dtype, ['float32', 'float16']);
    const held = this.#hold(capacity, dtype);
    return new LocalContext(
      held.ids,
      () => this.#free(held.caches),
      (prompt, given) => new TokenGeneration((note) => this.#tokens(this.#fn('generate'), prompt, given, { own: held, note })),
    );
  }

  async logits(ids: readonly number[]): Promise<NDArray> {
    this.#fn('logits');
    return this.#parts.model.forward(ids);
  }

  dispose(): void {
    this.#parts.model.dispose();
  }

  #fn(method: string): string {
    this.#parts.model.fn(method);
    return `Decoder.${method}`;
  }

  #hold(capacity: number, dtype: ContextOptions['dtype']): Held {
    const { model } = this.#parts;
    const caches: KvCache[] = [];
    try {
      for (const _ of model.layers) caches.push(kvCache(model.fovea, { ...model.cacheOptions, capacity, dtype }));
    } catch (error) {
      for (const cache of caches) cache.dispose();
      throw error;
    }
    return { caches, ids: [], capacity };
  }

  #free(caches: readonly KvCache[]): void {
    for (const cache of caches) cache.dispose();
    this.#parts.model.forgetSteps();
  }

  async *#tokens(
    fn: string,
    prompt: Prompt,
    options: GenerateOptions | undefined,
    { own, note }: { readonly own: Held | null; readonly note: (promptTokens: number) => void },
  ): Tokens {
    const { model, vocabSize, tokenizer } = this.#parts;
    const known = readOptions(fn, options, OPTIONS);
    const { maxTokens, repetitionPenalty = 1, stop = [], logits: change, attentions, cacheDtype, signal } = known;
    const sampling = readSampling(fn, known);
    checkFinite(fn, 'repetitionPenalty', repetitionPenalty);
    if (repetitionPenalty <= 0) fail('value', fn, `repetitionPenalty must be more than 0, got ${repetitionPenalty}`);
    if (maxTokens !== undefined) checkInteger(fn, 'maxTokens', maxTokens, 1, 2 ** 31 - 1);
    if (!isList(stop) || !stop.every((text) => typeof text === 'string' && text !== ''))
      fail('option', fn, `stop must be a list of texts, got ${describe(stop)}`);
    if (stop.length > 0 && tokenizer === null)
      fail('option', fn, 'stop needs the tokenizer, got a model that was loaded with tokenizer: null');
    if (change !== undefined && !isFunction(change)) fail('option', fn, `logits must be a function, got ${describe(change)}`);
    checkChoice(fn, 'cacheDtype', cacheDtype, ['float32', 'float16']);
    if (own !== null && cacheDtype !== undefined)
      fail('option', fn, 'cacheDtype is the dtype of the context, got it for generate');
    const layers = readLayers(fn, attentions, model.layers.length);
    signal?.throwIfAborted();

    const ids = await this.#promptIds(fn, prompt);
    const room = (own?.capacity ?? this.info.maxTokens) - ids.length;
    if (room < 1)
      fail(
        'value',
        fn,
        `the prompt must leave room for a token, got ${ids.length} of ${own?.capacity ?? this.info.maxTokens} tokens`,
      );
    const most = Math.min(maxTokens ?? DEFAULT_TOKENS, room);
    const held = own ?? this.#hold(ids.length + most, cacheDtype);
    const stream = tokenizer === null ? null : new TextStream(tokenizer, stop, ids);
    const promptTokens = ids.length;
    note(promptTokens);
    let tokens = 0;
    try {
      let pending = resume(held, ids);
      for (;;) {
        const weights = layers === null ? null : model.nextWithWeights(pending, { caches: held.caches, layers });
        const { data } = weights?.logits ?? model.next(pending, { caches: held.caches });
        held.ids.push(...pending);
        if (repetitionPenalty !== 1) penalize(data, ids, repetitionPenalty);
        change?.(data, ids);
        const id = drawIndex(fn, data, sampling, tokens);
        tokens++;
        ids.push(id);
        const ends = this.info.endTokens.includes(id);
        const isLast = ends || tokens === most;
        let text = ends ? '' : (stream?.push(id) ?? '');
        if (isLast) text += stream?.end() ?? '';
        const stopped = stream?.stopped ?? false;
        const token: GeneratedToken = {
          id,
          text,
          ...(weights && { attentions: lastRows(weights.weights, layers!, model.layers.length) }),
        };
        yield token;
        if (stopped) return { reason: 'stop', promptTokens, tokens };
        if (isLast) return { reason: ends ? 'end' : 'length', promptTokens, tokens };
        await nextTurn();
        signal?.throwIfAborted();
        // Another generation of the context may have read other tokens meanwhile.
        pending = resume(held, ids);
        if (id >= vocabSize) fail('internal', fn, `drew ${id} of ${vocabSize} tokens; please report this`);
      }
    } finally {
      if (own === null) this.#free(held.caches);
    }
  }

  async #promptIds(fn: string, prompt: Prompt): Promise<number[]> {
    const { tokenizer, template, vocabSize } = this.#parts;
    const isMessages = isList(prompt) && prompt.length > 0 && typeof prompt[0] === 'object';
    if (typeof prompt !== 'string' && !isMessages) {
      const { ids, shape } = readIntegerArray(fn, 'prompt', prompt as readonly number[], 0, vocabSize - 1);
      if (shape.length !== 1 || ids.length === 0)
        fail('value', fn, `prompt must have at least one id, got ${describe(prompt)}`);
      return Array.from(ids);
    }
    if (tokenizer === null)
      return fail('value', fn, 'this model was loaded with tokenizer: null: it takes ids of tokens, not texts');
    const text = isMessages ? await renderMessages(fn, template, prompt as readonly object[]) : (prompt as string);
    const { ids } = tokenizer.encode(text, { add_special_tokens: !isMessages });
    if (ids.length === 0) fail('value', fn, `the tokenizer made no token of ${describe(prompt)}`);
    return [...ids];
  }
}

export interface LocalDecoder {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** Caches that stay between generations. Documented in types.ts. */
export class LocalContext implements Context {
  static {
    nameClass(LocalContext.prototype, 'Context', (context) => `Context { ${context.length} tokens }`);
    if (typeof Symbol.dispose === 'symbol') {
      Object.defineProperty(LocalContext.prototype, Symbol.dispose, {
        value(this: LocalContext) {
          this.dispose();
        },
      });
    }
  }

  /** As `generate` of the decoder, but that the tokens which the context holds are not read again. */
  readonly generate: (prompt: Prompt, options?: GenerateOptions) => Generation;
  readonly #ids: readonly number[];
  readonly #free: () => void;

  /** @internal */
  constructor(ids: readonly number[], free: () => void, generate: (prompt: Prompt, options?: GenerateOptions) => Generation) {
    this.#ids = ids;
    this.#free = free;
    this.generate = generate;
  }

  /** The tokens that it holds. */
  get length(): number {
    return this.#ids.length;
  }

  /** Frees its memory. May be called again. */
  dispose(): void {
    this.#free();
  }
}

export interface LocalContext {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** Goes back to the tokens that both have in common; returns those that are to be read, at least the last. */
function resume({ caches, ids: held }: Held, ids: readonly number[]): readonly number[] {
  let common = 0;
  while (common < Math.min(held.length, ids.length - 1) && held[common] === ids[common]) common++;
  for (const cache of caches) cache.truncate(common);
  held.length = common;
  return ids.slice(common);
}

function penalize(logits: Float32Array, ids: readonly number[], penalty: number): void {
  for (const id of new Set(ids)) logits[id] = logits[id]! > 0 ? logits[id]! / penalty : logits[id]! * penalty;
}

function readLayers(fn: string, attentions: unknown, count: number): readonly number[] | null {
  if (attentions === undefined || attentions === false) return null;
  if (attentions === true) return Array.from({ length: count }, (_, layer) => layer);
  if (!isList(attentions))
    return fail('option', fn, `attentions must be true, false or a list of layers, got ${describe(attentions)}`);
  const layers = [...attentions];
  layers.forEach((layer, n) => checkInteger(fn, `attentions[${n}]`, layer, 0, count - 1));
  return [...new Set(layers as number[])];
}

/** Of weights [H, T, S] the rows of the last token, [H, S], by layer. */
function lastRows(weights: readonly NDArray[], layers: readonly number[], count: number): (NDArray | null)[] {
  return Array.from({ length: count }, (_, layer) => {
    const found = weights[layers.indexOf(layer)];
    if (found === undefined) return null;
    const [heads, rows, keys] = found.shape as [number, number, number];
    const data = new Float32Array(heads * keys);
    for (let head = 0; head < heads; head++) {
      const from = ((head + 1) * rows - 1) * keys;
      data.set(found.data.subarray(from, from + keys), head * keys);
    }
    return { data, shape: [heads, keys] };
  });
}
