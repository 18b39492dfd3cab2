/// <reference lib="esnext.disposable" preserve="true" />
/** Keys and values of the tokens so far, in wasm memory, for attention token by token. */
import { fail } from '../errors.ts';
import type { Frame } from '../frame.ts';
import type { HeadsShape } from '../layout.ts';
import type { Operand } from '../operands.ts';
import { checkInteger, readOptions } from '../options.ts';
import { remember, type CacheSource, type Tools } from '../programs.ts';
import { formatShape } from '../shapes.ts';
import type { ArrayInput } from '../types.ts';
import { APPEND_FIELDS } from './abi.ts';
import { CacheMemory } from './cache_memory.ts';
import { MOST_TOKENS, type CacheConfig } from './config.ts';
import { Ring } from './ring.ts';
import { readCache, type Within } from './source.ts';
import type { AppendOptions } from './types.ts';

let create: (tools: Tools, config: CacheConfig) => KvCache;

/** What is appended to one of the two arrays of a cache. */
interface Rows {
  readonly operand: Operand;
  readonly heads: HeadsShape;
}

/**
 * The keys and values of all tokens so far, for `fovea.attention(q, cache, options)`. Made by `kvCache`; its memory counts in
 * `fovea.memory().live`, and whoever makes one disposes it: `fovea.scope` leaves it alone, a FinalizationRegistry frees what was
 * forgotten, at some time or never.
 *
 * @example
 * import { kvCache } from 'fovea/cache';
 * const cache = kvCache(fovea, { heads: 1, width: 2, capacity: 8 });
 * cache.append([[[1, 0], [0, 1]]], [[[1, 2], [3, 4]]]);
 * cache.length; // 2
 * cache.dispose();
 */
export class KvCache {
  readonly #tools: Tools;
  readonly #config: CacheConfig;
  readonly #memory: CacheMemory;
  readonly #ring: Ring;
  readonly #within: Within = new WeakMap();

  static {
    create = (tools, config) => new KvCache(tools, config);
    if (typeof Symbol.dispose === 'symbol') {
      Object.defineProperty(KvCache.prototype, Symbol.dispose, {
        value(this: KvCache) {
          this.dispose();
        },
      });
    }
  }

