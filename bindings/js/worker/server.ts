/** The worker's side: does the calls that come, one after the other, and looks for an abort between the slices of each. */
import { AttentionError, fail, messageOf } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Instance } from '../runtime/instance.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';
import type { Progress } from './call_options.ts';
import { answer, planOf } from './calls.ts';
import { Handles } from './handles.ts';
import { timedPace } from './pace.ts';
import type { CallName, Reply, Request, SentError } from './protocol.ts';
import { findUncloneable } from './find_uncloneable.ts';
import { sendableResult } from './sendable_result.ts';
import type { ServedFunction } from './served_types.ts';
import { inSlices } from './slices.ts';
import { TRAINING_NEEDS_WORKER } from './start.ts';
import { sendable, unpack } from './unpack.ts';

export interface ServerPlatform {
  load(options: LoadOptions): Promise<Fovea>;
  /** `load` with the wasm files that have gradients; null in the package's own script, whose calls need none. */
  readonly loadForTraining: ((options: LoadOptions) => Promise<Fovea>) | null;
  post(reply: Reply, transfer: readonly Transferable[]): void;
  /** Lets messages in that have come meanwhile. */
  yieldToEventLoop(): Promise<void>;
}

type CallRequest = Request & { type: 'call' };

/** The call that is being done. */
interface Running {
  readonly id: number;
  aborted: boolean;
  /** Aborts a served function; null for the package's own. */
  readonly controller: AbortController | null;
}

/** The error of a call that was aborted between two slices. */
const ABORTED = Symbol('aborted');

export class Server {
  readonly #platform: ServerPlatform;
  readonly #queue: (Request & { type: 'call' | 'free' | 'drop' })[] = [];
  #fovea: Fovea | null = null;
  #instance: Instance | null = null;
  #handles: Handles | null = null;
  #sliceTime = 0;
  #opening = false;
  #busy = false;
  #running: Running | null = null;
  readonly #functions: Readonly<Record<string, ServedFunction>>;

