/** The interface of a cache that fovea/cache makes, for the attention functions. */
import type { Instance } from '../../runtime/instance.ts';
import type { Operand } from '../../tensor/operands.ts';
import type { AttentionOptions } from '../types/options.ts';
import type { CallArena } from '../../call/call_arena.ts';
import type { HeadsShape, Sizes } from './layout.ts';
import type { AttentionSpec } from './attention_spec.ts';

/** The keys and values of a cache, for one call. */
export interface CachedKeys {
  /** [B, Hkv, tokens ever seen, width]; not every row is in memory, and it may hold half floats. */
  readonly k: Operand;
  readonly v: Operand;
  /** The call's options, with the offset of its queries. */
  readonly options: AttentionOptions;
  /** The spec of the call, with the evicted keys. */
  readonly spec: (spec: AttentionSpec, sizes: Sizes) => AttentionSpec;
}

/** Rows at an address. */
export interface RowsAt extends HeadsShape {
  readonly address: number;
}

/** An append that is planned: the cache is as it was until `append` runs. */
export interface PlannedAppend {
  readonly batch: number;
  readonly kvHeads: number;
  readonly width: number;
  readonly valueWidth: number;
  /** Infinity: all tokens. */
  readonly window: number;
  /** The first token's position. */
  readonly position: number;
  /** Where its keys are, and the rows and bytes of a number that they have: equal for calls that differ by the position alone. */
  readonly place: string;
  /** The cache as a call after the append reads it. */
  readonly read: (options: AttentionOptions) => CachedKeys;
  readonly append: (arena: CallArena, keys: RowsAt, values: RowsAt) => void;
  /** Counts the tokens where their rows are written by other means; only without a window. */
  readonly count: () => void;
  /** Takes the append back where the call that it is part of fails. */
  readonly undo: () => void;
}

/** The internals of a cache. */
export interface CacheSource {
  /** Throws where the cache or an option does not fit the call. */
  (instance: Instance, fn: string, options: AttentionOptions): CachedKeys;
  /** The options of a call, out of what followed the cache. Throws where values or more arguments came. */
  readonly options: (fn: string, given: unknown, extra: unknown) => AttentionOptions | undefined;
  /** Throws where there is no room for the tokens. */
  readonly plan: (instance: Instance, fn: string, tokens: number) => PlannedAppend;
}
