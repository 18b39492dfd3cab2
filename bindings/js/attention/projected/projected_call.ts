/** A call of selfAttention or multiHeadAttention. */
import type { CallArena } from '../../call/call_arena.ts';
import type { Axes, Sizes } from '../options/layout.ts';
import type { AttentionSpec } from '../options/attention_spec.ts';
import type { MultiHeadOptions } from '../types/projected.ts';
import type { Projections, Sequences } from './params.ts';

/** One call, its arguments named but not yet checked against each other. */
export interface ProjectedCall {
  readonly fn: string;
  readonly inputs: Sequences;
  readonly params: unknown;
  readonly paramNames: readonly string[];
  /** Options that are present; `heads` undefined = one head, and results without the axis of heads. */
  readonly options: Omit<MultiHeadOptions, 'heads'> & { readonly heads?: number | undefined };
  readonly asTensor: boolean;
}

/** A call whose sizes and spec are read. */
export interface Projected {
  readonly arena: CallArena;
  readonly call: ProjectedCall;
  readonly weights: Projections;
  readonly axes: Axes;
  /** With the appended keys counted. */
  readonly sizes: Sizes;
  readonly ownKeys: number;
  readonly spec: AttentionSpec;
}
