/**
 * Where fovea/pattern and the functions that take a pattern meet: one registry for both, so that neither carries the other.
 * A pattern is known by its source, an instance by what it can tell about patterns.
 */

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
  /** The same object for the same sizes, as long as its pattern lives: what is compiled out of it is kept by it. */
  program(fn: string, sizes: PairSizes): Program;
}

/** For each group of pairs that may differ, [batch, heads]: how many keys each query has, and which. */
export interface KeptPairs {
  readonly batch: number;
  readonly heads: number;
  /** [batch, heads, Tq] */
  readonly counts: Int32Array;
  /** Row after row, ascending; empty unless asked for. */
  readonly indices: Int32Array;
}

/** Buckets of LSH: [rounds, batch, heads, tokens]. */
export interface HashedTokens {
  readonly ids: Int32Array;
  readonly batch: number;
  readonly heads: number;
  readonly tokens: number;
}

/** What an instance tells about patterns. */
export interface Evaluator {
  pairs(fn: string, source: PatternSource, sizes: PairSizes, indices: boolean): KeptPairs;
  hash(fn: string, arrays: Record<string, unknown>, buckets: number, rounds: number, seed: number): HashedTokens[];
}

const sources = new WeakMap<object, PatternSource>();
const evaluators = new WeakMap<object, Evaluator>();

export function rememberPattern(pattern: object, source: PatternSource): void {
  sources.set(pattern, source);
}

/** The source of a pattern; undefined for everything else. */
export function patternSource(value: unknown): PatternSource | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value) : undefined;
}

export function rememberEvaluator(fovea: object, evaluator: Evaluator): void {
  evaluators.set(fovea, evaluator);
}

/** What the instance of a public object tells; undefined for everything else. */
export function evaluatorOf(value: unknown): Evaluator | undefined {
  return typeof value === 'object' && value !== null ? evaluators.get(value) : undefined;
}
