import type { Fovea, FoveaInfo } from 'fovea';
import type { RemoteFovea } from 'fovea/worker';
import { connect } from 'fovea/worker';
import type { Timing } from '../families/sparse/timing.ts';
import type { Clock, functions, Quality } from './job.ts';
import type { Method } from './methods.ts';
import { METHODS, methodOf } from './methods.ts';
import type { Stop } from './plan.ts';
import { LEAST_TIMED, lengthsTo, QUALITY_TOKENS, stopOf } from './plan.ts';

type Id = Method['id'];

/** Measures in a worker, one method and length after the other, so that the page answers meanwhile. */
export class Laboratory {
  status: 'idle' | 'running' | 'done' | 'cancelled' | 'hidden' | 'failed' = $state('idle');
  failure = $state('');
  clock: Clock | null = $state.raw(null);
  info: FoveaInfo | null = $state.raw(null);
  /** By method and length: "linear 1024". */
  timings: Readonly<Record<string, Timing>> = $state.raw({});
  stops: Readonly<Partial<Record<Id, Stop>>> = $state.raw({});
  qualities: Readonly<Partial<Record<Id, Quality>>> = $state.raw({});
  progress: { readonly done: number; readonly total: number; readonly now: string } = $state.raw({
    done: 0,
    total: 1,
    now: '',
  });
  #remote: RemoteFovea<typeof functions> | null = null;
  #run = 0;

  timing(id: Id, n: number): Timing | undefined {
    return this.timings[`${id} ${n}`];
  }

  /** The last point of a method, from which the next is predicted. */
  last(id: Id, below: number): { n: number; median: number } | null {
    for (let n = below / 2; n >= LEAST_TIMED; n /= 2) {
      const timing = this.timing(id, n);
      if (timing) return { n, median: timing.median };
    }
    return null;
  }

  async measure(fovea: Fovea, ids: readonly Id[], most: number): Promise<void> {
    if (this.status === 'running') return;
    const run = ++this.#run;
    const onhidden = (): void => {
      if (document.hidden && this.#goesOn(run)) this.#end('hidden');
    };
    document.addEventListener('visibilitychange', onhidden);
    Object.assign(this, { status: 'running', timings: {}, stops: {}, qualities: {}, failure: '' });
    onhidden();
    try {
      await this.#measureAll(fovea, ids, most, () => this.#goesOn(run));
      if (this.#goesOn(run)) this.#end('done');
    } catch (error) {
      // Ending the worker rejects what is under way: that is no failure.
      if (this.#goesOn(run)) {
        this.failure = error instanceof Error ? error.message : String(error);
        this.#end('failed');
      }
    } finally {
      document.removeEventListener('visibilitychange', onhidden);
    }
  }

  #goesOn(run: number): boolean {
    return run === this.#run && this.status === 'running';
  }

  cancel(): void {
    if (this.status === 'running') this.#end('cancelled');
  }

  #end(status: Laboratory['status']): void {
    this.status = status;
    this.#remote?.terminate();
    this.#remote = null;
  }

  async #measureAll(fovea: Fovea, ids: readonly Id[], most: number, goesOn: () => boolean): Promise<void> {
    const lengths = lengthsTo(LEAST_TIMED, most);
    const total = ids.length * (lengths.length + 1);
    let done = 0;
    const tell = (now: string): void => void (this.progress = { done: done++, total, now });
    // Pages without isolation get one thread: the package says so in its info.
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const remote = await connect<typeof functions>({ worker, threads: 'auto' });
    if (!goesOn()) return remote.terminate();
    this.#remote = remote;
    this.info = remote.info;
    this.clock = await remote.functions.clock();
    for (const id of ids) {
      tell(id);
      const quality = await remote.functions.quality({ id, n: QUALITY_TOKENS });
      if (!goesOn()) return;
      this.qualities = { ...this.qualities, [id]: quality };
    }
    for (const n of lengths)
      for (const id of ids) {
        tell(`${id} ${n}`);
        if (this.stops[id]) continue;
        const stop = stopOf(fovea, methodOf(id), n, this.last(id, n));
        if (stop) this.stops = { ...this.stops, [id]: stop };
        if (stop) continue;
        const timing = await remote.functions.time({ id, n });
        if (!goesOn()) return;
        this.timings = { ...this.timings, [`${id} ${n}`]: timing };
      }
  }
}

export const ALL: readonly Id[] = METHODS.map(({ id }) => id);
