/** The public types of fovea. Dimension letters: B batch, H heads, Tq queries, Tk keys, D key width, Dv value width. */
import type { Bias, RelativeRows } from './bias_types.ts';
import type { Normalizer } from './normalizer_types.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { AskLogits, AskLse, AskTrace, AskWeights } from './result_types.ts';
import type { Score } from '../score/score.ts';
import type { Tensor } from '../tensor/tensor.ts';

export type * from './bias_types.ts';
export type * from '../runtime/instance_types.ts';
export type * from './normalizer_types.ts';
export type * from './result_types.ts';

export type NumericArray =
  Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Int32Array | Uint32Array;

/** Numbers nested in arrays; every level has one length, e.g. `[[1, 2], [3, 4]]`. */
export type NestedNumbers = readonly number[] | readonly NestedNumbers[];
export type NestedBooleans = readonly boolean[] | readonly NestedBooleans[];

/** Row-major numbers with a shape. Float64 is rounded to float32; Float16Array is taken where the engine has it. */
export interface ArrayData {
  readonly data: NumericArray | readonly number[];
  readonly shape: readonly number[];
}

/** 16-bit numbers, which need `dtype`: the bits of float16 or bfloat16, or integers. Also by the names of `fovea/files`. */
export interface ArrayData16 {
  readonly data: Uint16Array;
  readonly shape: readonly number[];
  readonly dtype: 'float16' | 'bfloat16' | 'uint16' | 'F16' | 'BF16' | 'U16';
}

/** A tensor of onnxruntime or transformers.js, in the CPU's memory; its `type` may be any but int64 and string. */
export interface ForeignTensor {
  readonly data: ArrayLike<unknown>;
  readonly dims: readonly number[];
  readonly type?: string | undefined;
}

/** Rows of typed arrays of one length, in lists as deep as the array has further axes. */
export type NestedRows = readonly NumericArray[] | readonly NestedRows[];

/** A plain call's result: owned by JavaScript, nothing to free. */
export interface NDArray {
  data: Float32Array;
  shape: number[];
}

/**
 * Any array argument: `{ data, shape }`, `{ data, dims }` as onnxruntime and transformers.js have it, nested numbers, a list of
 * equally long typed arrays, or a Tensor that lives in wasm memory.
 */
export type ArrayInput = ArrayData | ArrayData16 | ForeignTensor | NestedNumbers | NestedRows | Tensor;

/**
 * Which pairs may attend (boolean) or what is added to their logits (float). Broadcast by NumPy's rule to [B, H, Tq, Tk].
 * Boolean: nested booleans, or a Uint8Array (0 = forbid, anything else = attend); true = attend, as in PyTorch's
 * scaled_dot_product_attention and ONNX. `torch.nn.MultiheadAttention` writes the opposite: invert its masks first.
 * Float: Float32Array, Float64Array, a Tensor or nested numbers; an entry of exactly -Infinity forbids the pair.
 */
export type MaskInput =
  | NestedBooleans
  | NestedNumbers
  | NestedRows
  | ArrayData16
  | ForeignTensor
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

/** The type parameters are those of what asks for results: they are present in the result's type then. */
export interface AttentionOptions<
  W extends AskWeights = AskWeights,
  P extends Pattern | undefined = Pattern | undefined,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
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
  readonly causalOffset?: number | readonly number[] | Int32Array | BigInt64Array | undefined;
  /** [left, right], inclusive: p - left ≤ j ≤ p + right; -1 = unbounded on that side. */
  readonly window?: readonly [number, number] | undefined;
  readonly mask?: MaskInput | undefined;
  /** [B] integers 0…Tk: keys from there on are padding. */
  readonly keyLengths?: readonly number[] | Int32Array | BigInt64Array | undefined;
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
  readonly normalizer?: Normalizer | undefined;
  /** Above 0; divides the finished logits, whatever the normalizer; default 1. `returnLogits` gives those before it. */
  readonly temperature?: number | undefined;
  /** The pairs that may attend, besides all other rules; what is not among them is not computed. Made by `fovea/pattern`. */
  readonly pattern?: P;
  /** 'dense' = an array of all pairs; 'sparse' = lists of the allowed ones; true = 'dense' without a pattern, 'sparse' with one. */
  readonly returnWeights?: W;
  readonly returnLse?: L;
  /** 'raw' = scale·score; 'capped' = after softcap; 'biased' = after bias and float mask, forbidden pairs -Infinity. */
  readonly returnLogits?: G;
  readonly trace?: T;
  readonly out?: OutTargets | undefined;
  /** Order of axes: 'bhtd' (default), 'bthd', or 'btd', which reads rank 3 as [B, T, D]. */
  readonly layout?: Layout | undefined;
  /** Number of query heads packed in the width: q is [B, T, H·D]. */
  readonly heads?: number | undefined;
  /** Number of key/value heads packed in the width of k and v; divides heads. Default: heads. */
  readonly kvHeads?: number | undefined;
}

/** The result of attention over some of the keys. */
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
  W extends AskWeights = AskWeights,
  P extends Pattern | undefined = Pattern | undefined,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
> extends Omit<AttentionOptions<W, P, L, G, T>, 'layout' | 'out'> {
  readonly weightLayout?: WeightLayout | undefined;
}

export interface MultiHeadParams extends ProjectionParams {
  /** One learned key and value appended to every sequence, [H·D] and [H·Dv] (PyTorch's add_bias_kv). */
  readonly biasK?: ArrayInput | undefined;
  readonly biasV?: ArrayInput | undefined;
}

export interface MultiHeadOptions<
  W extends AskWeights = AskWeights,
  P extends Pattern | undefined = Pattern | undefined,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
> extends SelfAttentionOptions<W, P, L, G, T> {
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

/** The type of a call's results for a first array argument of type Q: Tensors for a Tensor, else plain arrays. */
export type ResultArray<Q> = Q extends Tensor ? Tensor : NDArray;

/** How far a call has come: `done` of `total`, about its multiply-adds. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}
