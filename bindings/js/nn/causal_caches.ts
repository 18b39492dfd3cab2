/** The caches of a stack of layers, one for each. */
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import { describe, fail } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';
import { planAppend, type CausalDecoderLayer } from './causal_decoder_layer.ts';

/** The appends of a call's tokens to the caches, which must have one length. */
export function planAppends(
  layers: readonly CausalDecoderLayer[],
  fn: string,
  caches: unknown,
  batch: number,
  tokens: number,
): PlannedAppend[] {
  if (!isList(caches) || caches.length !== layers.length)
    return fail('value', fn, `caches must be a list of one KvCache per layer, ${layers.length}, got ${describe(caches)}`);
  const list = [...caches];
  if (new Set(list).size < list.length) fail('value', fn, 'caches must be a KvCache of its own for each layer');
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
