/** The result of a call: `weights`, `lse`, `logits` and `trace` are present in the type where the options ask for them. */
import type { AttentionPattern } from './entries.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { TraceSelection, TraceStage } from '../../trace/stages.ts';

/** Weights of the allowed pairs alone, as lists (CSR): plain arrays, also beside Tensors. */
export interface SparseWeights {
  /** [B, H, Tq, Tk] less the axes that q lacks. */
  shape: number[];
  /** [B·H·Tq + 1]: row (b·H + h)·Tq + i has the entries indptr[row] up to indptr[row + 1]. */
  indptr: Int32Array;
  /** Keys, ascending in a row: exactly those that are allowed; with the normalizer 'topK' those of them that have a weight, at most k. */
  indices: Int32Array;
  values: Float32Array;
}

export type LogitStage = 'raw' | 'capped' | 'biased';

/** Which weights to return; true is 'dense' without a pattern and 'sparse' with one. */
export type WeightsChoice = boolean | 'dense' | 'sparse';

/** The options that ask for a result: what their types may be. */
export type AskWeights = WeightsChoice | undefined;
export type AskLse = boolean | undefined;
export type AskLogits = LogitStage | undefined;
export type AskTrace = boolean | TraceSelection | undefined;

/**
 * The type of `weights`, for arrays of type A, the options `returnWeights` of type W and `pattern` of type P. Without strictNullChecks
 * undefined is assignable to every type, so that it is looked for first, and an option that may be undefined looks as if it were there: the
 * bare AttentionPattern, which no pattern's own type is, may be none then.
 */
export type WeightsOf<A, W, P> = W extends undefined | false | 'dense'
  ? A
  : W extends 'sparse'
    ? SparseWeights
    : P extends undefined
      ? A
      : [undefined, AttentionPattern] extends [P, P]
        ? A | SparseWeights
        : SparseWeights;

/** The property `Name`: present where an option of type `Choice` asks for it, whatever its value; else optional. */
export type Requested<Name extends string, Value, Choice> = [Choice] extends [undefined]
  ? { [N in Name]?: Value }
  : [Choice] extends [true | string | object]
    ? { [N in Name]: Value }
    : { [N in Name]?: Value };

export interface AttentionResult<A = NDArray, W = A | SparseWeights> {
  /** q's rank and layout, width Dv. */
  output: A;
  /** [B, H, Tq, Tk] less the axes that q lacks. */
  weights?: W;
  /** [B, H, Tq] less the axes that q lacks: ln Σ exp(logit / temperature) over the allowed keys. */
  lse?: A;
  /** [B, H, Tq, Tk] less the axes that q lacks. */
  logits?: A;
  trace?: TraceStage[];
}

/**
 * `AttentionResult` with what the options ask for present: W, P, L, G and T are the types of `returnWeights`, `pattern`, `returnLse`,
 * `returnLogits` and `trace`.
 */
export type RequestedResult<A, W, P, L, G, T> = AttentionResult<A, WeightsOf<A, W, P>> &
  Requested<'weights', WeightsOf<A, W, P>, W> &
  Requested<'lse', A, L> &
  Requested<'logits', A, G> &
  Requested<'trace', TraceStage[], T>;
