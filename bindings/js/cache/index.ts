/** The entry `fovea/cache`: keys and values kept for decoding. */
export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export type { CacheAttentionOptions } from '../attention/types/call.ts';
export type { KvCache } from './kv_cache.ts';
export { kvCache } from './make_cache.ts';
export type * from './types.ts';
