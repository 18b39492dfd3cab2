/** The calling side of one worker: which calls are pending, what becomes of them, and whether the worker still lives. */
import { AttentionError, fail, messageOf, type ErrorCode } from '../errors/errors.ts';
import type { FoveaInfo } from '../runtime/instance_types.ts';
import { readCallOptions, reasonOf, type Progress } from './call_options.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import type { RemoteCall, RemoteConnection } from './remote_call.ts';
import { pack, refuse } from './pack.ts';
import type { Pending } from './pending.ts';
import type { Handle, Reply, Request, SentValue } from './protocol.ts';
import { readReply } from './read_reply.ts';
import { calledFrom, causeOf, errorOf, withoutName } from './sent_error.ts';
import { after, MUST_SERVE } from './start.ts';

export class Connection implements RemoteConnection {
  info: FoveaInfo | null = null;
  /** The names of the functions that the worker serves. */
  functions: readonly string[] = [];
  readonly #channel: Channel;
  readonly #pending = new Map<number, Pending>();
  readonly #forgotten: FinalizationRegistry<Handle>;
  #last = 0;
  /** Why no more calls are taken: an error's code and what follows the function's name. */
  #closed: { readonly code: ErrorCode; readonly message: string; readonly cause?: unknown } | null = null;
  #settleOpen: ((error: AttentionError | null) => void) | null = null;
  /** Takes a sign of life of the worker while it starts. */
  #onAlive: ((opening: boolean) => void) | null = null;
  #ended = false;
  #disposal: Promise<void> | null = null;

