/** Making a KvCache. */
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { readConfig } from './config.ts';
import { createCache, type KvCache } from './kv_cache.ts';
import type { KvCacheOptions } from './types.ts';

/**
 * An empty cache of keys and values, for decoding: `cache.append(k, v)`, then `fovea.attention(q, cache, options)`, whose queries
 * are the last tokens, p(i) = cache.length - Tq + i; one query at a time needs no `causal`, several do. All options of attention
 * go with it but `keyLengths` and `kvHeads` (with a window or 'float16' also not `trace`; with a window also not `causalOffset`).
 * Masks, weights and logits have a column for every token ever seen, patterns and biases count tokens from the first.
 *
 * With `window` a query at p sees the tokens j > p - window, and j < sinkTokens: what a cache would have kept if tokens had come one
 * at a time, however many are appended at once. So a call must follow the append of its queries' tokens. Evicted tokens are
 * forbidden: weights 0, logits -Infinity at every stage, patterns without them.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker, which takes no cache.
 * @param options `heads`, `width` and `capacity`; others where they differ from their defaults.
 * @throws AttentionError `value` | `option` | `disposed` | `memory`; `load` where fovea/cache and the .wasm file differ in version.
 *
 * Memory, all of it at once: B·Hkv·rows·(D + Dv) numbers of 4 bytes, 2 with 'float16' and a word more, rounded up to 16 bytes; rows = capacity, with a
 * window capacity + window. An append beyond that is a `memory` error; with a window, capacity - sinkTokens tokens always have room,
 * and rows move at most once per `window` tokens.
 *
 * Accuracy: that of attention; the bits are those of a call over the same keys and values in arrays, evicted ones forbidden. 'float16'
 * rounds to nearest, ties to even: keys and values are off by at most 2^-11 of themselves (below 2^-14 by 2^-25; from 65520 on they
 * are infinite), and are float32 again when used. Outputs move by at most 2^-11·(1 + 2s)·max|v| to first order, where s is the
 * largest |scale|·Σ|q·k| of a query and a key: 1.04e-3 was measured where that is 4.0e-2 (normal q, k, v; D = 64, 512 tokens).
 * @example
 * import { kvCache } from 'fovea/cache';
 * const cache = kvCache(fovea, { kvHeads: 1, width: 2, capacity: 64, window: 16, sinkTokens: 4, dtype: 'float16' });
 * cache.append([[[1, 0]]], [[[5, 6]]]);
 * fovea.attention([[[1, 0]]], cache).output; // [[[5, 6]]]
 * cache.dispose();
 */
export function kvCache(fovea: Fovea, options: KvCacheOptions): KvCache {
  const fn = 'kvCache';
  return createCache(instanceOf(fn, fovea), readConfig(fn, options));
}
