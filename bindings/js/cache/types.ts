/** The public types of fovea/cache. Hkv key/value heads, D key width, Dv value width. */
import type { AttentionOptions } from '../types.ts';

export type CacheStore = 'f32' | 'f16';

export interface KvCacheOptions {
  /** Default 1. */
  readonly batch?: number | undefined;
  /** Key/value heads, Hkv. */
  readonly heads: number;
  /** Of keys, D. */
  readonly width: number;
  /** Of values, Dv; default D. */
  readonly valueWidth?: number | undefined;
  /** Without a window the most tokens that it holds; with one at least keepFirst + window: see `kvCache`. */
  readonly capacity: number;
  /** 'f32' (default), or 'f16': half the memory, numbers rounded to IEEE half floats. */
  readonly store?: CacheStore | undefined;
  /** How many of the most recent tokens a query sees, its own counted; older ones are evicted. Default: all. */
  readonly window?: number | undefined;
  /** With a window: how many of the first tokens are never evicted (attention sinks). Default 0. */
  readonly keepFirst?: number | undefined;
}

/** Order of axes of the arrays that are appended: as for attention; `heads` are those packed in the width. */
export type AppendOptions = Pick<AttentionOptions, 'layout' | 'heads'>;
