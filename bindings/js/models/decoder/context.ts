/// <reference lib="esnext.disposable" preserve="true" />
/** Caches with the tokens that they hold, and `Context`, where they stay between generations. */
import { disposeByUsing, nameClass } from '../../errors/inspect.ts';
import type { KvCache } from '../../cache/kv_cache.ts';
import type { Context, GenerateOptions, Generation, Prompt } from '../types/index.ts';

export interface HeldTokens {
  readonly caches: readonly KvCache[];
  readonly ids: number[];
  readonly capacity: number;
}

/** Goes back to the tokens that both have in common; returns those that are to be read, at least the last. */
export function resume({ caches, ids: held }: HeldTokens, ids: readonly number[]): readonly number[] {
  let common = 0;
  while (common < Math.min(held.length, ids.length - 1) && held[common] === ids[common]) common++;
  for (const cache of caches) cache.truncate(common);
  held.length = common;
  return ids.slice(common);
}

/** Caches that stay between generations. Documented in types/decoder.ts. */
export class LocalContext implements Context {
  static {
    nameClass(LocalContext.prototype, 'Context', (context) => `Context { ${context.length} tokens }`);
    disposeByUsing(LocalContext.prototype);
  }

  readonly generate: (prompt: Prompt, options?: GenerateOptions) => Generation;
  readonly #ids: readonly number[];
  readonly #free: () => void;

  constructor(ids: readonly number[], free: () => void, generate: (prompt: Prompt, options?: GenerateOptions) => Generation) {
    this.#ids = ids;
    this.#free = free;
    this.generate = generate;
  }

  get length(): number {
    return this.#ids.length;
  }

  dispose(): void {
    this.#free();
  }
}

export interface LocalContext {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}
