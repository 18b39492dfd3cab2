/** The result of a call: `weights`, `lse`, `logits` and `trace` are present in the type where the options ask for them. */
import type { LogitStage as Stage } from '../../../../build/generated/enums/logit_stage.ts';
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

/** Which logits to return: of the score alone, after softcap, or with the biases. */
export type LogitStage = Stage;

/** Which weights to return; true is 'dense' without a pattern and 'sparse' with one. */
export type WeightsChoice = boolean | 'dense' | 'sparse';

/** The widest type of each option that asks for a result. */
export type AskWeights = WeightsChoice | undefined;
export type AskLse = boolean | undefined;
export type AskLogits = LogitStage | undefined;
export type AskTrace = boolean | TraceSelection | undefined;

/**
 * The types of the options that ask for a result, `returnWeights`, `pattern`, `returnLse`, `returnLogits` and `trace`: what they ask for
 * is present in the result's type.
 */
export interface RequestTypes<
  W extends AskWeights = AskWeights,
  P extends AttentionPattern | undefined = AttentionPattern | undefined,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
> {
  readonly weights: W;
  readonly pattern: P;
  readonly lse: L;
  readonly logits: G;
  readonly trace: T;
}

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

/** `AttentionResult` with what the options ask for present. */
export type RequestedResult<A, R extends RequestTypes> = AttentionResult<A, WeightsOf<A, R['weights'], R['pattern']>> &
  Requested<'weights', WeightsOf<A, R['weights'], R['pattern']>, R['weights']> &
  Requested<'lse', A, R['lse']> &
  Requested<'logits', A, R['logits']> &
  Requested<'trace', TraceStage[], R['trace']>;
