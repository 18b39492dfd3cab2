/** The parameters of the builders of `score` and of multiDimensionalAttention. A attention (hidden) width, Dq and Dk the widths of queries and keys. */
import type { ArrayInput } from '../tensor/array_input.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { OutTargets } from '../call/out_targets.ts';
import type { Requested } from '../attention/types/results.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { WeightLayout } from '../attention/types/projected.ts';

/** How the matrices are written: 'inOut' (default) or 'outIn', as PyTorch's nn.Linear has them. */
export interface ScoreOptions {
  readonly weightLayout?: WeightLayout | undefined;
}

/** The f of an additive score. */
export interface AdditiveOptions extends ScoreOptions {
  /** Default 'tanh', Bahdanau's; 'leakyRelu' is GATv2's. */
  readonly activation?: 'tanh' | 'relu' | 'leakyRelu' | undefined;
  /** The slope of 'leakyRelu' below 0; default 0.2. */
  readonly slope?: number | undefined;
}

/** Keys are projected already, as a decoder projects its source once for all steps: k is k Wk [..., Tk, A], and Wk is left out. */
export interface ProjectedKeys {
  readonly keys: 'projected';
}

/** The f of a score of a sum. */
export interface PairSumOptions {
  /** Default 'leakyRelu', GAT's. */
  readonly activation?: 'leakyRelu' | 'relu' | 'tanh' | 'none' | undefined;
  /** The slope of 'leakyRelu' below 0; default 0.2. */
  readonly slope?: number | undefined;
}

export interface PairSumParams {
  /** [Dq], or [H, Dq]: one for each query head. */
  readonly wq: ArrayInput;
  /** [Dk], or [Hkv, Dk]: one for each key head. */
  readonly wk: ArrayInput;
}

export interface AdditiveParams {
  /** [Dq, A], or [H, Dq, A]: one for each query head. With 'outIn' [A, Dq]. */
  readonly Wq: ArrayInput;
  /** [Dk, A], or [Hkv, Dk, A]: one for each key head. With 'outIn' [A, Dk]. */
  readonly Wk: ArrayInput;
  /** [A], or [H, A]. */
  readonly w: ArrayInput;
  /** Inside f: [A], or [H, A]. */
  readonly bias?: ArrayInput | undefined;
}

export interface ConcatParams {
  /** [Dq + Dk, A], queries first, or [H, Dq + Dk, A] where keys have as many heads. With 'outIn' [A, Dq + Dk]. */
  readonly W: ArrayInput;
  /** [A], or [H, A]. */
  readonly w: ArrayInput;
  /** Inside f: [A], or [H, A]. */
  readonly bias?: ArrayInput | undefined;
}

export type ScoreKind = 'dot' | 'scaledDot' | 'bilinear' | 'additive' | 'concat' | 'pairSum' | 'cosine' | 'location';

export interface MultiDimensionalParams {
  /** [Dq, E], or [H, Dq, E]; not with q = null. E = Dv without W. With 'outIn' each matrix is [out, in]. */
  readonly Wq?: ArrayInput | undefined;
  /** [Dk, E], or [Hkv, Dk, E]. */
  readonly Wk: ArrayInput;
  /** Inside the tanh or σ: [E], or [H, E]. */
  readonly bias?: ArrayInput | undefined;
  /** [E, Dv]: the general form. */
  readonly W?: ArrayInput | undefined;
  /** [Dv], with W: added to all scores of a feature, it changes no weight. */
  readonly b?: ArrayInput | undefined;
}

/** The type parameters are those of what asks for results: they are present in the result's type then. */
export interface MultiDimensionalOptions<
  W extends boolean | undefined = boolean | undefined,
  T extends boolean | undefined = boolean | undefined,
  L extends boolean | undefined = boolean | undefined,
> extends Pick<
  AttentionOptions,
  'causal' | 'causalAlign' | 'causalOffset' | 'window' | 'mask' | 'keyLengths' | 'pattern' | 'layout' | 'heads' | 'kvHeads'
> {
  /** The bound of a score without W; above 0, default 5. */
  readonly c?: number | undefined;
  /** σ of the general form; default 'tanh'. */
  readonly activation?: 'tanh' | 'elu' | undefined;
  readonly weightLayout?: WeightLayout | undefined;
  readonly returnWeights?: W;
  readonly returnLse?: L;
  readonly trace?: T;
  readonly out?: OutTargets | undefined;
}

export interface MultiDimensionalResult<A = NDArray> {
  /** [..., Tq, Dv]. */
  output: A;
  /** [B, H, Tq, Tk, Dv] less the axes that q lacks. */
  weights?: A;
  /** [B, H, Tq, Dv] less the axes that q lacks: ln Σ exp(logit) over the allowed keys, of each feature. */
  lse?: A;
  trace?: TraceStage[];
}

/** `MultiDimensionalResult` with what `returnWeights` of type W, `trace` of type T and `returnLse` of type L ask for present. */
export type RequestedMultiDimensionalResult<A, W, T, L> = MultiDimensionalResult<A> &
  Requested<'weights', A, W> &
  Requested<'lse', A, L> &
  Requested<'trace', TraceStage[], T>;

export type BiasKind = 'alibi' | 'distance' | 'relative' | 't5' | 'gaussian' | 'direction' | 'edges' | 'fromFunction';

/** A number for each query head. */
export type PerHead = readonly number[] | Float32Array | Float64Array;

/** A finite number for query position i = p(query) and key j of a query head and batch entry. */
export type BiasFunction = (i: number, j: number, head: number, batch: number) => number;

/** The options of `bias.t5`. */
export interface BucketOptions {
  /** The table's rows, checked where it is given. */
  readonly buckets?: number | undefined;
  /** In positions; default 128. More than half of the buckets of one direction. */
  readonly maxDistance?: number | undefined;
  /** Half of the buckets are for keys after the query (default true; T5's encoder). Else all of those are at distance 0. */
  readonly bidirectional?: boolean | undefined;
}
