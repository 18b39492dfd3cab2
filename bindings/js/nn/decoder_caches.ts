/** The caches of decoder layers over a memory: which tokens each takes in, and what becomes of them where the call fails. */
import type { KeyValueCache } from '../attention/types/entries.ts';
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import { fail } from '../errors/errors.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { CallCache } from './cached_attention.ts';
import { planAppend, planAppends, readCacheList, type CacheOwner } from './layer_caches.ts';
import { undoOnError } from './repeated_steps.ts';
import { sequenceShape } from './sizes.ts';

export interface DecoderCaches {
  /** The tokens before x, for reading the options; null where there is no cache. */
  readonly before: number | null;
  /** By layer; null where an attention has none. */
  readonly list: readonly { readonly cache: CallCache | null; readonly memoryCache: CallCache | null }[];
  /** Where the body fails, no cache has more tokens than before. */
  readonly during: <R>(body: () => R) => R;
}

/** @param caches `memoryCaches` that are empty are filled by this call; others must have as many tokens as memory. */
export function readDecoderCaches(
  fn: string,
  layers: readonly CacheOwner[],
  x: Tensor,
  memory: Tensor,
  caches: unknown,
  memoryCaches: unknown,
): DecoderCaches {
  const { instance } = layers[0]!;
  const [own, seen] = [sequenceShape(instance, fn, 'x', x), sequenceShape(instance, fn, 'memory', memory)];
  const batchOf = (shape: readonly number[]): number => (shape.length === 3 ? shape[0]! : 1);
  const appends = caches === undefined ? null : planAppends(layers, fn, caches, batchOf(own), own.at(-2)!);
  const ofMemory = memoryCaches === undefined ? null : planMemory(fn, layers, memoryCaches, batchOf(seen), seen.at(-2)!);
  const all = [...(appends === null ? [] : (caches as unknown[])), ...(ofMemory === null ? [] : (memoryCaches as unknown[]))];
  if (new Set(all).size < all.length)
    fail('value', fn, 'caches and memoryCaches must be a KvCache of its own for each attention');
  const list = layers.map((_, n) => ({
    cache: appends === null ? null : { cache: (caches as KeyValueCache[])[n]!, append: appends[n]! },
    memoryCache: ofMemory?.[n] ?? null,
  }));
  const undone = [...(appends ?? []), ...(ofMemory ?? []).map(({ append }) => append)];
  return {
    before: all.length === 0 ? null : (appends?.[0]?.position ?? 0),
    list,
    during: (body) =>
      undoOnError(
        undone.filter((append) => append !== null),
        body,
      ),
  };
}

function planMemory(
  fn: string,
  layers: readonly CacheOwner[],
  caches: unknown,
  batch: number,
  tokens: number,
): { cache: KeyValueCache; append: PlannedAppend | null }[] {
  return readCacheList(fn, 'memoryCaches', caches, layers.length).map((cache, n) => {
    const name = `memoryCaches[${n}]`;
    const { position, window } = planAppend(layers[n]!, fn, name, cache, batch, 0);
    if (window < Infinity) fail('value', fn, `${name} must keep all tokens, got a KvCache with a window`);
    if (position !== 0 && position !== tokens)
      fail('value', fn, `${name} must be empty or have the ${tokens} tokens of memory, got ${position}`);
    const append = position === 0 ? planAppend(layers[n]!, fn, name, cache, batch, tokens) : null;
    return { cache: cache as KeyValueCache, append };
  });
}
