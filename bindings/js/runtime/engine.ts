/**
 * The only place that calls the wasm module. Whatever is thrown from inside is a trap; it poisons the
 * engine, as the module's memory can no longer be trusted, and every later call says so at once.
 */
import type { CoreModule, TrainOperation } from './core_module.ts';
import { coreText } from './core_text.ts';
import { describe, fail } from '../errors/errors.ts';

export type Operation =
  | 'attention'
  | 'attentionLogits'
  | 'combine'
  | 'matmul'
  | 'packWeights'
  | 'unpackWeights'
  | 'softmax'
  | 'compilePattern'
  | 'patternPairs'
  | 'lshBuckets'
  | 'linearAttention'
  | 'favorProjection'
  | 'featureRows'
  | 'parameterNormals'
  | 'selectionSamples'
  | 'unitRows'
  | 'activation'
  | 'gate'
  | 'arithmetic'
  | 'argmax'
  | 'blend'
  | 'copyStrided'
  | 'cumulativeSum'
  | 'elementary'
  | 'takeRows'
  | 'addRows'
  | 'rowNorm'
  | 'pooling'
  | 'conv1d'
  | 'linearLayer'
  | 'list'
  | 'recurrent'
  | 'sinusoidal'
  | 'tableRows'
  | 'rotary'
  | 'multiDimensionalAttention'
  | 'appendRows';

/** The operations of every build, and those of the builds of fovea/train. */
export type AnyOperation = Operation | TrainOperation;

export class Engine {
  #core: CoreModule | null;
  readonly #end: () => void;
  #trap: string | null = null;

  /** @param end - ends the workers of the module's threads */
  constructor(core: CoreModule, end: () => void) {
    this.#core = core;
    this.#end = end;
  }

  get usable(): boolean {
    return this.#core !== null && this.#trap === null;
  }

  get disposed(): boolean {
    return this.#core === null;
  }

  /** The memory as it is now: growth replaces the buffer, so it is never kept. */
  get buffer(): ArrayBufferLike {
    return this.#core === null ? new ArrayBuffer(0) : this.#core.wasmMemory.buffer;
  }

  /** Throws when nothing can be computed any more. */
  check(fn: string): CoreModule {
    if (this.#core === null) fail('disposed', fn, 'this fovea instance has been disposed; make a new one with load()');
    if (this.#trap !== null) {
      fail(
        'internal',
        fn,
        `the WebAssembly module trapped in an earlier call (${this.#trap}); its memory cannot be trusted, make a new instance with load()`,
      );
    }
    return this.#core;
  }

  /** Runs one operation on the parameter block at `block`; a status other than ok becomes an AttentionError here and nowhere else. */
  run(fn: string, operation: AnyOperation, block: number): void {
    const core = this.check(fn);
    let status;
    try {
      status = core[operation]!(block);
    } catch (error) {
      return this.#fail(fn, error);
    }
    if (status === 0) return;
    const name = coreText(core, core.statusName(status));
    if (name === 'memory') fail('memory', fn, `WebAssembly memory refused a workspace of ${core.refusedBytes()} bytes`);
    fail('internal', fn, `the core reported '${name}' for arguments that had passed every check; please report this`);
  }

  /** The address of `bytes` new bytes, or 0 where memory is refused. */
  allocate(fn: string, bytes: number): number {
    const core = this.check(fn);
    return this.#guard(fn, () => core.allocate(bytes)) >>> 0;
  }

  /** The number of units, or of state floats, of the call of this block, which has plans. */
  count(fn: string, what: 'unitCount' | 'stateFloats', block: number): number {
    const core = this.check(fn);
    return this.#guard(fn, () => core[what](block));
  }

  /** Gives memory back; does nothing once the engine is gone. */
  release(address: number): void {
    const core = this.#core;
    if (core === null || this.#trap !== null) return;
    this.#guard('dispose', () => core.release(address));
  }

  dispose(): void {
    const core = this.#core;
    if (core === null) return;
    this.#core = null;
    try {
      // Chromium takes two seconds to end a worker that waits inside WebAssembly. After a trap threads may wait for ever.
      if (this.#trap === null) core.stopThreads();
    } finally {
      this.#end();
    }
  }

  #guard<R>(fn: string, call: () => R): R {
    try {
      return call();
    } catch (error) {
      return this.#fail(fn, error);
    }
  }

  #fail(fn: string, error: unknown): never {
    this.#trap = describeTrap(error);
    this.#end();
    fail('internal', fn, `the WebAssembly module trapped (${this.#trap}); make a new instance with load()`, error);
  }
}

function describeTrap(error: unknown): string {
  // The glue throws this out of a call that waits for a thread that has trapped.
  if (error === 'unwind') return 'one of its threads has ended';
  return error instanceof Error ? error.message : describe(error);
}
