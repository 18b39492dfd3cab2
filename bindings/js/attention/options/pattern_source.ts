/** The interface of a pattern that fovea/pattern makes, for the attention functions. */
import type { PatternBlock } from '../../../../build/generated/blocks/pattern.ts';
import type { CallArena } from '../../call/call_arena.ts';
import type { Ptr } from '../../call/ptr.ts';
import { internalsOf } from '../../runtime/internals.ts';

/** A pattern as the core reads it: one tree in prefix form, every node [op, words of the whole node, ...operands]. */
export interface Program {
  readonly words: Int32Array;
  /** Whether it may differ from one query head, or one batch entry, to the next. */
  readonly perHead: boolean;
  readonly perBatch: boolean;
  /** Whether it adds to logits. */
  readonly hasBias: boolean;
  /** The edges that `bias.edges` may give values; a text says why it cannot. */
  readonly edges: GraphEdges | string;
  readonly sizeConstraints: readonly SizeConstraint[];
}

/** The edges of a graph, in the order in which they were given. */
export interface GraphEdges {
  readonly count: number;
  /** The edge at each index of the program's list of pairs; null = that of the same number. */
  readonly order: Int32Array | null;
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

/** The pairs that plans are for: `queries` from `row` on, of some batch entries and query heads. */
export interface PlannedPairs {
  readonly batch: readonly [from: number, to: number];
  readonly head: readonly [from: number, to: number];
  readonly row: number;
  readonly queries: number;
  readonly keys: number;
}

/** The core's description of one batch entry and head: positions, and positional masks unless they are left out. */
export type PairFields = Pick<
  PatternBlock,
  | 'queries'
  | 'keys'
  | 'appendedKeys'
  | 'batch'
  | 'head'
  | 'offset'
  | 'length'
  | 'causal'
  | 'windowLeft'
  | 'windowRight'
  | 'direction'
  | 'edges'
>;

export interface PatternSource {
  /**
   * Gives one object for the same sizes, as long as its pattern lives: what is compiled out of it is kept by it. Throws where the
   * pattern is made for other sizes.
   */
  program(fn: string, sizes: PairSizes): Program;
  /** The program for a call of another thread, whose sizes have not been looked at yet: that is done there. */
  programOf(fn: string, args: NamedArguments): Program;
  /** Reserves a table of plans of a program for these pairs, and plans its filling: `fieldsOf` describes a batch entry and query head. */
  planTable(arena: CallArena, program: Program, pairs: PlannedPairs, fieldsOf: (b: number, h: number) => PairFields): Ptr;
}

/** Arguments by name, in order. The entries of `options` and `params` go by their own names. */
export type NamedArguments = readonly (readonly [name: string, value: unknown])[];

/** The pattern behind `value`; undefined for any other value. */
export function patternOf(fn: string, value: unknown): PatternSource | undefined {
  return internalsOf<PatternSource>(fn, value, 'pattern');
}