  constructor(start: (events: ChannelEvents) => Channel) {
    this.#forgotten = new FinalizationRegistry((handle) => this.send({ type: 'drop', handle }));
    this.#channel = start({
      reply: (message) => this.#receive(readReply(message)),
      broken: (why, cause) => this.#break(why, cause),
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Resolves once the worker has loaded its module.
   *
   * @param timeout - milliseconds within which its script must run
   */
  open(request: Request & { type: 'open' }, timeout: number): Promise<void> {
    const site = new Error();
    return new Promise((resolve, reject) => {
      const stopWaiting = after(timeout, () =>
        this.#break(`its script gave no sign within ${timeout} ms, the option timeout; ${MUST_SERVE}`, undefined),
      );
      this.#settleOpen = (error) => {
        this.#settleOpen = this.#onAlive = null;
        stopWaiting();
        this.#holdWhilePending();
        if (error === null) resolve();
        else reject(calledFrom(site, error));
      };
      this.#onAlive = (opening) => {
        stopWaiting();
        // A module with an `await` before its serve() heard nothing of the first request.
        if (!opening) this.#channel.post(request, []);
      };
      this.#channel.post(request, []);
      this.#holdWhilePending();
    });
  }

  /** Throws where no more calls are taken. */
  check(fn: string): void {
    if (this.#closed === null) return;
    const { code, message, cause } = this.#closed;
    fail(code, fn, message, cause);
  }

  /** Sends a call; the arguments are read, and copied or moved, before this returns. */
  request<R>({ name, args, call, receive }: RemoteCall<R>): Promise<R> {
    this.check(name);
    const { signal, onProgress, onPost, transfer = false } = readCallOptions(name, call);
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    const onMessage =
      (onPost ?? onProgress) &&
      ((sent: SentValue): void => (onPost ? onPost(receive(sent) as never) : onProgress!(sent.value as Progress)));
    const packing = pack(this, name, args, transfer);
    const id = ++this.#last;
    const { args: sent, tensors, targets, patterns, builders } = packing;
    try {
      const request: Request = {
        type: 'call',
        id,
        name,
        listens: onMessage !== undefined,
        args: sent,
        tensors,
        targets,
        patterns,
        builders,
      };
      this.#channel.post(request, packing.transfer);
    } catch (error) {
      refuse(name, args, packing, error);
    }
    const site = new Error();
    return new Promise<R>((resolve, reject) => {
      const abort = (): void => this.#abort(id, reasonOf(signal!));
      const settle = (): void => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort);
      this.#pending.set(id, {
        name,
        onMessage,
        abort: null,
        succeed: (value) => {
          settle();
          try {
            resolve(receive(value));
          } catch (error) {
            const message = `${name}: the worker's result cannot be taken in (${messageOf(error)})`;
            reject(error instanceof AttentionError ? error : new AttentionError('internal', message, { cause: error }));
          }
        },
        fail: (error) => {
          settle();
          reject(error instanceof AttentionError ? calledFrom(site, error) : error);
        },
      });
      this.#holdWhilePending();
    });
  }

  /** Sends what has no answer; nobody is there to hear of a failure. */
  send(request: Request): void {
    if (!this.#ended) this.#channel.post(request, []);
  }

  /** A handle is dropped when `owner` has been collected. */
  watch(owner: object, handle: Handle): void {
    this.#forgotten.register(owner, handle, owner);
  }

  unwatch(owner: object): void {
    this.#forgotten.unregister(owner);
  }

  /** Takes no more calls, finishes those that were made, and ends the worker. */
  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  /** Ends the worker now; what is pending fails. */
  end(code: ErrorCode, message: string, cause?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#closed = { code, message, cause };
    this.#channel.terminate();
    const error = (fn: string): AttentionError =>
      new AttentionError(code, `${fn}: ${message}`, cause === undefined ? undefined : { cause });
    this.#settleOpen?.(error('connect'));
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { name, abort, fail } of pending) fail(abort === null ? error(name) : abort.reason);
  }

  async #dispose(): Promise<void> {
    if (this.#ended) return;
    const done = this.request({ name: 'dispose', args: [], receive: () => {} });
    const closed = { code: 'disposed', message: 'this connection has been disposed; make a new one with connect()' } as const;
    this.#closed = closed;
    await done.catch(() => {}); // a worker that has died is gone as well
    this.end(closed.code, closed.message);
  }

  #abort(id: number, reason: unknown): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || pending.abort !== null) return;
    pending.abort = { reason };
    // The package's own calls end after a slice; a served function need not look for an abort.
    if (pending.name.startsWith('functions.')) pending.fail(reason);
    this.send({ type: 'abort', id });
  }

  #receive(reply: Reply | null): void {
    if (this.#ended || reply === null) return;
    if (reply.type === 'alive') {
      this.#onAlive?.(reply.opening);
    } else if (reply.type === 'ready') {
      if (this.info !== null) return;
      this.info = Object.freeze(reply.info);
      this.functions = reply.functions;
      this.#settleOpen?.(null);
    } else if (reply.type === 'dead') {
      this.end(reply.error.code ?? 'internal', withoutName(reply.error.message), causeOf(reply.error));
    } else if (reply.type === 'post') {
      if (!this.#report(reply)) this.#drop(reply);
    } else {
      this.#settle(reply);
    }
  }

  #settle(reply: Reply & { type: 'done' | 'failed' | 'aborted' }): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if (pending.abort !== null) {
      // Where it was done before the worker heard of the abort, its Tensors belong to nobody.
      if (reply.type === 'done') this.#drop(reply);
      pending.fail(pending.abort.reason);
    } else if (reply.type === 'done') pending.succeed(reply);
    else if (reply.type === 'failed') pending.fail(errorOf(reply.error));
    this.#holdWhilePending();
  }

  /** Frees the Tensors of a message that nobody takes. */
  #drop({ tensors }: SentValue): void {
    for (const { handle } of tensors.values()) this.send({ type: 'drop', handle });
  }

  /**
   * An error thrown by a callback ends its call, as there is nobody else to tell.
   *
   * @returns whether the call goes on, and its callback was there to take the message
   */
  #report(reply: Reply & { type: 'post' }): boolean {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined || pending.abort !== null) return false;
    try {
      pending.onMessage?.(reply);
    } catch (error) {
      this.#abort(reply.id, error);
    }
    return true;
  }

  #break(why: string, cause: unknown): void {
    const starting = this.#settleOpen !== null;
    const message = starting
      ? `the worker could not start: ${why}`
      : `the worker has crashed (${why}); make a new one with connect()`;
    this.end(starting ? 'load' : 'internal', message, cause);
  }

  #holdWhilePending(): void {
    if (!this.#ended) this.#channel.hold(this.#pending.size > 0 || this.#settleOpen !== null);
  }
}
