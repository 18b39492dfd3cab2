/** The public object: what `load()` returns. Each method is one file; here is what it takes, gives and throws. */
import { attention } from '../attention/attention.ts';
import type { AttentionCall } from '../attention/types/call.ts';
import { finish } from '../call/call.ts';
import { combine } from '../attention/combine.ts';
import type { Instance } from '../runtime/instance.ts';
import { setInternals } from '../runtime/internals.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import { multiHeadAttention } from '../attention/multi_head_attention.ts';
import type { AttentionPattern } from '../attention/types/entries.ts';
import { scope } from '../tensor/scope.ts';
import { selfAttention } from '../attention/self_attention.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { tensor } from '../tensor/make_tensor.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AskLogits, AskLse, AskTrace, AskWeights, RequestedResult, RequestTypes } from '../attention/types/results.ts';
import type { CombineOptions, CombinePart, CombineResult } from '../attention/types/combine.ts';
import type { FoveaInfo, MemoryUse } from '../runtime/instance_types.ts';
import type {
  MultiHeadOptions,
  MultiHeadParams,
  ProjectionParams,
  SelfAttentionOptions,
} from '../attention/types/projected.ts';
import type { NumericArray } from '../tensor/array_types.ts';

/**
 * Dimension letters: B batch, H query heads, Hkv key/value heads, Tq queries, Tk keys, D key width, Dv value width.
 * Numbers are float32. Plain arrays in, plain arrays out; if the first array argument is a Tensor, all results are Tensors.
 * All methods throw `disposed` after `dispose()`, and `internal` after the WebAssembly module has trapped.
 */
export interface Fovea {
  readonly info: FoveaInfo;

  /** Scaled dot-product attention, softmax(scale·q·kᵀ + bias + mask)·v, with every option: see {@link AttentionCall}. */
  readonly attention: AttentionCall;

  /** `attention` under PyTorch's name: see {@link AttentionCall}. */
  readonly scaledDotProductAttention: AttentionCall;

