/** The call of attention, as TypeScript sees it: over given keys and values, or over those of a cache. */
import type { KvCache } from './cache/kv_cache.ts';
import type { Pattern } from './pattern/pattern.ts';
import type { ArrayInput, AttentionOptions, AttentionResult, ResultArray, WeightsChoice, WeightsOf } from './types.ts';

/** The options of attention over a `KvCache`. */
export type CacheAttentionOptions<
  W extends WeightsChoice | undefined = WeightsChoice | undefined,
  P extends Pattern | undefined = Pattern | undefined,
> = Omit<AttentionOptions<W, P>, 'keyLengths' | 'kvHeads'>;

export interface AttentionCall {
  <Q extends ArrayInput, const W extends WeightsChoice | undefined = undefined, P extends Pattern | undefined = undefined>(
    q: Q,
    cache: KvCache,
    options?: CacheAttentionOptions<W, P>,
  ): AttentionResult<ResultArray<Q>, WeightsOf<ResultArray<Q>, W, P>>;

  <Q extends ArrayInput, const W extends WeightsChoice | undefined = undefined, P extends Pattern | undefined = undefined>(
    q: Q,
    k: ArrayInput,
    v: ArrayInput,
    options?: AttentionOptions<W, P>,
  ): AttentionResult<ResultArray<Q>, WeightsOf<ResultArray<Q>, W, P>>;
}
