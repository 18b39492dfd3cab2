/** The public types of fovea. Dimension letters: B batch, H heads, Tq queries, Tk keys, D key width, Dv value width. */
import type { Tensor } from './tensor.ts';

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

/** ALiBi (Press, Smith, Lewis 2022, arXiv:2108.12409 §3): adds -slope[h]·|p(i) - j|. 'default' = the paper's slopes for H heads. */
export interface AlibiBias {
  readonly alibi: 'default' | readonly number[] | Float32Array | Float64Array;
}
export type Bias = AlibiBias;

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

export interface AttentionOptions {
  /** Multiplies the scores; default 1/√D; may be 0 or negative. */
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
  /** A logit per head (or one for all) that only adds exp(sink) to the denominator. */
  readonly sinks?: number | readonly number[] | Float32Array | undefined;
  readonly returnWeights?: boolean | 'dense' | undefined;
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

export interface AttentionResult<A = NDArray> {
  /** q's rank and layout, width Dv. */
  output: A;
  /** [B, H, Tq, Tk] less the axes that q lacks. */
  weights?: A;
  /** [B, H, Tq] less the axes that q lacks: ln Σ exp(logit) over the allowed keys. */
  lse?: A;
  /** [B, H, Tq, Tk] less the axes that q lacks. */
  logits?: A;
  trace?: TraceStage[];
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

export interface SelfAttentionOptions extends Omit<AttentionOptions, 'layout' | 'out'> {
  readonly weightLayout?: WeightLayout | undefined;
}

export interface MultiHeadParams extends ProjectionParams {
  /** One learned key and value appended to every sequence, [H·D] and [H·Dv] (PyTorch's add_bias_kv). */
  readonly biasK?: ArrayInput | undefined;
  readonly biasV?: ArrayInput | undefined;
}

export interface MultiHeadOptions extends SelfAttentionOptions {
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

export type Variant = 'simd128' | 'relaxed' | 'simd128-threads' | 'relaxed-threads';

/** WebAssembly.Module, also where no library declares it: @types/node does not. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

export interface LoadOptions {
  /** Pins one build; a `load` error says why it cannot run here. A build with threads takes 'auto' of them unless told. */
  readonly variant?: Variant | undefined;
  /** simd128: the same bytes in every engine, for every number of threads. */
  readonly deterministic?: boolean | undefined;
  /**
   * How many threads work on a call, the caller counted: default 1, at most 32; 'auto' is as many as the machine runs at once, at
   * most 8. They are workers that share memory, which a page may do if it is served with the headers
   * `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`. Where they cannot be had there is
   * one thread, and `info.fallbackReason` says why; but if `variant` pins a build with threads, that is a `load` error. With a
   * one-thread build pinned, more than 1 is an `option` error; with one given by wasmUrl, wasmBinary or wasmModule, a `load` error.
   */
  readonly threads?: number | 'auto' | undefined;
  /** Where the .wasm file is, in place of the one beside the package's JavaScript. For threads: a `-threads.wasm`. */
  readonly wasmUrl?: string | URL | undefined;
  /** The bytes of the .wasm file: nothing is fetched. */
  readonly wasmBinary?: ArrayBuffer | ArrayBufferView | undefined;
  /** A compiled module: nothing is fetched or compiled. */
  readonly wasmModule?: WasmModule | undefined;
}

export interface FoveaInfo {
  readonly version: string;
  readonly variant: Variant;
  /** How many work, the caller counted. */
  readonly threads: number;
  /** Why a wish was not met, in words, or null. */
  readonly fallbackReason: string | null;
}

export interface MemoryUse {
  /** Bytes of wasm memory held by Tensors and by calls under way. */
  live: number;
  /** Bytes of wasm memory in all. */
  total: number;
}

/** How far a call has come: `done` of `total`, about its multiply-adds. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}