  /**
   * Attention in which query, key and value are projections of one sequence: Q = X·Wq + bq, and so on; with `Wo` the
   * concatenated heads are projected once more.
   *
   * @param X [T, Din] or [B, T, Din].
   * @param params Wq [Din, H·D], Wk [Din, Hkv·D], Wv [Din, Hkv·Dv], optional Wo [H·Dv, Dout] and biases [out]; with
   *   `weightLayout: 'outIn'` every matrix is [out, in].
   * @param options `heads: n` for H heads: weights are [B?, H, T, T] then. Without it there is one head, and weights are
   *   [B?, T, T]. Other options as for `attention`, but `layout` and `out`.
   * @returns `output` [B?, T, Dout], or [B?, T, H·Dv] without Wo; what else was asked for as from `attention`.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   *
   * Accuracy: as `attention`, after float32 projections. Source: Vaswani et al. 2017, arXiv:1706.03762 §3.2.3.
   * @example
   * const X = [[1, 0], [0, 1]];
   * const identity = [[1, 0], [0, 1]];
   * const { output } = fovea.selfAttention(X, { Wq: identity, Wk: identity, Wv: identity });
   */
  selfAttention<
    Q extends ArrayInput,
    const W extends AskWeights = undefined,
    P extends AttentionPattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    X: Q,
    params: ProjectionParams,
    options?: SelfAttentionOptions<RequestTypes<W, P, L, G, T>>,
  ): RequestedResult<ResultArray<Q>, RequestTypes<W, P, L, G, T>>;

  /**
   * Multi-head attention with projections; reproduces torch.nn.MultiheadAttention (with `weightLayout: 'outIn'`, its
   * in_proj_weight cut in three, and its masks inverted: there true means forbidden).
   *
   * Keys appended by `biasK`/`biasV` and then by `addZeroAttention` come after the others. They have no position: every query
   * attends to them, whatever masks, windows and patterns say, and no bias and no relative key or value applies to them. All options
   * speak of the Tk keys given.
   *
   * @param query [Tq, Eq] or [B, Tq, Eq].
   * @param key [Tk, Ek] or [B, Tk, Ek].
   * @param value [Tk, Ev] or [B, Tk, Ev].
   * @param params as `selfAttention`; Wq [Eq, H·D], Wk [Ek, Hkv·D], Wv [Ev, Hkv·Dv]; biasK [Hkv·D] and biasV [Hkv·Dv].
   * @param options `heads` is required. `averageWeights`: weights [B?, Tq, Tk] are the mean over heads.
   * @returns `output` [B?, Tq, Dout]; `weights` and `logits` [B?, H, Tq, Tk + appended], `lse` [B?, H, Tq]; `trace`.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   *
   * Accuracy: as `attention`, after float32 projections. Source: Vaswani et al. 2017, arXiv:1706.03762 §3.2.2.
   * @example
   * const x = [[1, 0], [0, 1]];
   * const identity = [[1, 0], [0, 1]];
   * const params = { Wq: identity, Wk: identity, Wv: identity, Wo: identity };
   * const { output } = fovea.multiHeadAttention(x, x, x, params, { heads: 2 });
   */
  multiHeadAttention<
    Q extends ArrayInput,
    const W extends AskWeights = undefined,
    P extends AttentionPattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    query: Q,
    key: ArrayInput,
    value: ArrayInput,
    params: MultiHeadParams,
    options: MultiHeadOptions<RequestTypes<W, P, L, G, T>>,
  ): RequestedResult<ResultArray<Q>, RequestTypes<W, P, L, G, T>>;

  /**
   * Joins attention over disjoint sets of keys to attention over all of them: output = Σᵢ exp(lseᵢ)·outputᵢ / Σᵢ exp(lseᵢ). So
   * one attention can be spread over workers or machines, each with some of the keys.
   *
   * The parts are made with the same queries and without sinks; for causal, window and ALiBi subtract the place of a part's first
   * key from its `causalOffset`. A part whose lse is -Infinity has seen no key for that row and is skipped, whatever its output
   * holds; a row for which no part has a key is 0, its lse -Infinity. A NaN or +Infinity lse makes its own row NaN and no other.
   *
   * @param parts at least one; what attention returns with `returnLse: true`, or any `{ output, lse }`: output [Tq, Dv],
   *   [H, Tq, Dv] or [B, H, Tq, Dv], other layouts by the options `layout` and `heads`; lse [B, H, Tq] less the axes that
   *   output lacks. One shape for all.
   * @param options `sinks` as for `attention`: they only add exp(sink) to the denominator of the output.
   * @returns `output` as those of the parts, `lse` over all keys, without the sink: parts for a further `combine`.
   * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   *
   * Accuracy: at most twice the error of the float32 definition plus 8 eps, for the lse given. As these are float32, each is off
   * by about eps·|lse|, and the weight of its part by that share of itself. Parts are summed in the order given; each row's bits
   * depend on its own parts and sink alone.
   * Source: Milakov, Gimelshein 2018, arXiv:1805.02867; Flash-Decoding (Dao, Haziza, Massa, Sizov 2023).
   * @example
   * const left = fovea.attention([[1, 0]], [[1, 0]], [[1, 2]], { returnLse: true });
   * const right = fovea.attention([[1, 0]], [[0, 1]], [[3, 4]], { returnLse: true });
   * const { output } = fovea.combine([left, right]); // as with both keys in one call
   */
  combine<Q extends ArrayInput>(parts: readonly CombinePart<Q>[], options?: CombineOptions): CombineResult<ResultArray<Q>>;

  /**
   * Copies an array into wasm memory, where calls read it without a further copy.
   *
   * @param x any array argument; or numbers alone, in row-major order, with their `shape` beside them.
   * @throws AttentionError `shape` | `value` | `memory` | `disposed`.
   * @example
   * const k = fovea.tensor([[1, 0], [0, 1]]);
   * const v = fovea.tensor(new Float32Array([1, 2, 3, 4]), [2, 2]);
   * k.dispose();
   * v.dispose();
   */
  tensor(x: ArrayInput): Tensor;
  /** Copies numbers in row-major order into wasm memory, as an array of this shape. */
  tensor(data: NumericArray | readonly number[], shape: readonly number[]): Tensor;

  /**
   * Runs `fn` and frees all Tensors made in it but those reachable from what it returns (in arrays, objects, Maps, Sets), also
   * when it throws.
   *
   * @throws AttentionError `option` for an async function: it goes on after the scope has ended.
   * @example
   * const output = fovea.scope(() => {
   *   const x = fovea.tensor([[1, 0], [0, 1]]);
   *   return fovea.attention(x, x, x).output; // x is freed, the output is kept
   * });
   * output.dispose();
   */
  scope<R>(fn: () => R): R;

  /** Bytes of wasm memory: `live` in Tensors, caches and states, `total` in all, with at most 64 MiB of compiled patterns. Both 0 after `dispose()`. */
  memory(): MemoryUse;

  /** Frees everything and ends the threads; Tensors of this instance are disposed with it. May be called again. */
  dispose(): void;
}

/** Both overloads take these: a cache stands for k, and the options then for v. */
type Arguments = readonly [q: unknown, k: unknown, v: unknown, options?: AttentionOptions];

/** @internal */
export function createFovea(instance: Instance): Fovea {
  const fovea = {
    info: instance.info,
    attention: (...args: Arguments) => finish(attention(instance, 'attention', ...args)),
    scaledDotProductAttention: (...args: Arguments) => finish(attention(instance, 'scaledDotProductAttention', ...args)),
    selfAttention: (X, params, options) => finish(selfAttention(instance, X, params, options)),
    multiHeadAttention: (query, key, value, params, options) =>
      finish(multiHeadAttention(instance, query, key, value, params, options)),
    combine: (parts, options) => finish(combine(instance, parts, options)),
    tensor: (x, shape) => tensor(instance, x, shape),
    scope: (fn) => scope(instance, fn),
    memory: () => ({ live: instance.heap.live, total: instance.heap.total }),
    dispose: () => instance.engine.dispose(),
  } as Untyped<Fovea>;
  setInternals(fovea, 'instance', instance);
  return Object.freeze(fovea) as Fovea;
}

/** The methods with results that do not depend on the type of the first argument: all that the code can promise the compiler. */
type Untyped<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => unknown ? (...args: Args) => unknown : T[Name];
};
