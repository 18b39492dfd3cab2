/** The call of attention, as TypeScript sees it: over given keys and values, or over those of a cache. */
import type { AttentionPattern, KeyValueCache } from './entries.ts';
import type { AskLogits, AskLse, AskTrace, AskWeights, RequestedResult, RequestTypes } from './results.ts';
import type { ArrayInput, ResultArray } from '../../tensor/array_input.ts';
import type { AttentionOptions } from './options.ts';

/** The options of attention over a `KvCache`. */
export type CacheAttentionOptions<R extends RequestTypes = RequestTypes> = Omit<AttentionOptions<R>, 'keyLengths' | 'kvHeads'>;

/** `attention` of an instance: over given keys and values, or over those of a cache. */
export interface AttentionCall {
  /**
   * Scaled dot-product attention: softmax(cap(scale·q·kᵀ) + bias + mask)·v over the allowed keys of each query.
   *
   * A pair is allowed when keyLengths, causal, window, mask and pattern all allow it; time follows the pairs of the pattern. A row without an allowed key has zero weights,
   * zero output and lse -Infinity. NaN or Infinity in a forbidden key or value leaks nowhere; a NaN or +Infinity logit in an
   * allowed pair makes its own row NaN and no other.
   *
   * @param q [Tq, D], [H, Tq, D] or [B, H, Tq, D]; other layouts by the options `layout` and `heads`.
   * @param k [..., Tk, D]; Hkv equals or divides H; batch sizes equal or 1. Query head h reads head floor(h·Hkv/H).
   * @param v [..., Tk, Dv]. Instead of k and v a `KvCache` of fovea/cache: `attention(q, cache, options)`.
   * @param options a `score` of fovea/score takes the place of q·kᵀ; q and k may differ in width where it says so.
   * @returns `output` with q's rank and layout and width Dv; `weights` [B, H, Tq, Tk], `lse` [B, H, Tq] and `logits`
   *   [B, H, Tq, Tk] less the axes that q lacks, where asked for; `trace`. With a pattern `returnWeights: true` gives lists of the
   *   allowed pairs; logits of pairs outside of the pattern are -Infinity.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   *
   * Accuracy: at most twice the error of the float32 definition plus 8 eps. Each row's bits depend only on its own query, its
   * allowed keys and values and the options, with a pattern also on which queries the call has (docs/numerics.md); asking for weights, lse,
   * logits or a trace changes no bit of the output.
   * Source: Vaswani et al. 2017, arXiv:1706.03762 §3.2.1.
   * @example
   * const { output, weights } = fovea.attention([[1, 0]], [[1, 0], [0, 1]], [[1, 2], [3, 4]], { returnWeights: true });
   */
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
    options?: AttentionOptions<RequestTypes<W, P, L, G, T>>,
  ): RequestedResult<ResultArray<Q>, RequestTypes<W, P, L, G, T>>;

  /**
   * Attention over the keys and values of a cache, those of the tokens so far: append first, then attend.
   *
   * @param q [Tq, D], [H, Tq, D] or [B, H, Tq, D]: the newest tokens; other layouts by the options `layout` and `heads`.
   * @param cache a `KvCache` of fovea/cache; p(i) = cache.length - Tq + i unless the options say otherwise.
   * @param options as with k and v, but keyLengths and kvHeads.
   * @returns as with k and v; Tk is cache.length.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   * @example
   * import { kvCache } from 'fovea/cache';
   * const cache = kvCache(fovea, { kvHeads: 1, width: 2, capacity: 8 });
   * cache.append([[1, 0], [0, 1]], [[1, 2], [3, 4]]);
   * const { output } = fovea.attention([[1, 0]], cache);
   * cache.dispose();
   */
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
    options?: CacheAttentionOptions<RequestTypes<W, P, L, G, T>>,
  ): RequestedResult<ResultArray<Q>, RequestTypes<W, P, L, G, T>>;
}
