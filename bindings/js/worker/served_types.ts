/** The functions of a worker of one's own: as its module writes them for `serve`, and as the calling side has them. */
import type { Fovea } from '../fovea/fovea.ts';
import type { HostSignal } from '../errors/host_types.ts';
import type { NestedBooleans, NestedNumbers, NestedRows } from '../tensor/array_types.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { CallOptions } from './call_options.ts';
import type { RemoteTensor } from './remote_tensor.ts';

/** Beside its input, what a function gets of one call. */
export interface ServedCall<Message = unknown> {
  /** Aborted when the caller's own signal is. A function that computes without a pause does not see it: `await post(…)` is one. */
  readonly signal: HostSignal;
  /**
   * Sends a message, such as the progress, to the caller's `onPost`: copied, Tensors as RemoteTensors. After the call's end it does nothing.
   *
   * @returns a promise that resolves once the worker has read the messages that came meanwhile, so that `signal` is up to date
   * @throws AttentionError `value` where the message cannot be sent
   */
  post(message: Message): Promise<void>;
}

/**
 * A function that `serve` takes. Its result, or what it promises, is sent to the caller. Declared as a method: parameters of methods may be narrower
 * than declared, so each function says the type of its own input.
 */
export type ServedFunction = { function(fovea: Fovea, input: unknown, call: ServedCall): unknown }['function'];

/** Functions by the names that the caller uses. */
export type ServedFunctions<F = Record<string, ServedFunction>> = { readonly [Name in keyof F]: ServedFunction };

/** A value of the worker as the calling side has it: in lists and in plain objects, too, a RemoteTensor in the place of each Tensor. */
export type Remote<T> = T extends Tensor
  ? RemoteTensor
  : T extends Sendable
    ? T
    : T extends object
      ? { [Name in keyof T]: Remote<T[Name]> }
      : T;

/** Values without Tensors. */
type Sendable =
  | NestedNumbers
  | NestedBooleans
  | NestedRows
  | ArrayBufferView
  | ArrayBufferLike
  | Date
  | RegExp
  | Error
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...args: never[]) => unknown);

type InputOf<F> = F extends (fovea: never, input: infer Input, ...rest: never[]) => unknown ? Input : never;

type MessageOf<F> = F extends (fovea: never, input: never, call: infer Call) => unknown
  ? Call extends { post(message: infer Message): unknown }
    ? Message
    : unknown
  : unknown;

type ResultOf<F> = F extends (...args: never[]) => infer Result ? Awaited<Result> : never;

/** The options of a call of a served function. */
export interface FunctionOptions<Message = unknown> extends Omit<CallOptions, 'onProgress'> {
  /** Called with each message that the function posts. What it throws ends the call, which rejects with it. */
  readonly onPost?: ((message: Message) => void) | undefined;
}

/** A served function as the calling side has it; `input` may be left out where the function has none, or an optional one. */
export type RemoteFunction<F> = (
  ...args: undefined extends InputOf<F>
    ? [input?: Remote<InputOf<F>>, options?: FunctionOptions<Remote<MessageOf<F>>>]
    : [input: Remote<InputOf<F>>, options?: FunctionOptions<Remote<MessageOf<F>>>]
) => Promise<Remote<ResultOf<F>>>;

/** The functions that the worker serves, by their names. */
export type RemoteFunctions<F> = { readonly [Name in keyof F]: RemoteFunction<F[Name]> };
