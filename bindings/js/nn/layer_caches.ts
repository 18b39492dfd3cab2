/** The caches of layers, as their calls take tokens into them. */
import type { CacheSource, PlannedAppend } from '../attention/options/cache_source.ts';
import { describe, fail } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';
import type { Instance } from '../runtime/instance.ts';
import { internalsOf } from '../runtime/internals.ts';
import type { LayerConfig } from './layer_config.ts';

/** A layer, and the sizes that its caches have. */
export interface CacheOwner {
  readonly instance: Instance;
  readonly config: Pick<LayerConfig, 'kvHeads' | 'headDim'>;
}

/** The append of a layer's tokens to its cache, which must have the layer's sizes. */
export function planAppend(
  { instance, config: { kvHeads, headDim } }: CacheOwner,
  fn: string,
  name: string,
  cache: unknown,
  batch: number,
  tokens: number,
): PlannedAppend {
  const source = internalsOf<CacheSource>(fn, cache, 'cache');
  if (source === undefined)
    return fail('value', fn, `${name} must be a KvCache that fovea/cache has made, got ${describe(cache)}`);
  const append = source.plan(instance, fn, tokens);
  if (append.batch !== batch || append.kvHeads !== kvHeads || append.width !== headDim || append.valueWidth !== headDim)
    fail(
      'shape',
      fn,
      `${name} must be of batch ${batch}, kvHeads ${kvHeads} and width ${headDim}, got batch ${append.batch}, kvHeads ${append.kvHeads}, width ${append.width}, valueWidth ${append.valueWidth}`,
    );
  return append;
}

/** The appends of a call's tokens to the caches of a stack, which must have one length. */
export function planAppends(
  layers: readonly CacheOwner[],
  fn: string,
  caches: unknown,
  batch: number,
  tokens: number,
): PlannedAppend[] {
  const list = readCacheList(fn, 'caches', caches, layers.length);
  const appends = list.map((cache, n) => planAppend(layers[n]!, fn, `caches[${n}]`, cache, batch, tokens));
  const other = appends.findIndex(({ position }) => position !== appends[0]!.position);
  if (other > 0)
    fail(
      'value',
      fn,
      `caches must have one length, got ${appends[0]!.position} of caches[0] and ${appends[other]!.position} of caches[${other}]`,
    );
  return appends;
}

/** A list of one cache per layer, each its own. */
export function readCacheList(fn: string, name: string, caches: unknown, layers: number): unknown[] {
  if (!isList(caches) || caches.length !== layers)
    return fail('value', fn, `${name} must be a list of one KvCache per layer, ${layers}, got ${describe(caches)}`);
  const list = [...caches];
  if (new Set(list).size < list.length) fail('value', fn, `${name} must be a KvCache of its own for each layer`);
  return list;
}
