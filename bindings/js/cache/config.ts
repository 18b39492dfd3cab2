/** What a cache is made for. */
import { fail } from '../errors.ts';
import { checkChoice, checkInteger, readOptions } from '../options.ts';
import type { KvCacheOptions } from './types.ts';

export interface CacheConfig {
  readonly batch: number;
  readonly heads: number;
  readonly width: number;
  readonly valueWidth: number;
  /** Tokens that there is memory for. */
  readonly rows: number;
  readonly halves: boolean;
  /** Infinity: all tokens. */
  readonly window: number;
  readonly keepFirst: number;
}

/** Positions stay far enough from 2^31 for the core's 32-bit sums. */
export const MOST_TOKENS = 2 ** 29;

const LARGEST = 2 ** 20;

export function readConfig(fn: string, options: KvCacheOptions): CacheConfig {
  const known = readOptions(fn, options, ['batch', 'heads', 'width', 'valueWidth', 'capacity', 'store', 'window', 'keepFirst']);
  const { batch = 1, heads, width, valueWidth = width, capacity, store, window, keepFirst = 0 } = known;
  for (const [name, size] of Object.entries({ batch, heads, width, valueWidth })) checkInteger(fn, name, size, 1, LARGEST);
  checkInteger(fn, 'capacity', capacity, 1, MOST_TOKENS);
  checkChoice(fn, 'store', store, ['f32', 'f16']);
  const sizes = { batch, heads, width, valueWidth, halves: store === 'f16' };
  if (window === undefined) {
    if (known.keepFirst !== undefined) fail('option', fn, 'keepFirst must go with window, got keepFirst alone');
    return { ...sizes, rows: capacity, window: Infinity, keepFirst: 0 };
  }
  checkInteger(fn, 'window', window, 1, MOST_TOKENS);
  checkInteger(fn, 'keepFirst', keepFirst, 0, MOST_TOKENS);
  if (capacity < keepFirst + window)
    fail(
      'value',
      fn,
      `capacity must be at least keepFirst + window, got capacity ${capacity}, keepFirst ${keepFirst}, window ${window}`,
    );
  return { ...sizes, rows: capacity + window, window, keepFirst };
}

export function bytesOf({ batch, heads, width, valueWidth, rows, halves }: CacheConfig): number {
  return (halves ? 2 : 4) * batch * heads * rows * (width + valueWidth);
}
