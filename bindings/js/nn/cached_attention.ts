/** Multi-head attention whose keys and values are a cache's: those that earlier calls have projected, and those of this one. */
import type { PlannedAppend } from '../attention/options/cache_source.ts';
import type { HeadsShape } from '../attention/options/layout.ts';
import type { KeyValueCache } from '../attention/types/entries.ts';
import { finish, plan } from '../call/call.ts';
import { linear } from '../ops/products.ts';
import { readOperand } from '../tensor/operands.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { ReadOptions } from './forward_options.ts';
import type { CacheOwner } from './layer_caches.ts';
import type { MultiHeadAttention } from './multi_head_attention.ts';

/** A cache of a call, and the append of the tokens that it lacks; null where it has them all. */
export interface CallCache {
  readonly cache: KeyValueCache;
  readonly append: PlannedAppend | null;
}

/** Attention of the queries [T, E] or [B, T, E] over a cache, which first takes in the keys and values of `source`. */
export function attendCached(
  attention: MultiHeadAttention,
  fn: string,
  { kvHeads, headDim }: CacheOwner['config'],
  query: Tensor,
  source: Tensor,
  { cache, append }: CallCache,
  options: ReadOptions,
): Tensor {
  const { fovea, instance } = attention;
  const { Wq, Wk, Wv, Wo, bq, bk, bv, bo } = attention.params(fn);
  return fovea.scope(() => {
    if (append !== null) {
      const [k, v] = [linear(fovea, source, Wk, bk), linear(fovea, source, Wv, bv)];
      const [tokens, width] = k.shape.slice(-2) as [number, number];
      const heads: HeadsShape = {
        ...{ batch: append.batch, heads: kvHeads, tokens, width: headDim },
        ...{ batchStride: tokens * width, headStride: headDim, tokenStride: width },
      };
      const call = plan(instance, fn, (arena) => {
        const [keys, values] = [k, v].map((rows) => arena.place(readOperand(instance, fn, 'source', rows)));
        const run = (): void =>
          append.append(arena, { ...heads, address: keys!.address }, { ...heads, address: values!.address });
        arena.steps.push({ operation: null, run });
        return () => undefined;
      });
      finish(call);
    }
    const q = linear(fovea, query, Wq, bq);
    const { output } = fovea.attention(q, cache, { ...options, layout: 'btd', heads: kvHeads });
    return linear(fovea, output, Wo!, bo);
  });
}
