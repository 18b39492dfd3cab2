/** The public surface of `fovea/worker`: what both entries export, and the types. */
import type { ConnectOptions } from './remote_types.ts';
import type { RemoteFovea } from './remote_fovea.ts';
import type { ServedFunctions } from './served_types.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export type { RemoteFovea } from './remote_fovea.ts';
export { RemoteTensor } from './remote_tensor.ts';
export type * from './remote_types.ts';
export type { AttentionBias, AttentionPattern, AttentionScore } from '../attention/types/entries.ts';
export type * from '../tensor/array_types.ts';
export type {
  AskLogits,
  AskLse,
  AskTrace,
  AskWeights,
  AttentionResult,
  LogitStage,
  Requested,
  RequestedResult,
  RequestTypes,
  SparseWeights,
  WeightsChoice,
  WeightsOf,
} from '../attention/types/results.ts';
export type { AttentionOptions, CausalAlign, Layout } from '../attention/types/options.ts';
export type { CombineOptions, CombineResult } from '../attention/types/combine.ts';
export type { FoveaInfo, LoadOptions, MemoryUse, Variant, WasmModule } from '../runtime/instance_types.ts';
export type {
  MultiHeadOptions,
  MultiHeadParams,
  ProjectionParams,
  SelfAttentionOptions,
  WeightLayout,
} from '../attention/types/projected.ts';
export type { CallOptions, Progress } from './call_options.ts';
export type { FunctionOptions, Remote, RemoteFunction, RemoteFunctions, ServedFunctions } from './served_types.ts';
export type { TraceAxis, TraceSelection, TraceStage } from '../trace/stages.ts';

/**
 * Starts a worker that computes, so that the caller's thread is free meanwhile: a page stays responsive. Every connection has
 * a worker, and in it an instance, of its own. Importing fovea/worker does nothing by itself, so it is safe in server-side
 * rendering. In Node the worker keeps the process running only while calls are pending.
 *
 * @param options those of `load`, which the worker is given; `sliceTime`, `signal`.
 * @typeParam F - the functions that the module of `worker` serves: `connect<typeof functions>({ worker })`.
 * @throws AttentionError `load` where the worker cannot start, or as `load` does; `option` and `value` for wrong options.
 * @example
 * import { connect } from 'fovea/worker';
 * const remote = await connect();
 * const { output } = await remote.attention([[1, 0]], [[1, 0], [0, 1]], [[1, 2], [3, 4]]);
 * remote.terminate();
 */
export declare function connect<F extends ServedFunctions<F> = Record<never, never>>(
  options?: ConnectOptions,
): Promise<RemoteFovea<F>>;