  /** @param functions - own properties alone, of an object that inherits nothing */
  constructor(platform: ServerPlatform, functions: Readonly<Record<string, ServedFunction>>) {
    this.#platform = platform;
    this.#functions = functions;
    // Where the request to open has come before, nobody listened: it is not in the queue of messages.
    void platform.yieldToEventLoop().then(() => this.#opening || this.#post({ type: 'alive', opening: false }));
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

  async #open({ options, training, sliceTime }: Request & { type: 'open' }): Promise<void> {
    // It is sent again to a worker that gave a sign of life while the first one was on its way.
    if (this.#opening) return;
    this.#opening = true;
    this.#post({ type: 'alive', opening: true });
    try {
      this.#fovea = await (training ? this.#loadForTraining(options) : this.#platform.load(options));
      this.#instance = instanceOf('connect', this.#fovea);
      this.#handles = new Handles(this.#instance);
      this.#sliceTime = sliceTime;
      this.#post({ type: 'ready', info: { ...this.#fovea.info }, functions: Object.keys(this.#functions) });
    } catch (error) {
      this.#post({ type: 'dead', error: sent(error) });
    }
  }

  #loadForTraining(options: LoadOptions): Promise<Fovea> {
    const { loadForTraining } = this.#platform;
    return loadForTraining === null ? fail('option', 'connect', TRAINING_NEEDS_WORKER) : loadForTraining(options);
  }

  /** In the queue it goes at once; what runs ends after its slice. */
  #abort(id: number): void {
    if (this.#running?.id === id) {
      this.#running.aborted = true;
      this.#running.controller?.abort();
    }
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
    const { id, name } = request;
    const serves = isServed(name);
    this.#running = { id, aborted: false, controller: serves ? new AbortController() : null };
    try {
      const args = unpack(request, this.#handles!);
      if (serves) {
        this.#postValue('done', name, 'the result', id, await this.#serve(request, args[0]));
      } else {
        const { transfer, ...result } = sendable(await this.#compute(request, args), this.#handles!);
        this.#post({ type: 'done', id, ...result }, transfer);
      }
    } catch (error) {
      if (error === ABORTED) this.#post({ type: 'aborted', id });
      else if (this.#instance!.engine.usable || this.#instance!.engine.disposed)
        this.#post({ type: 'failed', id, error: sent(error, serves) });
      else this.#post({ type: 'dead', error: ofConnection(sent(error)) });
    }
    this.#running = null;
  }

  async #serve({ id, name, listens }: CallRequest, input: unknown): Promise<unknown> {
    const running = this.#running!;
    const post = (message: unknown): Promise<void> => {
      if (listens && this.#running === running) this.#postValue('post', name, 'the message', id, message);
      return this.#platform.yieldToEventLoop();
    };
    const call = Object.freeze({ signal: running.controller!.signal, post });
    return this.#functions[name.slice(SERVED.length)]!(this.#fovea!, input, call);
  }

  /** Sends what a served function returned or posted; what cannot be sent leaves no Tensor behind. */
  #postValue(type: 'done' | 'post', fn: string, what: string, id: number, value: unknown): void {
    const handles = this.#handles!;
    const { transfer, ...result } = sendableResult(fn, what, value, handles);
    try {
      this.#post({ type, id, ...result }, transfer);
    } catch (error) {
      for (const { handle } of result.tensors.values()) handles.drop(handle);
      fail('value', fn, `${findUncloneable(what, result.value) ?? what} cannot be sent`, error);
    }
  }

  async #compute(request: CallRequest, args: readonly unknown[]): Promise<unknown> {
    const { id, name, listens } = request;
    const call = planOf(this.#instance!, name, args);
    if (call === null) {
      const value = answer(this.#fovea!, name, args as [Tensor, ...unknown[]]);
      if (listens) this.#report(id, { done: 1, total: 1 });
      return value;
    }
    const pace = timedPace(this.#sliceTime, this.#instance!.info.threads);
    const steps = inSlices(call, pace);
    let since = pace.now();
    for (let last = { done: 0, total: 1 }; ;) {
      const step = steps.next();
      if (step.done === true) {
        if (listens) this.#report(id, { done: last.total, total: last.total });
        return step.value;
      }
      last = step.value;
      // Slices much shorter than asked for, as the first ones are, do not each wait for messages.
      if (pace.now() - since < this.#sliceTime / 2 || last.done === last.total) continue;
      if (listens) this.#report(id, last);
      await this.#platform.yieldToEventLoop();
      if (this.#running!.aborted) {
        steps.return(undefined as never);
        throw ABORTED;
      }
      since = pace.now();
    }
  }

  #report(id: number, progress: Progress): void {
    this.#post({ type: 'post', id, value: progress, tensors: new Map() });
  }

  #post(reply: Reply, transfer: readonly Transferable[] = []): void {
    this.#platform.post(reply, transfer);
  }
}

const SERVED = 'functions.';

function isServed(name: CallName): boolean {
  return name.startsWith(SERVED);
}

/** An error as it is sent; `own` where a served function has thrown it: it is the caller's own. */
function sent(error: unknown, own = false): SentError {
  const message = messageOf(error);
  const { name = 'Error', cause, stack } = error instanceof Error ? error : {};
  const told = cause === undefined ? undefined : cause instanceof Error ? cause.message : String(cause);
  if (isAttentionError(error)) return { code: error.code, name, message, cause: told };
  if (!own) return { code: 'internal', name, message: `worker: ${message}`, cause: undefined };
  return { code: null, name, message, cause: told, stack };
}

/** Also one of another copy of the package, which a module of the caller's may have. */
function isAttentionError(error: unknown): error is AttentionError {
  return error instanceof AttentionError || (error instanceof Error && error.name === 'AttentionError' && 'code' in error);
}

/** connect() stands for load() here. */
function ofConnection(error: SentError): SentError {
  return { ...error, message: error.message.replace('a new instance with load()', 'a new one with connect()') };
}
