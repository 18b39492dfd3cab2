/** The public types of fovea. Dimension letters: B batch, H heads, Tq queries, Tk keys, D key width, Dv value width. */
import type { Bias, RelativeRows } from './bias_types.ts';
import type { Normalize } from './normalize_types.ts';
import type { Pattern } from './pattern/pattern.ts';
import type { Score } from './score/score.ts';
import type { Tensor } from './tensor.ts';

export type * from './bias_types.ts';
export type * from './instance_types.ts';
export type * from './normalize_types.ts';

export type NumericArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** Numbers nested in arrays; every level has one length, e.g. `[[1, 2], [3, 4]]`. */
export type NestedNumbers = readonly number[] | readonly NestedNumbers[];
export type NestedBooleans = readonly boolean[] | readonly NestedBooleans[];

/** Row-major numbers with a shape. Float64 is rounded to float32; Float16Array is taken where the engine has it. */
export interface ArrayData {
  readonly data: NumericArray | readonly number[];
  readonly shape: readonly number[];
}

/** What a plain call returns: owned by JavaScript, nothing to free. */
export interface NDArray {
  data: Float32Array;
  shape: number[];
}

/** Any array argument: `{ data, shape }`, nested numbers, or a Tensor that lives in wasm memory. */
export type ArrayInput = ArrayData | NestedNumbers | Tensor;

/**
 * Which pairs may attend (boolean) or what is added to their logits (float). Broadcast by NumPy's rule to [B, H, Tq, Tk].
 * Boolean: nested booleans, or a Uint8Array (0 = forbid, anything else = attend); true = attend, as in PyTorch's
 * scaled_dot_product_attention and ONNX. `torch.nn.MultiheadAttention` writes the opposite: invert its masks first.
 * Float: Float32Array, Float64Array, a Tensor or nested numbers; an entry of exactly -Infinity forbids the pair.
 */
export type MaskInput =
  | NestedBooleans
  | NestedNumbers
  | Tensor
  | {
      readonly data: Uint8Array | Float32Array | Float64Array | readonly boolean[] | readonly number[];
      readonly shape: readonly number[];
    };

export type Layout = 'bhtd' | 'bthd' | 'btd';
export type CausalAlign = 'top-left' | 'bottom-right';
export type LogitStage = 'raw' | 'capped' | 'biased';

/** Which part of a trace to keep; without it everything is kept. */
export interface TraceSelection {
  readonly batch?: number | undefined;
  readonly head?: number | undefined;
  /** Query rows [from, to). */
  readonly rows?: readonly [number, number] | undefined;
}

/** One named step of a computation, in the order in which it happens. */
export interface TraceStage {
  readonly name: string;
  /** LaTeX, row notation: softmax(QKᵀ/√d)V. */
  readonly formula: string;
  readonly shape: number[];
  readonly data: Float32Array;
}

/** Where results go instead of fresh arrays. Sizes must match; overlap with an input is a `value` error. */
export interface OutTargets {
  readonly output?: NDArray | Tensor | undefined;
  readonly weights?: NDArray | Tensor | undefined;
  readonly lse?: NDArray | Tensor | undefined;
}

/** Which weights to return; true is 'dense' without a pattern and 'sparse' with one. */
export type WeightsChoice = boolean | 'dense' | 'sparse';

/** The type parameters are those of the result: `weights` is typed by `returnWeights`, and by whether there is a pattern. */
export interface AttentionOptions<
  W extends WeightsChoice | undefined = WeightsChoice | undefined,
  P extends Pattern | undefined = Pattern | undefined,
> {
  /** How a query and a key are compared, in place of their dot product. Made by `fovea/score`. */
  readonly score?: Score | undefined;
  /** Multiplies the scores; default 1/√D, with a `score` 1 but for `score.scaledDot()`; may be 0 or negative. */
  readonly scale?: number | undefined;
  /** Key j is allowed for query i only if j ≤ p(i), where p(i) = i + offset. */
  readonly causal?: boolean | undefined;
  /** 'top-left': offset 0 (default). 'bottom-right': offset = keyLengths[b] (or Tk) - Tq. Not together with causalOffset. */
  readonly causalAlign?: CausalAlign | undefined;
  /** The offset itself, one number or one per batch entry; may be negative. */
  readonly causalOffset?: number | readonly number[] | Int32Array | undefined;
  /** [left, right], inclusive: p - left ≤ j ≤ p + right; -1 = unbounded on that side. */
  readonly window?: readonly [number, number] | undefined;
  readonly mask?: MaskInput | undefined;
  /** [B] integers 0…Tk: keys from there on are padding. */
  readonly keyLengths?: readonly number[] | Int32Array | undefined;
  /** softcap·tanh(score/softcap), before mask and bias; 0 = none. */
  readonly softcap?: number | undefined;
  /** One bias or several, added after the cap. */
  readonly bias?: Bias | readonly Bias[] | undefined;
  /** Added to the key by distance, so that a score is scale·q·(k + row); rows of width Dk (Shaw et al. 2018, arXiv:1803.02155). */
  readonly relativeKeys?: RelativeRows | undefined;
  /** Added to the value by distance: rows of width Dv. Never held for every pair. */
  readonly relativeValues?: RelativeRows | undefined;
  /** A logit per head (or one for all) that only adds exp(sink) to the denominator. */
  readonly sinks?: number | readonly number[] | Float32Array | undefined;
  /** How logits become weights; default 'softmax'. */
  readonly normalize?: Normalize | undefined;
  /** Above 0; divides the finished logits, whatever normalizes them; default 1. `returnLogits` gives those before it. */
  readonly temperature?: number | undefined;
  /** The pairs that may attend, besides all other rules; what is not among them is not computed. Made by `fovea/pattern`. */
  readonly pattern?: P;
  /** 'dense' = an array of all pairs; 'sparse' = lists of the allowed ones; true = 'dense' without a pattern, 'sparse' with one. */
  readonly returnWeights?: W;
  readonly returnLse?: boolean | undefined;
  /** 'raw' = scale·score; 'capped' = after softcap; 'biased' = after bias and float mask, forbidden pairs -Infinity. */
  readonly returnLogits?: LogitStage | undefined;
  readonly trace?: boolean | TraceSelection | undefined;
  readonly out?: OutTargets | undefined;
  /** Order of axes: 'bhtd' (default), 'bthd', or 'btd', which reads rank 3 as [B, T, D]. */
  readonly layout?: Layout | undefined;
  /** Number of query heads packed in the width: q is [B, T, H·D]. */
  readonly heads?: number | undefined;
  /** Number of key/value heads packed in the width of k and v; divides heads. Default: heads. */
  readonly kvHeads?: number | undefined;
}