  private constructor(tools: Tools, config: CacheConfig) {
    this.#tools = tools;
    this.#config = config;
    this.#memory = new CacheMemory(tools.instance.heap, 'kvCache', config);
    this.#ring = new Ring(config);
    const cache: CacheSource = (instance, fn, options, extra) => {
      if (instance !== tools.instance)
        fail('value', fn, 'the cache must be of this instance, got one that another load() made');
      if (this.disposed) fail('disposed', fn, 'the cache has been disposed');
      if (extra !== undefined) fail('option', fn, 'with a cache the options are the third argument, got a fourth');
      return readCache(fn, { config, memory: this.#memory, ring: this.#ring, within: this.#within }, options);
    };
    remember(this, { cache });
  }

  /** How many tokens it has seen, evicted ones counted: the next token's position. */
  get length(): number {
    return this.#ring.length;
  }

  /** How many of them the next query sees: all, or min(length, keepFirst + window). */
  get kept(): number {
    return this.#ring.kept;
  }

  get disposed(): boolean {
    return this.#memory.disposed || this.#tools.instance.engine.disposed;
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
    const tools = this.#use(fn);
    const choice = tools.readLayout(fn, readOptions(fn, options, ['layout', 'heads']));
    const read = (name: string, input: unknown): Rows => {
      const operand = tools.readOperand(tools.instance, fn, name, input);
      return { operand, heads: tools.readHeads(fn, operand, choice, choice.heads) };
    };
    const [keys, values] = [read('k', k), read('v', v)];
    const { width, valueWidth, rows, halves } = this.#config;
    this.#check(fn, keys, width);
    this.#check(fn, values, valueWidth);
    const { tokens } = keys.heads;
    if (tokens < 1 || tokens !== values.heads.tokens)
      fail(
        'shape',
        fn,
        `k and v must have as many tokens as each other, at least 1, got k ${formatShape(keys.operand.shape)}, v ${formatShape(values.operand.shape)}`,
      );
    const ring = this.#ring;
    if (tokens > ring.room)
      fail('memory', fn, `the cache has room for ${ring.room} more tokens at once, got ${tokens}; nothing was appended`);
    if (ring.length + tokens > MOST_TOKENS) fail('memory', fn, `a cache sees at most ${MOST_TOKENS} tokens`);
    const call = tools.plan(tools.instance, fn, (frame) => {
      const write = ({ operand, heads }: Rows): ((at: number, rowsAt: number) => void) => {
        const from = frame.place(operand);
        return (at, rowsAt) => appendRows(frame, heads, from.address, { at, rows: rowsAt, capacity: rows, halves });
      };
      const writes = [write(keys), write(values)] as const;
      const run = (): void => {
        const at = ring.append(tokens, (from, to, count) => this.#memory.move(from, to, count));
        writes[0](at, this.#memory.keys);
        writes[1](at, this.#memory.values);
      };
      frame.steps.push({ operation: null, run });
      return () => undefined;
    });
    tools.finish(call);
  }

  /**
   * Goes back to the first `length` tokens, as if no more had come.
   *
   * @throws AttentionError `value` where the next query would see tokens that are gone: with a window it goes back as far as before
   *   the last append, or to at most `keepFirst` tokens; `disposed`.
   */
  truncate(length: number): void {
    const fn = 'kvCache.truncate';
    this.#use(fn);
    checkInteger(fn, 'length', length, 0, this.length);
    const { leastLength } = this.#ring;
    if (length > this.#config.keepFirst && length < leastLength)
      fail('value', fn, `the window of token ${length} is gone; it can go back to ${leastLength}, got ${length}`);
    this.#ring.truncate(length);
  }

  /**
   * Another cache of the same tokens, with memory of its own: what is appended to one is not in the other.
   *
   * @throws AttentionError `memory` | `disposed`.
   */
  fork(): KvCache {
    const copy = new KvCache(this.#use('kvCache.fork'), this.#config);
    copy.#memory.copyFrom(this.#memory);
    copy.#ring.copyFrom(this.#ring);
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
  }

  /** Frees the memory. May be called again. */
  dispose(): void {
    this.#memory.dispose();
  }

  #use(fn: string): Tools {
    this.#tools.instance.engine.check(fn);
    if (this.disposed) fail('disposed', fn, 'the cache has been disposed');
    return this.#tools;
  }

  #check(fn: string, { operand, heads: got }: Rows, width: number): void {
    const { batch, heads } = this.#config;
    if (got.batch === batch && got.heads === heads && got.width === width) return;
    fail(
      'shape',
      fn,
      `${operand.name} must be [B, Hkv, T, ${operand.name === 'k' ? 'D' : 'Dv'}] = [${batch}, ${heads}, T, ${width}] as the cache was made, got ${formatShape(operand.shape)}`,
    );
  }
}

function appendRows(
  frame: Frame,
  heads: HeadsShape,
  from: number,
  to: { readonly at: number; readonly rows: number; readonly capacity: number; readonly halves: boolean },
): void {
  frame.run('appendRows', APPEND_FIELDS, {
    batch: heads.batch,
    heads: heads.heads,
    tokens: heads.tokens,
    width: heads.width,
    from,
    fromBatch: heads.batchStride,
    fromHead: heads.headStride,
    fromToken: heads.tokenStride,
    rows: to.rows,
    halves: Number(to.halves),
    capacity: to.capacity,
    at: to.at,
  });
}

export interface KvCache {
  /** The same as `dispose()`, for `using`; there where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** @internal */
export function createCache(tools: Tools, config: CacheConfig): KvCache {
  return create(tools, config);
}
