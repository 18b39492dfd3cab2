/// <reference lib="esnext.disposable" preserve="true" />
/** Keys and values of the tokens so far, in wasm memory, for attention token by token. */
import { fail } from '../errors/errors.ts';
import { disposeByUsing, nameClass } from '../errors/inspect.ts';
import type { CallArena } from '../call/call_arena.ts';
import { readHeads, type HeadsShape, readLayout } from '../attention/options/layout.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import type { CachedKeys, CacheSource, RowsAt } from '../attention/options/cache_source.ts';
import { setInternals } from '../runtime/internals.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { KeyValueCache } from '../attention/types/entries.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import { appendRows } from './append_rows.ts';
import { CacheMemory } from './cache_memory.ts';
import { MOST_TOKENS, type CacheConfig } from './config.ts';
import { SlidingWindowBuffer } from './sliding_window_buffer.ts';
import { optionsOf, readCache, type Within } from './source.ts';
import type { AppendOptions } from './types.ts';
import type { Instance } from '../runtime/instance.ts';
import { finish, plan } from '../call/call.ts';

let create: (instance: Instance, config: CacheConfig) => KvCache;

/** The rows appended to one of the two arrays of a cache. */
interface Rows {
  readonly operand: Operand;
  readonly heads: HeadsShape;
}

/**
 * The keys and values of all tokens so far, for `fovea.attention(q, cache, options)`. Made by `kvCache`; its memory counts in
 * `fovea.memory().live`, and its maker disposes it: `fovea.scope` leaves it alone, a FinalizationRegistry frees what was
 * forgotten, at some time or never.
 *
 * @example
 * import { kvCache } from 'fovea/cache';
 * const cache = kvCache(fovea, { kvHeads: 1, width: 2, capacity: 8 });
 * cache.append([[[1, 0], [0, 1]]], [[[1, 2], [3, 4]]]);
 * cache.length; // 2
 * cache.dispose();
 */
export class KvCache {
  readonly #instance: Instance;
  readonly #config: CacheConfig;
  readonly #memory: CacheMemory;
  readonly #ring: SlidingWindowBuffer;
  readonly #within: Within = new WeakMap();

  static {
    nameClass(KvCache.prototype, 'KvCache', (cache) => {
      const { batch, kvHeads, width, valueWidth, isFloat16 } = cache.#config;
      const sizes = `length ${cache.length}, batch ${batch}, kvHeads ${kvHeads}, width ${width}, valueWidth ${valueWidth}`;
      return `KvCache { ${sizes}, ${isFloat16 ? 'float16' : 'float32'} }`;
    });
    create = (instance, config) => new KvCache(instance, config);
    disposeByUsing(KvCache.prototype);
  }

