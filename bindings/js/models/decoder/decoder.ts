/// <reference lib="esnext.disposable" preserve="true" />
/** `Decoder`: a language model that continues texts. */
import { disposeByUsing, nameClass } from '../../errors/inspect.ts';
import { checkChoice, checkInteger, readOptions } from '../../errors/options.ts';
import { kvCache } from '../../cache/make_cache.ts';
import type { KvCache } from '../../cache/kv_cache.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { ContextOptions, Decoder, DecoderInfo, GenerateOptions, Generation, Prompt } from '../types/index.ts';
import { LocalContext, type HeldTokens } from './context.ts';
import { TokenGeneration } from './generation.ts';
import { generateTokens, type DecoderParts } from './tokens.ts';

/** A decoder on an instance of this thread. Documented in types/decoder.ts. */
export class LocalDecoder implements Decoder {
  static {
    nameClass(
      LocalDecoder.prototype,
      'Decoder',
      ({ info }) => `Decoder { ${info.architecture}, ${info.parameters} parameters }`,
    );
    disposeByUsing(LocalDecoder.prototype);
  }

  readonly info: DecoderInfo;
  readonly #parts: DecoderParts;

  /** @internal */
  constructor(parts: DecoderParts) {
    this.#parts = parts;
    this.info = parts.info;
  }

  generate(prompt: Prompt, options?: GenerateOptions): Generation {
    return this.#generate(prompt, options, null);
  }

  context(options: ContextOptions): LocalContext {
    const fn = this.#fn('context');
    const { capacity, dtype } = readOptions(fn, options, ['capacity', 'dtype']);
    checkInteger(fn, 'capacity', capacity, 1, this.info.maxTokens);
    checkChoice(fn, 'dtype', dtype, ['float32', 'float16']);
    const held = this.#hold(capacity, dtype);
    return new LocalContext(
      held.ids,
      () => this.#free(held),
      (prompt, given) => this.#generate(prompt, given, held),
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

  #generate(prompt: Prompt, options: GenerateOptions | undefined, own: HeldTokens | null): Generation {
    const fn = this.#fn('generate');
    const memory = {
      own,
      hold: (capacity: number, dtype: ContextOptions['dtype']) => this.#hold(capacity, dtype),
      free: (held: HeldTokens) => this.#free(held),
    };
    return new TokenGeneration((note) => generateTokens(fn, this.#parts, prompt, options, memory, note));
  }

  #hold(capacity: number, dtype: ContextOptions['dtype']): HeldTokens {
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

  #free({ caches }: HeldTokens): void {
    for (const cache of caches) cache.dispose();
    this.#parts.model.forgetSteps();
  }
}

export interface LocalDecoder {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}
