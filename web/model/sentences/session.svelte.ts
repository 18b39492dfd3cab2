import { connect, type RemoteFovea } from 'fovea/worker';
import { download, type Progress } from '../download.ts';
import { Latest } from '../latest.ts';
import type { ChangedHead, HeadChange, ForwardPass } from '../network/types.ts';
import type { Ablated, Compared, functions, Opened, Rounding } from './job.ts';
import file from 'virtual:sentence-encoder';

type Remote = RemoteFovea<typeof functions>;
type State = 'idle' | 'loading' | 'preparing' | 'ready' | 'failed';

/** The sentence encoder on the page: loaded on request into a worker, asked for what is shown. */
export class Session {
  state: State = $state('idle');
  progress: Progress = $state.raw({ received: 0, total: file.bytes });
  failure = $state('');
  opened: Opened | null = $state.raw(null);
  compared: Compared | null = $state.raw(null);
  /** The texts that `compared` is of. */
  texts: readonly string[] = $state.raw([]);
  pass: ForwardPass | null = $state.raw(null);
  ablated: Ablated | null = $state.raw(null);
  rounding: Rounding | null = $state.raw(null);
  changed: readonly ChangedHead[] = $state.raw([]);
  /** From the click to the first similarity, in milliseconds. */
  took = $state(0);

  #remote: Remote | null = null;
  #abort: AbortController | null = null;
  #start = 0;
  #comparing = new Latest();
  #looking = new Latest();
  #ablating = new Latest();

  get bytes(): number {
    return file.bytes;
  }

  async load(): Promise<void> {
    const abort = (this.#abort = new AbortController());
    const start = performance.now();
    this.state = 'loading';
    this.took = 0;
    this.progress = { received: 0, total: file.bytes };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    // Deterministic: the numbers shown are the same in every browser.
    const opening = connect<typeof functions>({ worker, deterministic: true });
    try {
      const show = (progress: Progress): void => void (this.progress = { ...progress, total: file.bytes });
      const [bytes, remote] = await Promise.all([download(file.url, abort.signal, show), opening]);
      abort.signal.throwIfAborted();
      this.#remote = remote;
      this.state = 'preparing';
      this.opened = await remote.functions.open(bytes);
      abort.signal.throwIfAborted();
      this.exchange(this.changed);
      this.state = 'ready';
      this.#start = start;
    } catch (error) {
      void opening.then((remote) => remote.terminate()).catch(() => {});
      if (abort.signal.aborted) return;
      this.end();
      this.failure = error instanceof Error ? error.message : String(error);
      this.state = 'failed';
    }
  }

  /** Stops loading; what has come is thrown away. */
  cancel(): void {
    this.#abort?.abort();
    this.end();
  }

  /** Ends the worker. */
  end(): void {
    this.#abort?.abort();
    this.#remote?.terminate();
    this.#remote = null;
    this.state = 'idle';
  }

  /** Puts these changes in place of those before; heads that the model has not are left out. */
  exchange(changed: readonly ChangedHead[]): void {
    const heads = this.opened?.heads;
    this.changed = heads ? changed.filter(({ layer, head }) => head < (heads[layer] ?? 0)) : changed;
  }

  change(layer: number, head: number, change: HeadChange | null): void {
    const others = this.changed.filter((one) => one.layer !== layer || one.head !== head);
    this.changed = change ? [...others, { layer, head, change }] : others;
  }

  compare(texts: readonly string[]): Promise<void> {
    const { changed } = this;
    return this.#during(this.#comparing, async (remote) => {
      const readable = await remote.functions.readable(texts);
      const kept = texts.filter((_, n) => readable[n]);
      this.compared = await remote.functions.compare({ texts: kept, changed });
      this.texts = kept;
      if (this.took === 0) this.took = performance.now() - this.#start;
    });
  }

  look(text: string): Promise<void> {
    const { changed } = this;
    return this.#during(this.#looking, async (remote) => void (this.pass = await remote.functions.look({ text, changed })));
  }

  ablate(one: string, other: string): Promise<void> {
    return this.#during(this.#ablating, async (remote) => void (this.ablated = await remote.functions.ablate([one, other])));
  }

  round(): Promise<void> {
    return this.#during(new Latest(), async (remote) => void (this.rounding = await remote.functions.rounding()));
  }

  async #during(queue: Latest, task: (remote: Remote) => Promise<void>): Promise<void> {
    const remote = this.#remote;
    if (!remote || this.state !== 'ready') return;
    await queue.run(async () => {
      try {
        await task(remote);
      } catch (error) {
        // An answer that was asked for before the worker was ended is not missed.
        if (remote !== this.#remote) return;
        this.end();
        this.failure = error instanceof Error ? error.message : String(error);
        this.state = 'failed';
      }
    });
  }
}