  private constructor(instance: Instance, config: CacheConfig) {
    this.#instance = instance;
    this.#config = config;
    this.#memory = new CacheMemory(instance.heap, 'kvCache', config);
    this.#ring = new SlidingWindowBuffer(config);
    const check = (other: Instance, fn: string): void => {
      if (other !== instance) fail('value', fn, 'the cache must be of this instance, got one that another load() made');
      if (this.disposed) fail('disposed', fn, 'the cache has been disposed');
    };
    const read = (fn: string, ring: SlidingWindowBuffer, options: AttentionOptions): CachedKeys =>
      readCache(fn, { config, memory: this.#memory, ring, within: this.#within }, options);
    const source = (other: Instance, fn: string, options: AttentionOptions): CachedKeys => {
      check(other, fn);
      return read(fn, this.#ring, options);
    };
    const plan: CacheSource['plan'] = (other, fn, tokens) => {
      check(other, fn);
      this.#checkRoom(fn, tokens);
      const [before, after] = [this.#ring.clone(), this.#ring.clone()];
      after.append(tokens, () => {});
      return {
        ...config,
        position: before.length,
        read: (options) => read(fn, after, options),
        place: `${this.#memory.keys} ${config.rows} ${config.isFloat16}`,
        append: (arena, keys, values) => this.#append(arena, keys, values),
        count: () => void this.#ring.append(tokens, () => {}),
        // Rows that have moved down stay where they are.
        undo: () => void (this.#ring.shift === before.shift && this.#ring.goBackTo(before)),
      };
    };
    setInternals(this, 'cache', Object.assign(source, { options: optionsOf, plan }) satisfies CacheSource);
  }

  /** How many tokens it has seen, evicted ones counted: the next token's position. */
  get length(): number {
    return this.#ring.length;
  }

  /** How many of them the next query sees: all, or min(length, sinkTokens + window). */
  get visibleLength(): number {
    return this.#ring.visibleLength;
  }

  get disposed(): boolean {
    return this.#memory.disposed || this.#instance.engine.disposed;
  }

  /**
   * Takes the keys and values of the next tokens in, as they are: apply rotary positions before.
   *
   * @param k [Hkv, T, D] or [B, Hkv, T, D], T ≥ 1; other layouts by the options.
   * @param v [..., T, Dv].
   * @throws AttentionError `memory` where they are more than there is room for; `shape` | `value` | `option` | `disposed` |
   *   `internal`. Nothing is appended then.
   */
  append(k: ArrayInput, v: ArrayInput, options?: AppendOptions): void {
    const fn = 'kvCache.append';
    const instance = this.#use(fn);
    const { layout, kvHeads } = readOptions(fn, options, ['layout', 'kvHeads']);
    const choice = readLayout(fn, { layout, heads: kvHeads, kvHeads: undefined });
    const read = (name: string, input: unknown): Rows => {
      const operand = readOperand(instance, fn, name, input);
      return { operand, heads: readHeads(fn, operand, choice, choice.heads) };
    };
    const [keys, values] = [read('k', k), read('v', v)];
    const { width, valueWidth } = this.#config;
    this.#check(fn, keys, width);
    this.#check(fn, values, valueWidth);
    const { tokens } = keys.heads;
    if (tokens < 1 || tokens !== values.heads.tokens)
      fail(
        'shape',
        fn,
        `k and v must have as many tokens as each other, at least 1, got k ${formatShape(keys.operand.shape)}, v ${formatShape(values.operand.shape)}`,
      );
    this.#checkRoom(fn, tokens);
    const call = plan(instance, fn, (arena) => {
      const [k, v] = [arena.place(keys.operand), arena.place(values.operand)];
      const run = (): void =>
        this.#append(arena, { ...keys.heads, address: k.address }, { ...values.heads, address: v.address });
      arena.steps.push({ operation: null, run });
      return () => undefined;
    });
    finish(call);
  }

  #append(arena: CallArena, keys: RowsAt, values: RowsAt): void {
    const { rows: capacity, isFloat16 } = this.#config;
    const { irregular } = this.#memory;
    const at = this.#ring.append(keys.tokens, (from, to, count) => this.#memory.move(from, to, count));
    appendRows(arena, keys, { at, rows: this.#memory.keys, capacity, isFloat16, irregular });
    appendRows(arena, values, { at, rows: this.#memory.values, capacity, isFloat16, irregular });
  }

  #checkRoom(fn: string, tokens: number): void {
    const { room, length } = this.#ring;
    if (tokens > room)
      fail('memory', fn, `the cache has room for ${room} more tokens at once, got ${tokens}; nothing was appended`);
    if (length + tokens > MOST_TOKENS) fail('memory', fn, `a cache sees at most ${MOST_TOKENS} tokens`);
  }

  /**
   * Goes back to the first `length` tokens, as if no more had come.
   *
   * @throws AttentionError `value` where the next query would see tokens that are gone: with a window it goes back as far as before
   *   the last append, or to at most `sinkTokens` tokens; `disposed`.
   */
  truncate(length: number): void {
    const fn = 'kvCache.truncate';
    this.#use(fn);
    checkInteger(fn, 'length', length, 0, this.length);
    const { leastLength } = this.#ring;
    if (length > this.#config.sinkTokens && length < leastLength)
      fail('value', fn, `the window of token ${length} is gone; it can go back to ${leastLength}, got ${length}`);
    this.#ring.truncate(length);
  }

  /**
   * Another cache of the same tokens, with memory of its own: what is appended to one is not in the other.
   *
   * @throws AttentionError `memory` | `disposed`.
   */
  clone(): KvCache {
    const copy = new KvCache(this.#use('kvCache.clone'), this.#config);
    copy.#memory.copyFrom(this.#memory);
    copy.#ring.goBackTo(this.#ring);
    return copy;
  }

  /**
   * Forgets all tokens.
   *
   * @throws AttentionError `disposed`.
   */
  clear(): void {
    this.#use('kvCache.clear');
    this.#ring.truncate(0);
    this.#memory.forget();
  }

  /** Frees the memory. May be called again. */
  dispose(): void {
    this.#memory.dispose();
  }

  #use(fn: string): Instance {
    this.#instance.engine.check(fn);
    if (this.disposed) fail('disposed', fn, 'the cache has been disposed');
    return this.#instance;
  }

  #check(fn: string, { operand, heads: got }: Rows, width: number): void {
    const { batch, kvHeads } = this.#config;
    if (got.batch === batch && got.heads === kvHeads && got.width === width) return;
    fail(
      'shape',
      fn,
      `${operand.name} must be [B, Hkv, T, ${operand.name === 'k' ? 'D' : 'Dv'}] = [${batch}, ${kvHeads}, T, ${width}] as the cache was made, got ${formatShape(operand.shape)}`,
    );
  }
}

export interface KvCache extends KeyValueCache {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** @internal */
export function createCache(instance: Instance, config: CacheConfig): KvCache {
  return create(instance, config);
}
