/// <reference lib="esnext.disposable" preserve="true" />
/** RemoteTensors: handles of Tensors that live in a worker. */
import { fail } from '../errors/errors.ts';
import { disposeByUsing, nameClass } from '../errors/inspect.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { NDArray, NumericArray, PlainArray } from '../tensor/array_types.ts';
import type { RemoteCall, RemoteConnection } from './remote_call.ts';
import type { Handle, SentValue } from './protocol.ts';
import type { CallOptions } from './call_options.ts';

/**
 * Memory in the worker that a RemoteTensor owns and its views share.
 * @internal
 */
export interface RemoteStorage {
  /** The RemoteTensor whose `dispose` frees it; known by a number, as a reference would keep a forgotten one alive. */
  owner: Handle;
  disposed: boolean;
}

/**
 * Where RemoteTensors belong: a scope, which frees them.
 * @internal
 */
export interface Home {
  adopt(tensor: RemoteTensor): void;
  /** Runs a call that was made there. */
  during<R>(call: () => Promise<R>): Promise<R>;
}

/** @internal */
export interface RemoteState {
  readonly connection: RemoteConnection;
  readonly handle: Handle;
  readonly shape: readonly number[];
  readonly storage: RemoteStorage;
  home: Home;
  disposed: boolean;
}

let create: (state: RemoteState) => RemoteTensor;
let peek: (tensor: RemoteTensor) => RemoteState;
let recognize: (value: unknown) => value is RemoteTensor;

/**
 * A handle of a float32 array that lives in a worker, for chains of calls without copies: made by `tensor(x)` of a
 * connection, or returned by a call whose first array argument is a RemoteTensor. Its maker disposes it: with
 * `dispose()`, a `using` declaration or the connection's `scope`; a FinalizationRegistry frees what was forgotten, at some time
 * or never.
 *
 * Its methods fail as those of Tensor do, by rejecting.
 *
 * @example
 * import { connect } from 'fovea/worker';
 * const remote = await connect();
 * const x = await remote.tensor([[1, 2], [3, 4]]);
 * const { data } = await (await x.slice(0, 1, 2)).toArray(); // Float32Array [3, 4]
 * x.dispose();
 */
export class RemoteTensor {
  readonly #state: RemoteState;

  static {
    create = (state) => new RemoteTensor(state);
    peek = (tensor) => tensor.#state;
    recognize = (value): value is RemoteTensor => typeof value === 'object' && value !== null && #state in value;
    nameClass(RemoteTensor.prototype, 'RemoteTensor', ({ shape }) => `RemoteTensor ${formatShape(shape)}`);
    disposeByUsing(RemoteTensor.prototype);
  }

  private constructor(state: RemoteState) {
    this.#state = state;
    state.connection.watch(this, state.handle);
    state.home.adopt(this);
  }

  /** The lengths of the axes. */
  get shape(): number[] {
    return [...this.#state.shape];
  }

  /** Whether this tensor or the owner of its memory has been disposed, or the connection has ended. */
  get disposed(): boolean {
    const { connection, storage, disposed } = this.#state;
    return disposed || storage.disposed || connection.ended;
  }

  /** A copy of its numbers, once the calls before it are done. */
  toArray(call?: CallOptions): Promise<NDArray> {
    return this.#ask('toArray', [], ({ value }) => value as NDArray, call);
  }

  /**
   * Overwrites the elements.
   *
   * @param values as many numbers as the tensor has: a typed array, an array of numbers, or an array input of its shape.
   */
  set(values: PlainArray | RemoteTensor | NumericArray | readonly number[], call?: CallOptions): Promise<void> {
    return this.#ask('set', [['values', values]], () => {}, call);
  }

  /** A view of the same elements under another shape of the same size, disposed with the owner of its memory. */
  reshape(shape: readonly number[], call?: CallOptions): Promise<RemoteTensor> {
    return this.#ask('reshape', [['shape', shape]], (sent) => this.#view(sent), call);
  }

  /** The entries `from` to `to` (exclusive) along `axis`: a view, disposed with the owner of its memory. */
  slice(axis: number, from: number, to?: number, call?: CallOptions): Promise<RemoteTensor> {
    const args = [
      ['axis', axis],
      ['from', from],
      ['to', to],
    ] as const;
    return this.#ask('slice', args, (sent) => this.#view(sent), call);
  }

  /** A copy with memory of its own. */
  clone(call?: CallOptions): Promise<RemoteTensor> {
    const { connection, home } = this.#state;
    return this.#ask('clone', [], (sent) => receiveTensor(connection, home, sent, sent.value), call);
  }

  /**
   * Frees the memory once the calls before it are done, and with it every view of it; a view's own dispose frees nothing.
   * May be called again.
   */
  dispose(): void {
    const state = this.#state;
    if (this.disposed) return;
    state.disposed = true;
    state.connection.unwatch(this);
    const owner = state.storage.owner === state.handle;
    if (owner) state.storage.disposed = true;
    state.connection.send({ type: owner ? 'free' : 'drop', handle: state.handle });
  }

  #view(sent: SentValue): RemoteTensor {
    const { connection, home, storage } = this.#state;
    return receiveTensor(connection, home, sent, sent.value, storage);
  }

  async #ask<R>(
    method: 'toArray' | 'set' | 'reshape' | 'slice' | 'clone',
    args: RemoteCall<R>['args'],
    receive: RemoteCall<R>['receive'],
    call: CallOptions | undefined,
  ): Promise<R> {
    const fn = `tensor.${method}` as const;
    const { connection, home, shape } = this.#state;
    connection.check(fn);
    if (this.disposed) fail('disposed', fn, `the tensor of shape ${formatShape(shape)} has been disposed`);
    const request: RemoteCall<R> = { name: fn, args: [['the tensor', this], ...args], call, receive };
    return home.during(() => connection.request(request));
  }
}

export interface RemoteTensor {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/** @internal */
export function isRemoteTensor(value: unknown): value is RemoteTensor {
  return recognize(value);
}

/**
 * The state of a tensor, for scopes.
 * @internal
 */
export function stateOf(tensor: RemoteTensor): RemoteState {
  return peek(tensor);
}

/**
 * The state of a tensor that `fn` was given as `name`: alive, and of this connection.
 * @internal
 */
export function remoteState(connection: RemoteConnection, fn: string, name: string, tensor: RemoteTensor): RemoteState {
  const state = peek(tensor);
  if (state.connection !== connection)
    fail('value', fn, `${name} must be a RemoteTensor of this connection, got one that another connect() made`);
  if (tensor.disposed)
    fail('disposed', fn, `${name} is a RemoteTensor of shape ${formatShape(state.shape)} that has been disposed`);
  return state;
}

/**
 * The tensor that stands at `place` in a message; a view has the storage of another.
 * @internal
 */
export function receiveTensor(
  connection: RemoteConnection,
  home: Home,
  { tensors }: SentValue,
  place: unknown,
  storage?: RemoteStorage,
): RemoteTensor {
  const { handle, shape } = tensors.get(place as object)!;
  return create({
    connection,
    handle,
    shape,
    storage: storage ?? { owner: handle, disposed: false },
    home,
    disposed: false,
  });
}