/** Weights of the allowed pairs alone, as lists (CSR): plain arrays, also beside Tensors. */
export interface SparseWeights {
  /** [B, H, Tq, Tk] less the axes that q lacks. */
  shape: number[];
  /** [B·H·Tq + 1]: row (b·H + h)·Tq + i has the entries indptr[row] up to indptr[row + 1]. */
  indptr: Int32Array;
  /** Keys, ascending in a row: exactly those that are allowed. */
  indices: Int32Array;
  values: Float32Array;
}

/** What `weights` are, for arrays of type A, the options `returnWeights` of type W and `pattern` of type P. */
export type WeightsOf<A, W, P> = W extends 'sparse'
  ? SparseWeights
  : W extends true
    ? P extends Pattern
      ? SparseWeights
      : A
    : A;

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

/** What attention over some of the keys gave. */
export interface CombinePart<A extends ArrayInput = ArrayInput> {
  readonly output: A;
  /** Required: `returnLse: true` asks attention for it. */
  readonly lse?: ArrayInput | undefined;
}

export interface CombineOptions extends Pick<AttentionOptions, 'sinks' | 'layout' | 'heads'> {
  readonly out?: Omit<OutTargets, 'weights'> | undefined;
}

export interface CombineResult<A = NDArray> {
  output: A;
  lse: A;
}

/** How weight matrices are written: 'inOut' W [in, out], y = x·W (the papers); 'outIn' W [out, in], y = x·Wᵀ (PyTorch's nn.Linear). */
export type WeightLayout = 'inOut' | 'outIn';

export interface ProjectionParams {
  /** [Din, H·D] with weightLayout 'inOut' (default), [H·D, Din] with 'outIn'. */
  readonly Wq: ArrayInput;
  readonly Wk: ArrayInput;
  readonly Wv: ArrayInput;
  /** The output projection; left out = identity. */
  readonly Wo?: ArrayInput | undefined;
  readonly bq?: ArrayInput | undefined;
  readonly bk?: ArrayInput | undefined;
  readonly bv?: ArrayInput | undefined;
  readonly bo?: ArrayInput | undefined;
}

export interface SelfAttentionOptions<
  W extends WeightsChoice | undefined = WeightsChoice | undefined,
  P extends Pattern | undefined = Pattern | undefined,
> extends Omit<AttentionOptions<W, P>, 'layout' | 'out'> {
  readonly weightLayout?: WeightLayout | undefined;
}

export interface MultiHeadParams extends ProjectionParams {
  /** One learned key and value appended to every sequence, [H·D] and [H·Dv] (PyTorch's add_bias_kv). */
  readonly biasK?: ArrayInput | undefined;
  readonly biasV?: ArrayInput | undefined;
}

export interface MultiHeadOptions<
  W extends WeightsChoice | undefined = WeightsChoice | undefined,
  P extends Pattern | undefined = Pattern | undefined,
> extends SelfAttentionOptions<W, P> {
  /** Required: number of heads. */
  readonly heads: number;
  /** Appends one zero key and value (PyTorch's add_zero_attn). */
  readonly addZeroAttention?: boolean | undefined;
  /** weights averaged over heads: [B, Tq, Tk]. */
  readonly averageWeights?: boolean | undefined;
}

export interface AxisOptions {
  /** The axis to work along: 0 … rank - 1, or -rank … -1 from the end. Default -1, the last. */
  readonly axis?: number | undefined;
}

/** What a call returns for a first array argument of type Q: Tensors for a Tensor, else plain arrays. */
export type ResultArray<Q> = Q extends Tensor ? Tensor : NDArray;

/** How far a call has come: `done` of `total`, about its multiply-adds. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}
