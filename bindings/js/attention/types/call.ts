/** The call of attention, as TypeScript sees it: over given keys and values, or over those of a cache. */
import type { AttentionPattern, KeyValueCache } from './entries.ts';
import type { AskLogits, AskLse, AskTrace, AskWeights, RequestedResult } from './results.ts';
import type { ArrayInput, ResultArray } from '../../tensor/array_input.ts';
import type { AttentionOptions } from './options.ts';

/** The options of attention over a `KvCache`. */
export type CacheAttentionOptions<
  W extends AskWeights = AskWeights,
  P extends AttentionPattern | undefined = AttentionPattern | undefined,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
> = Omit<AttentionOptions<W, P, L, G, T>, 'keyLengths' | 'kvHeads'>;

export interface AttentionCall {
  <
    Q extends ArrayInput,
    const W extends AskWeights = undefined,
    P extends AttentionPattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    q: Q,
    cache: KeyValueCache,
    options?: CacheAttentionOptions<W, P, L, G, T>,
  ): RequestedResult<ResultArray<Q>, W, P, L, G, T>;

  <
    Q extends ArrayInput,
    const W extends AskWeights = undefined,
    P extends AttentionPattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    q: Q,
    k: ArrayInput,
    v: ArrayInput,
    options?: AttentionOptions<W, P, L, G, T>,
  ): RequestedResult<ResultArray<Q>, W, P, L, G, T>;
}
