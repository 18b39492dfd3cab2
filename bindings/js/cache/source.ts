/** A cache as attention reads it: its arrays, the place of the queries, and what a ring has evicted. */
import { describe, fail } from '../errors/errors.ts';
import { readProperty } from '../errors/objects.ts';
import { isObject, ownProperties } from '../errors/options.ts';
import type { Operand } from '../tensor/operands.ts';
import type { CachedKeys } from '../attention/options/cache_source.ts';
import type { Program } from '../attention/options/pattern_source.ts';
import type { KvLayout, AttentionSpec } from '../attention/options/attention_spec.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import type { CacheMemory } from './cache_memory.ts';
import type { CacheConfig } from './config.ts';
import type { SlidingWindowBuffer } from './sliding_window_buffer.ts';

/** The patterns of calls without the keys that a ring has evicted: plans are kept by their program. */
export type Within = WeakMap<Program, Program>;

export function readCache(
  fn: string,
  { config, memory, ring, within }: { config: CacheConfig; memory: CacheMemory; ring: SlidingWindowBuffer; within: Within },
  options: AttentionOptions,
): CachedKeys {
  const isRing = config.window < Infinity;
  refuse(fn, options, 'keyLengths', 'all sequences of a cache have one length; forbid keys with a mask');
  refuse(fn, options, 'kvHeads', 'the cache has its own');
  if (isRing || config.isFloat16)
    refuse(fn, options, 'trace', 'it copies keys and values as float32 from one end to the other');
  if (isRing) {
    const hint = 'the queries of a cache with a window are its last tokens';
    refuse(fn, options, 'causalOffset', hint);
    if (options.causalAlign !== 'bottom-right') refuse(fn, options, 'causalAlign', hint);
  }
  const placed = options.causalOffset !== undefined || options.causalAlign !== undefined;
  return {
    k: operandOf('the cache', config, ring.length, memory, memory.keys, config.width),
    v: operandOf('the cache', config, ring.length, memory, memory.values, config.valueWidth),
    options: placed ? options : Object.assign(ownProperties(options), { causalAlign: 'bottom-right' as const }),
    spec(spec, { queries }) {
      const { pattern } = spec;
      if (isRing) checkQueries(fn, ring, queries);
      const pairs = isRing ? pairsOf(config) : null;
      return {
        ...spec,
        pattern: pattern === null || pairs === null ? pattern : inside(within, pattern, pairs),
        kvLayout: kvLayoutOf(config, memory, ring, pairs),
      } satisfies AttentionSpec;
    },
  };
}

/** The options of a call with a cache, out of what followed it. */
export function optionsOf(fn: string, given: unknown, extra: unknown): AttentionOptions | undefined {
  const isArray =
    typeof given === 'object' && given !== null && (!isObject(given) || readProperty(given, 'data') !== undefined);
  if (isArray)
    fail(
      'option',
      fn,
      `a cache holds keys and values: append the values with it, and pass q, cache, options, got ${describe(given)} after the cache`,
    );
  if (extra !== undefined) fail('option', fn, 'with a cache the options are the third argument, got a fourth');
  return given as AttentionOptions | undefined;
}

function refuse(fn: string, options: AttentionOptions, name: keyof AttentionOptions, why: string): void {
  const value = options[name];
  if (value !== undefined && value !== false) fail('option', fn, `${name} does not go with this cache: ${why}`);
}

function operandOf(
  name: string,
  { batch, kvHeads, rows }: CacheConfig,
  length: number,
  owner: CacheMemory,
  address: number,
  width: number,
): Operand {
  return {
    name,
    shape: [batch, kvHeads, length, width],
    strides: [kvHeads * rows * width, rows * width, width, 1],
    address,
    owner,
    data: [],
    kind: 'KvCache',
    occupies: null,
    format: 0,
  };
}

function kvLayoutOf(
  { isFloat16, sinkTokens, window }: CacheConfig,
  memory: CacheMemory,
  { shift }: SlidingWindowBuffer,
  pairs: Int32Array | null,
): KvLayout {
  return {
    kvFloat16: Number(isFloat16),
    kvSinkTokens: sinkTokens,
    kvEvictedRows: shift,
    kvWindow: window === Infinity ? 0 : window,
    kvIrregular: memory.irregular,
    pairs,
  };
}

function checkQueries(fn: string, ring: SlidingWindowBuffer, queries: number): void {
  const first = ring.length - queries;
  if (queries === 0 || ring.from <= ring.firstSeen(first)) return;
  fail(
    'value',
    fn,
    `the first of ${queries} queries is token ${first}, which sees tokens from ${ring.firstSeen(first)} on, but of those before ${ring.from} some are gone; attend after each append`,
  );
}

const AND = 14;
const OR = 13;
const COLUMNS = 5;
const BAND = 1;

/** columns [0, sinkTokens) or keys from p - window + 1 on, as the core reads patterns (src/attention/pattern/program.hpp). */
function pairsOf({ sinkTokens, window }: CacheConfig): Int32Array {
  const recent = [BAND, 4, window - 1, -1];
  if (sinkTokens === 0) return Int32Array.from(recent);
  return Int32Array.from([OR, 12, 2, COLUMNS, 5, 2 ** 31 - 1, 0, sinkTokens, ...recent]);
}

function inside(within: Within, program: Program, pairs: Int32Array): Program {
  let known = within.get(program);
  if (known === undefined) {
    const words = [AND, 3 + program.words.length + pairs.length, 2, ...program.words, ...pairs];
    known = { ...program, words: Int32Array.from(words) };
    within.set(program, known);
  }
  return known;
}
