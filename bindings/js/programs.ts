/**
 * Where fovea/pattern, fovea/score and fovea/cache meet the functions that take a pattern, a score or a cache: one registry for both
 * sides, so that neither carries the other. Each is known by its source, an instance by what works on it, for other entries too.
 */
import type { Instance } from './instance.ts';
import type { Sizes } from './layout.ts';
import type { linearTools } from './linear_tools.ts';
import type { Operand } from './operands.ts';
import type { PatternTools } from './pattern_tools.ts';
import type { ReadParameter, ReadScore, ScoreInput } from './scores.ts';
import type { Rules } from './rules.ts';
import type { AttentionOptions } from './types.ts';

/**
 * What the other entries work with on an instance.
 * @internal
 */
export type Tools = PatternTools & typeof linearTools;

/** A pattern as the core reads it: one tree in prefix form, every node [op, words of the whole node, ...operands]. */
export interface Program {
  readonly words: Int32Array;
  /** Whether it may differ from one query head, or one batch entry, to the next. */
  readonly perHead: boolean;
  readonly perBatch: boolean;
  /** Whether it adds to logits. */
  readonly hasBias: boolean;
  readonly fits: readonly Fit[];
}

/** What a part of a pattern asks of the call that uses it. */
export interface Fit {
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
  /** Those of the call, with the place of its queries. */
  readonly options: AttentionOptions;
  /** Those of the call, with what has been evicted. */
  readonly rules: (rules: Rules, sizes: Sizes) => Rules;
}

/** `extra`: what was passed after the options. Throws where the cache or an option does not fit the call. */
export type CacheSource = (instance: Instance, fn: string, options: AttentionOptions, extra: unknown) => CachedKeys;

/** What an object of another entry is to the functions that are given it. */
export interface Known {
  readonly pattern?: PatternSource;
  readonly score?: ScoreSource;
  /** @internal */
  readonly cache?: CacheSource;
  /**
   * What works on the instance of a public object.
   * @internal
   */
  readonly tools?: Tools;
}

const known = new WeakMap<object, Known>();

export function remember(object: object, as: Known): void {
  known.set(object, as);
}

/** Undefined for everything that nobody has remembered. */
export function knownAs(value: unknown): Known | undefined {
  return known.get(value as object); // no object is none that is known
}
