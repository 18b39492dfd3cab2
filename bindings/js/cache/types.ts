/** The public types of fovea/cache. Hkv key/value heads, D key width, Dv value width. */
import type { AttentionOptions } from '../attention/types/options.ts';

export type CacheDtype = 'float32' | 'float16';

export interface KvCacheOptions {
  /** Default 1. */
  readonly batch?: number | undefined;
  /** Hkv. */
  readonly kvHeads: number;
  /** The width of keys, D. */
  readonly width: number;
  /** The width of values, Dv; default D. */
  readonly valueWidth?: number | undefined;
  /** Without a window the most tokens that it holds; with one at least sinkTokens + window: see `kvCache`. */
  readonly capacity: number;
  /** Default 'float32'; 'float16' takes half the memory and rounds to nearest even. */
  readonly dtype?: CacheDtype | undefined;
  /** How many of the most recent tokens a query sees, its own counted; older ones are evicted. Default: all. */
  readonly window?: number | undefined;
  /** With a window: how many of the first tokens are never evicted (attention sinks). Default 0. */
  readonly sinkTokens?: number | undefined;
}

/** The order of axes of the arrays that are appended, as for attention; `kvHeads` are packed in their width. */
export type AppendOptions = Pick<AttentionOptions, 'layout' | 'kvHeads'>;
