/**
 * The interfaces of a pattern, a score or a cache that another entry makes, for the attention functions. Each is known by its internals, so
 * that neither side carries the other.
 */
import type { Instance } from '../runtime/instance.ts';
import { internalsOf } from '../runtime/internals.ts';
import type { Sizes } from './layout.ts';
import type { Operand } from '../tensor/operands.ts';
import type { ReadParameter, ReadScore, ScoreInput } from './scores.ts';
import type { Rules } from './rules.ts';
import type { AttentionOptions } from './types.ts';

/** A pattern as the core reads it: one tree in prefix form, every node [op, words of the whole node, ...operands]. */
export interface Program {
  readonly words: Int32Array;
  /** Whether it may differ from one query head, or one batch entry, to the next. */
  readonly perHead: boolean;
  readonly perBatch: boolean;
  /** Whether it adds to logits. */
  readonly hasBias: boolean;
  readonly fits: readonly SizeConstraint[];
}

/** The sizes that a part of a pattern requires of a call. */
export interface SizeConstraint {
  /** The part, as messages name it. */
  readonly part: string;
  readonly batch?: number;
  readonly heads?: number;
  /** Positions lie in [0, rows). */
  readonly rows?: number;
  readonly keys?: number;
  /** The call has more keys than this. */
  readonly lastKey?: number;
}

/** The pairs that a pattern is asked about: those of a call. */
export interface PairSizes {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  /** [B]: query i stands at i + offset; null = 0. */
  readonly offsets: Int32Array | null;
}

export interface PatternSource {
  /**
   * The same object for the same sizes, as long as its pattern lives: what is compiled out of it is kept by it. Throws where the
   * pattern is made for other sizes.
   */
  program(fn: string, sizes: PairSizes): Program;
  /** The program for a call of another thread, whose sizes have not been looked at yet: that is done there. */
  programOf(fn: string, args: NamedArguments): Program;
}

/** Arguments by name, in order. The entries of `options` and `params` go by their own names. */
export type NamedArguments = readonly (readonly [name: string, value: unknown])[];

export interface ScoreSource {
  /** Its parameters as a call with such q and k reads them; throws where they do not fit. */
  read(fn: string, q: ScoreInput, k: ScoreInput, parameter: ReadParameter): ReadScore;
}

/** The keys and values of a cache, for one call. */
export interface CachedKeys {
  /** [B, Hkv, tokens ever seen, width]; not every row is in memory, and it may hold half floats. */
  readonly k: Operand;
  readonly v: Operand;
  /** The call's options, with the offset of its queries. */
  readonly options: AttentionOptions;
  /** The call's rules, with the evicted keys. */
  readonly rules: (rules: Rules, sizes: Sizes) => Rules;
}

/** `extra`: what was passed after the options. Throws where the cache or an option does not fit the call. */
export type CacheSource = (instance: Instance, fn: string, options: AttentionOptions, extra: unknown) => CachedKeys;

/** The pattern, score or cache behind `value`; undefined for any other value. */
export function patternOf(fn: string, value: unknown): PatternSource | undefined {
  return internalsOf<PatternSource>(fn, value, 'pattern');
}

export function scoreOf(fn: string, value: unknown): ScoreSource | undefined {
  return internalsOf<ScoreSource>(fn, value, 'score');
}

export function cacheOf(fn: string, value: unknown): CacheSource | undefined {
  return internalsOf<CacheSource>(fn, value, 'cache');
}
