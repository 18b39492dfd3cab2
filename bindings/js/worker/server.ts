/** The worker's side: does the calls that come, one after the other, and looks for an abort between the slices of each. */
import { AttentionError, messageOf } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Instance } from '../runtime/instance.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';
import { answer, planOf } from './calls.ts';
import { Handles } from './handles.ts';
import { timedPace } from './pace.ts';
import type { CallName, Reply, Request, SentError } from './protocol.ts';
import { callModule, sendableResult, type ModulePlatform } from './run.ts';
import { inSlices } from './slices.ts';
import { sendable, unpack } from './unpack.ts';

export interface ServerPlatform extends ModulePlatform {
  load(options: LoadOptions): Promise<Fovea>;
  post(reply: Reply, transfer: readonly Transferable[]): void;
  /** Lets messages in that have come meanwhile. */
  yieldToEventLoop(): Promise<void>;
}

type CallRequest = Request & { type: 'call' };

/** The error of a call that was aborted between two slices. */
const ABORTED = Symbol('aborted');

export class Server {
  readonly #platform: ServerPlatform;
  readonly #queue: (Request & { type: 'call' | 'free' | 'drop' })[] = [];
  #fovea: Fovea | null = null;
  #instance: Instance | null = null;
  #handles: Handles | null = null;
  #sliceTime = 0;
  #busy = false;
  #running: { readonly id: number; aborted: boolean } | null = null;

  constructor(platform: ServerPlatform) {
    this.#platform = platform;
  }

  receive(request: Request): void {
    if (request.type === 'open') {
      void this.#open(request);
    } else if (request.type === 'abort') {
      this.#abort(request.id);
    } else {
      this.#queue.push(request);
      if (!this.#busy) void this.#drain();
    }
  }

  /** A message has come that cannot be read: what it asked for is not known. */
  onMessageError(): void {
    this.#post({ type: 'dead', error: sent(new Error('a message to the worker cannot be read there')) });
  }

  async #open({ options, sliceTime }: Request & { type: 'open' }): Promise<void> {
    try {
      this.#fovea = await this.#platform.load(options);
      this.#instance = instanceOf('connect', this.#fovea);
      this.#handles = new Handles(this.#instance);
      this.#sliceTime = sliceTime;
      this.#post({ type: 'ready', info: { ...this.#fovea.info } });
    } catch (error) {
      this.#post({ type: 'dead', error: sent(error) });
    }
  }

  /** In the queue it goes at once; what runs ends after its slice. */
  #abort(id: number): void {
    if (this.#running?.id === id) this.#running.aborted = true;
    const at = this.#queue.findIndex((request) => request.type === 'call' && request.id === id);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    this.#post({ type: 'aborted', id });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (next.type === 'call') await this.#call(next);
      else if (next.type === 'free') this.#handles!.free(next.handle);
      else this.#handles!.drop(next.handle);
    }
    this.#busy = false;
  }

  async #call(request: CallRequest): Promise<void> {
    const { id } = request;
    const handles = this.#handles!;
    this.#running = { id, aborted: false };
    try {
      const args = unpack(request, handles);
      const isRun = request.name === 'run';
      const value = isRun ? await callModule(this.#platform, this.#fovea!, args) : await this.#compute(request, args);
      const { transfer, ...result } = isRun ? sendableResult(value, handles, this.#instance!.heap) : sendable(value, handles);
      this.#post({ type: 'done', id, ...result }, transfer);
    } catch (error) {
      if (error === ABORTED) this.#post({ type: 'aborted', id });
      else if (this.#instance!.engine.usable || this.#instance!.engine.disposed)
        this.#post({ type: 'failed', id, error: sent(error, request.name) });
      else this.#post({ type: 'dead', error: ofConnection(sent(error)) });
    }
    this.#running = null;
  }

  async #compute(request: CallRequest, args: readonly unknown[]): Promise<unknown> {
    const { id, name, progress } = request;
    const call = planOf(this.#instance!, name, args);
    if (call === null) {
      const value = answer(this.#fovea!, name, args as [Tensor, ...unknown[]]);
      if (progress) this.#post({ type: 'progress', id, done: 1, total: 1 });
      return value;
    }
    const pace = timedPace(this.#sliceTime, this.#instance!.info.threads);
    const steps = inSlices(call, pace);
    let since = pace.now();
    for (let last = { done: 0, total: 1 }; ;) {
      const step = steps.next();
      if (step.done === true) {
        if (progress) this.#post({ type: 'progress', id, done: last.total, total: last.total });
        return step.value;
      }
      last = step.value;
      // Slices much shorter than asked for, as the first ones are, do not each wait for messages.
      if (pace.now() - since < this.#sliceTime / 2 || last.done === last.total) continue;
      if (progress) this.#post({ type: 'progress', id, ...last });
      await this.#platform.yieldToEventLoop();
      if (this.#running!.aborted) {
        steps.return(undefined as never);
        throw ABORTED;
      }
      since = pace.now();
    }
  }

  #post(reply: Reply, transfer: readonly Transferable[] = []): void {
    this.#platform.post(reply, transfer);
  }
}

/** An error as it is sent; one that a function of `run` has thrown is the caller's own. */
function sent(error: unknown, fn?: CallName): SentError {
  const message = messageOf(error);
  const { name = 'Error', cause } = error instanceof Error ? error : {};
  const told = cause === undefined ? undefined : cause instanceof Error ? cause.message : String(cause);
  if (isAttentionError(error)) return { code: error.code, name, message, cause: told };
  if (fn !== 'run') return { code: 'internal', name, message: `worker: ${message}`, cause: undefined };
  if (name === 'DataCloneError')
    return { code: 'value', name, message: `run: the result cannot be sent: ${message}`, cause: undefined };
  return { code: null, name, message, cause: told };
}

/** Also one of another copy of the package, which a module of the caller's may have. */
function isAttentionError(error: unknown): error is AttentionError {
  return error instanceof AttentionError || (error instanceof Error && error.name === 'AttentionError' && 'code' in error);
}

/** connect() stands for load() here. */
function ofConnection(error: SentError): SentError {
  return { ...error, message: error.message.replace('a new instance with load()', 'a new one with connect()') };
}
