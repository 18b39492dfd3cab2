/** The types of `fovea/worker`: those of fovea, with RemoteTensor in the place of Tensor and the options of a call added. */
import type { Tensor } from '../tensor/tensor.ts';
import type { NDArray, PlainArray } from '../tensor/array_types.ts';
import type { RequestTypes } from '../attention/types/results.ts';
import type { AttentionOptions, MaskInput } from '../attention/types/options.ts';
import type { CombineOptions } from '../attention/types/combine.ts';
import type { HostSignal, HostWorker } from '../errors/host_types.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';
import type {
  MultiHeadOptions,
  MultiHeadParams,
  ProjectionParams,
  SelfAttentionOptions,
} from '../attention/types/projected.ts';
import type { OutTargets } from '../call/out_targets.ts';
import type { CallOptions } from './call_options.ts';
import type { RemoteTensor } from './remote_tensor.ts';

/** Any array argument, as ArrayInput of fovea, with a RemoteTensor that lives in the worker in the place of a Tensor. */
export type RemoteArrayInput = PlainArray | RemoteTensor;

/** MaskInput with a RemoteTensor in the place of a Tensor, which is added to the logits. */
export type RemoteMaskInput = Exclude<MaskInput, Tensor> | RemoteTensor;

/** Where results go instead of fresh arrays; arrays are written when the call is done. */
export type RemoteOutTargets = { readonly [Name in keyof OutTargets]: NDArray | RemoteTensor | undefined };

interface RemoteMaskOption {
  readonly mask?: RemoteMaskInput | undefined;
}

export interface RemoteAttentionOptions<R extends RequestTypes = RequestTypes>
  extends Omit<AttentionOptions<R>, 'mask' | 'out'>, RemoteMaskOption, CallOptions {
  readonly out?: RemoteOutTargets | undefined;
}

export interface RemoteSelfAttentionOptions<R extends RequestTypes = RequestTypes>
  extends Omit<SelfAttentionOptions<R>, 'mask'>, RemoteMaskOption, CallOptions {}

export interface RemoteMultiHeadOptions<R extends RequestTypes = RequestTypes>
  extends Omit<MultiHeadOptions<R>, 'mask'>, RemoteMaskOption, CallOptions {}

/** CombinePart of a connection: the result of attention with `returnLse: true`, or any `{ output, lse }`. */
export interface RemoteCombinePart<A extends RemoteArrayInput = RemoteArrayInput> {
  readonly output: A;
  /** Required: `returnLse: true` asks attention for it. */
  readonly lse?: RemoteArrayInput | undefined;
}

export interface RemoteCombineOptions extends Omit<CombineOptions, 'out'>, CallOptions {
  readonly out?: Omit<RemoteOutTargets, 'weights'> | undefined;
}

/** The parameters of the plain call, a RemoteTensor wherever a Tensor may be. */
export type RemoteParams<Params extends ProjectionParams | MultiHeadParams> = {
  readonly [Name in keyof Params]: Exclude<Params[Name], Tensor> | RemoteTensor;
};

/** The type of a call's results for a first array argument of type Q: RemoteTensors for a RemoteTensor, else plain arrays. */
export type RemoteResultArray<Q> = Q extends RemoteTensor ? RemoteTensor : NDArray;

export interface ConnectOptions extends LoadOptions {
  /**
   * Whether the worker's instance is one of the `load` of fovea/train, so that served functions can train; false by default. It needs
   * a `worker` of yours.
   */
  readonly training?: boolean | undefined;
  /**
   * Milliseconds that a slice of a long call should take, 30 by default: how soon an abort takes effect, and how often progress
   * is told. 0 = slices as short as can be.
   */
  readonly sliceTime?: number | undefined;
  /**
   * A worker of yours, such as `new Worker(new URL('./model.worker.js', import.meta.url), { type: 'module' })`, in Node one of
   * node:worker_threads. Its module calls `serve` of fovea/serve, or it runs a copy of the package's script. It is the connection's
   * from now on: nobody else talks to it, and it ends with the connection, also where connect() fails.
   */
  readonly worker?: HostWorker | undefined;
  /**
   * Milliseconds within which the worker's script must run, 30,000 by default. The time to load the wasm file
   * does not count.
   */
  readonly timeout?: number | undefined;
  /** Aborting ends the worker while it is being started; connect() rejects with the signal's reason. */
  readonly signal?: HostSignal | undefined;
}
