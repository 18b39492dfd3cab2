/** The sizes of a cache. */
import { fail } from '../errors/errors.ts';
import { checkChoice, checkInteger, readOptions } from '../errors/options.ts';
import type { KvCacheOptions } from './types.ts';

export interface CacheConfig {
  readonly batch: number;
  readonly kvHeads: number;
  readonly width: number;
  readonly valueWidth: number;
  /** Tokens that there is memory for. */
  readonly rows: number;
  readonly isFloat16: boolean;
  /** Infinity: all tokens. */
  readonly window: number;
  readonly sinkTokens: number;
}

/** Positions stay far enough from 2^31 for the core's 32-bit sums. */
export const MOST_TOKENS = 2 ** 29;

const MAX_DIM = 2 ** 20;

export function readConfig(fn: string, options: KvCacheOptions): CacheConfig {
  const known = readOptions(fn, options, [
    'batch',
    'kvHeads',
    'width',
    'valueWidth',
    'capacity',
    'dtype',
    'window',
    'sinkTokens',
  ]);
  const { batch = 1, kvHeads, width, valueWidth = width, capacity, dtype, window, sinkTokens = 0 } = known;
  for (const [name, size] of Object.entries({ batch, kvHeads, width, valueWidth })) checkInteger(fn, name, size, 1, MAX_DIM);
  checkInteger(fn, 'capacity', capacity, 1, MOST_TOKENS);
  checkChoice(fn, 'dtype', dtype, ['float32', 'float16']);
  const sizes = { batch, kvHeads, width, valueWidth, isFloat16: dtype === 'float16' };
  if (window === undefined) {
    if (known.sinkTokens !== undefined) fail('option', fn, 'sinkTokens must go with window, got sinkTokens alone');
    return { ...sizes, rows: capacity, window: Infinity, sinkTokens: 0 };
  }
  checkInteger(fn, 'window', window, 1, MOST_TOKENS);
  checkInteger(fn, 'sinkTokens', sinkTokens, 0, MOST_TOKENS);
  if (capacity < sinkTokens + window)
    fail(
      'value',
      fn,
      `capacity must be at least sinkTokens + window, got capacity ${capacity}, sinkTokens ${sinkTokens}, window ${window}`,
    );
  return { ...sizes, rows: capacity + window, window, sinkTokens };
}

export function bytesOf({ batch, kvHeads, width, valueWidth, rows, isFloat16 }: CacheConfig): number {
  return (isFloat16 ? 2 : 4) * batch * kvHeads * rows * (width + valueWidth);
}

/** Bytes of a cache: those of its numbers, and with float16 a word behind them. */
export function memoryOf(config: CacheConfig): number {
  const bytes = bytesOf(config);
  return config.isFloat16 ? Math.ceil(bytes / 4) * 4 + 4 : bytes;
}
