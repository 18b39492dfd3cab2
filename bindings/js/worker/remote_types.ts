/** The types of `fovea/worker`: those of fovea, with RemoteTensor in the place of Tensor and the options of a call added. */
import type { Pattern } from '../pattern/pattern.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type {
  ArrayData,
  AskLogits,
  AskLse,
  AskTrace,
  AskWeights,
  AttentionOptions,
  AxisOptions,
  CombineOptions,
  LoadOptions,
  MaskInput,
  MultiHeadOptions,
  MultiHeadParams,
  NDArray,
  NestedNumbers,
  OutTargets,
  Progress,
  ProjectionParams,
  SelfAttentionOptions,
} from '../attention/types.ts';
import type { RemoteTensor } from './remote_tensor.ts';

/** The options of every call to a worker. */
export interface CallOptions {
  /**
   * Aborting removes the call from the queue or ends it after the slice under way; it rejects with the signal's reason, an
   * AbortError unless another was given. RemoteTensors that it was given live on; an `out` one may hold a part of the result.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called between slices and at the end. What it throws ends the call, which rejects with it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Moves the buffers of the typed arrays given in place of copying them: they are empty for the caller afterwards. Shared
   * buffers are copied all the same.
   */
  readonly transfer?: boolean | undefined;
}

/** Any array argument: `{ data, shape }`, nested numbers, or a RemoteTensor that lives in the worker. */
export type RemoteArrayInput = ArrayData | NestedNumbers | RemoteTensor;

/** As MaskInput; a RemoteTensor is added to the logits. */
export type RemoteMaskInput = Exclude<MaskInput, Tensor> | RemoteTensor;

/** Where results go instead of fresh arrays; arrays are written when the call is done. */
export type RemoteOutTargets = { readonly [Name in keyof OutTargets]: NDArray | RemoteTensor | undefined };

interface RemoteRules {
  readonly mask?: RemoteMaskInput | undefined;
}

/** As a type parameter of AttentionOptions. */
type MaybePattern = Pattern | undefined;

export interface RemoteAttentionOptions<
  W extends AskWeights = AskWeights,
  P extends MaybePattern = MaybePattern,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
>
  extends Omit<AttentionOptions<W, P, L, G, T>, 'mask' | 'out'>, RemoteRules, CallOptions {
  readonly out?: RemoteOutTargets | undefined;
}

export interface RemoteSelfAttentionOptions<
  W extends AskWeights = AskWeights,
  P extends MaybePattern = MaybePattern,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
>
  extends Omit<SelfAttentionOptions<W, P, L, G, T>, 'mask'>, RemoteRules, CallOptions {}

export interface RemoteMultiHeadOptions<
  W extends AskWeights = AskWeights,
  P extends MaybePattern = MaybePattern,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
>
  extends Omit<MultiHeadOptions<W, P, L, G, T>, 'mask'>, RemoteRules, CallOptions {}

/** As CombinePart: what attention resolves to with `returnLse: true`, or any `{ output, lse }`. */
export interface RemoteCombinePart<A extends RemoteArrayInput = RemoteArrayInput> {
  readonly output: A;
  /** Required: `returnLse: true` asks attention for it. */
  readonly lse?: RemoteArrayInput | undefined;
}

export interface RemoteCombineOptions extends Omit<CombineOptions, 'out'>, CallOptions {
  readonly out?: Omit<RemoteOutTargets, 'weights'> | undefined;
}

export interface RemoteAxisOptions extends AxisOptions, CallOptions {}

/** The parameters of the plain call, a RemoteTensor wherever a Tensor may be. */
export type RemoteParams<Params extends ProjectionParams | MultiHeadParams> = {
  readonly [Name in keyof Params]: Exclude<Params[Name], Tensor> | RemoteTensor;
};

/** The type of a call's results for a first array argument of type Q: RemoteTensors for a RemoteTensor, else plain arrays. */
export type RemoteResultArray<Q> = Q extends RemoteTensor ? RemoteTensor : NDArray;

export interface ConnectOptions extends LoadOptions {
  /**
   * Milliseconds that a slice of a long call should take, 30 by default: how soon an abort is heard, and how often progress
   * is told. 0 = slices as short as can be.
   */
  readonly sliceTime?: number | undefined;
  /** Aborting ends the worker while it is being started; connect() rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
