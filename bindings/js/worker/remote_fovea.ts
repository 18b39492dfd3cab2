/** The object that `connect()` resolves to: the functions of fovea, computed in a worker. */
import type { AttentionPattern } from '../attention/types/entries.ts';
import type { AskLogits, AskLse, AskTrace, AskWeights, RequestedResult, RequestTypes } from '../attention/types/results.ts';
import type { CombineResult } from '../attention/types/combine.ts';
import type { FoveaInfo, MemoryUse } from '../runtime/instance_types.ts';
import type { MultiHeadParams, ProjectionParams } from '../attention/types/projected.ts';
import type { RemoteTensor } from './remote_tensor.ts';
import type { CallOptions } from './call_options.ts';
import type { RemoteFunctions } from './served_types.ts';
import type {
  RemoteArrayInput,
  RemoteAttentionOptions,
  RemoteCombineOptions,
  RemoteCombinePart,
  RemoteMultiHeadOptions,
  RemoteParams,
  RemoteResultArray,
  RemoteSelfAttentionOptions,
} from './remote_types.ts';

/** `attention` of a connection. */
export interface RemoteAttentionCall {
  /**
   * `attention` of Fovea, computed in the worker.
   *
   * @param q [Tq, D], [H, Tq, D] or [B, H, Tq, D]; other layouts by the options `layout` and `heads`.
   * @param k [..., Tk, D].
   * @param v [..., Tk, Dv].
   * @param options as for `attention` of Fovea, with `signal`, `onProgress` and `transfer` of the call.
   * @returns a promise of what `attention` of Fovea returns; RemoteTensors where q is one.
   * @throws AttentionError as a rejection: `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
   * @example
   * import { connect } from 'fovea/worker';
   * const remote = await connect();
   * const { output } = await remote.attention([[1, 0]], [[1, 0], [0, 1]], [[1, 2], [3, 4]]);
   * remote.terminate();
   */
  <
    Q extends RemoteArrayInput,
    const W extends AskWeights = undefined,
    P extends AttentionPattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    q: Q,
    k: RemoteArrayInput,
    v: RemoteArrayInput,
    options?: RemoteAttentionOptions<RequestTypes<W, P, L, G, T>>,
  ): Promise<RequestedResult<RemoteResultArray<Q>, RequestTypes<W, P, L, G, T>>>;
}

/**
 * The methods of Fovea with promises, and the same results to the last bit. Calls are done one after the other, in the order
 * in which they were made. Their arguments are read, and copied, before a method returns: what the caller writes to them
 * afterwards does not matter. Methods throw nothing; their promises reject as the plain methods throw: with an AttentionError,
 * whose stack is that of the call, or with the reason of an aborted signal.
 *
 * A call of 128 queries or more is done in slices of some milliseconds, between which the worker looks for an abort and tells
 * progress. A slice has at least 64 queries of one head; for those the shortest time is that of 64 · Tk · (D + Dv) multiply-adds.
 * Copying arrays, compiling a pattern, listing its pairs for sparse weights, and what served functions compute are not cut. A pattern's methods want an instance of `load`; its functions (`fromFunction`) are asked before a call is sent.
 * A Score, a Bias or a normalizer of `fovea/score` is sent as the arguments of its builder, and built again in the worker.
 */
export interface RemoteFovea<F = Record<never, never>> {
  readonly info: FoveaInfo;

  /** `attention` of Fovea, computed in the worker: see {@link RemoteAttentionCall}. */
  readonly attention: RemoteAttentionCall;

  /** `attention` under PyTorch's name: see {@link RemoteAttentionCall}. */
  readonly scaledDotProductAttention: RemoteAttentionCall;

  /** `selfAttention` of Fovea, computed in the worker. */
  selfAttention<
    Q extends RemoteArrayInput,
    const W extends AskWeights = undefined,
    P extends AttentionPattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    X: Q,
    params: RemoteParams<ProjectionParams>,
    options?: RemoteSelfAttentionOptions<RequestTypes<W, P, L, G, T>>,
  ): Promise<RequestedResult<RemoteResultArray<Q>, RequestTypes<W, P, L, G, T>>>;

  /** `multiHeadAttention` of Fovea, computed in the worker. */
  multiHeadAttention<
    Q extends RemoteArrayInput,
    const W extends AskWeights = undefined,
    P extends AttentionPattern | undefined = undefined,
    const L extends AskLse = undefined,
    const G extends AskLogits = undefined,
    const T extends AskTrace = undefined,
  >(
    query: Q,
    key: RemoteArrayInput,
    value: RemoteArrayInput,
    params: RemoteParams<MultiHeadParams>,
    options: RemoteMultiHeadOptions<RequestTypes<W, P, L, G, T>>,
  ): Promise<RequestedResult<RemoteResultArray<Q>, RequestTypes<W, P, L, G, T>>>;

  /** `combine` of Fovea, computed in the worker, which is sent the `output` and `lse` of each part alone. */
  combine<Q extends RemoteArrayInput>(
    parts: readonly RemoteCombinePart<Q>[],
    options?: RemoteCombineOptions,
  ): Promise<CombineResult<RemoteResultArray<Q>>>;

  /**
   * The functions that the worker's module gave to `serve` of fovea/serve, by their names: each takes one input and the options
   * `signal`, `onPost` and `transfer`, and promises the function's result. Lists, typed arrays and plain objects are copied in both
   * directions. A RemoteTensor arrives as the Tensor that it stands for, a Pattern as one for the option `pattern`; a Tensor comes back
   * as a RemoteTensor. An error that the function throws comes back as it is.
   *
   * @throws AttentionError as a rejection: `option` for a name that the worker does not serve; `value` where the input or the result
   *   cannot be sent.
   */
  readonly functions: RemoteFunctions<F>;

  /** Copies an array into the worker, where calls read it without a further copy; of a RemoteTensor, its clone. */
  tensor(x: RemoteArrayInput, call?: CallOptions): Promise<RemoteTensor>;

  /**
   * Runs `fn`, waits for what it returns, and frees all RemoteTensors made through the `scoped` that it was given, but those
   * reachable from the result (in arrays, objects, Maps, Sets); also when it throws. Calls made through `scoped` and
   * not awaited are waited for.
   *
   * @example
   * import { connect } from 'fovea/worker';
   * const remote = await connect();
   * const output = await remote.scope(async (scoped) => {
   *   const x = await scoped.tensor([[1, 0], [0, 1]]);
   *   return (await scoped.attention(x, x, x)).output; // x is freed, the output is kept
   * });
   * output.dispose();
   */
  scope<R>(fn: (scoped: RemoteFovea<F>) => R | PromiseLike<R>): Promise<R>;

  /** Bytes of the worker's wasm memory, once the calls before are done. Both 0 after `dispose()` or `terminate()`. */
  memory(): Promise<MemoryUse>;

  /** Takes no more calls, finishes those that were made, and ends the worker with all that lives there. May be called again. */
  dispose(): Promise<void>;

  /** Ends the worker at once. What is pending rejects with `disposed`. May be called again. */
  terminate(): void;
}
