/** The interface of a cache that fovea/cache makes, for the attention functions. */
import type { Instance } from '../../runtime/instance.ts';
import { internalsOf } from '../../runtime/internals.ts';
import type { Operand } from '../../tensor/operands.ts';
import type { AttentionOptions } from '../types/options.ts';
import type { Sizes } from './layout.ts';
import type { AttentionSpec } from './attention_spec.ts';

/** The keys and values of a cache, for one call. */
export interface CachedKeys {
  /** [B, Hkv, tokens ever seen, width]; not every row is in memory, and it may hold half floats. */
  readonly k: Operand;
  readonly v: Operand;
  /** The call's options, with the offset of its queries. */
  readonly options: AttentionOptions;
  /** The spec of the call, with the evicted keys. */
  readonly spec: (spec: AttentionSpec, sizes: Sizes) => AttentionSpec;
}

/** `extra`: what was passed after the options. Throws where the cache or an option does not fit the call. */
export type CacheSource = (instance: Instance, fn: string, options: AttentionOptions, extra: unknown) => CachedKeys;

/** The cache behind `value`; undefined for any other value. */
export function cacheOf(fn: string, value: unknown): CacheSource | undefined {
  return internalsOf<CacheSource>(fn, value, 'cache');
}
