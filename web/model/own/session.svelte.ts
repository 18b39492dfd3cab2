import { connect, type RemoteFovea } from 'fovea/worker';
import { Latest } from '../latest.ts';
import type { Dtype, Weights } from '../network/layer.ts';
import type { ChangedHead, HeadChange, ForwardPass } from '../network/types.ts';
import type { Config } from './config.ts';
import { wordPieceOf } from './wordpiece.ts';
import { bytesNeeded, NoJson, readJson, sortFiles, type Complaint } from './files.ts';
import type { functions, Read } from './job.ts';
import type { Inspected } from './plan.ts';

type Remote = RemoteFovea<typeof functions>;
type State = 'empty' | 'inspecting' | 'inspected' | 'opening' | 'ready';

/** Deterministic: the numbers shown are the same in every browser. */
const openWorker = (): Promise<Remote> =>
  connect<typeof functions>({
    worker: new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
    deterministic: true,
  });

/** A visitor's model on the page: files that were dropped, what is said of them, and the model once it is opened. */
export class OwnSession {
  state: State = $state('empty');
  names: readonly string[] = $state.raw([]);
  complaints: readonly Complaint[] = $state.raw([]);
  inspected: Inspected | null = $state.raw(null);
  hasTokenizer = $state(false);
  dtype: Dtype = $state('float32');
  /** Layers that are open. */
  opened = $state(0);
  pass: ForwardPass | null = $state.raw(null);
  read: Read | null = $state.raw(null);
  changed: readonly ChangedHead[] = $state.raw([]);

  #remote: Remote | null = null;
  #weights: readonly File[] = [];
  #config: Config | null = null;
  #running = new Latest();

  /** Bytes that the weights take once they are open. */
  get bytes(): number {
    return this.inspected ? bytesNeeded(this.inspected, this.dtype) : 0;
  }

  /** Files beside those that were dropped before: a new file of weights takes the place of an old model. */
  async take(files: readonly File[]): Promise<void> {
    const { weights, config, tokenizer, tokenizerConfig, vocabulary, complaints } = sortFiles(files);
    this.complaints = complaints;
    const opensModel = weights.length > 0 || (config !== undefined && this.#weights.length > 0);
    const words = tokenizer ?? vocabulary;
    if (!opensModel && words === undefined && config === undefined) return;
    this.names = [...new Set([...(weights.length > 0 ? [] : this.names), ...files.map(({ name }) => name)])];
    await this.#attempt(async () => {
      if (weights.length > 0) this.#weights = weights;
      if (config !== undefined) this.#config = (await readJson(config)) as Config;
      this.#remote ??= await openWorker();
      if (opensModel) await this.#inspect(this.#remote);
    });
    if (words === undefined) return;
    await this.#attempt(async () => {
      this.hasTokenizer = false;
      const options = tokenizerConfig === undefined ? null : await readJson(tokenizerConfig);
      this.#remote ??= await openWorker();
      const json = words === tokenizer ? await readJson(words) : wordPieceOf(await words.text(), options);
      await this.#remote.functions.tokenizer({ json, config: options });
      this.hasTokenizer = true;
    });
  }

  async #attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#complain(error);
    }
  }

  async #inspect(remote: Remote): Promise<void> {
    this.#forget();
    // They were of another model. Before the first model they are a link's.
    if (this.inspected) this.changed = [];
    this.inspected = null;
    this.state = 'inspecting';
    this.inspected = await remote.functions.inspect({ files: this.#weights, config: this.#config });
    this.state = 'inspected';
  }

  async open(): Promise<void> {
    const [remote, plan] = [this.#remote, this.inspected?.plan];
    if (!remote || !plan) return;
    this.#forget();
    this.state = 'opening';
    try {
      await remote.functions.start(this.dtype);
      for (let n = 0; n < plan.layers; ++n) {
        await remote.functions.layer(n);
        if (remote !== this.#remote) return;
        this.opened = n + 1;
      }
      this.state = 'ready';
    } catch (error) {
      if (remote === this.#remote) this.#complain(error);
    }
  }

  /** Stops opening: the worker ends with all that it holds; the files are still known. */
  cancel(): void {
    this.#end();
    this.state = 'empty';
    this.inspected = null;
    this.hasTokenizer = false;
    this.names = [];
  }

  change(layer: number, head: number, change: HeadChange | null): void {
    const others = this.changed.filter((one) => one.layer !== layer || one.head !== head);
    this.changed = change ? [...others, { layer, head, change }] : others;
  }

  readText(text: string, most: number): Promise<void> {
    const changed = this.#changes();
    return this.#during(async (remote) => {
      this.read = await remote.functions.read({ text, most, changed });
      this.pass = this.read.pass;
    });
  }

  /** The text with a candidate behind it. */
  async append(text: string, id: number): Promise<string> {
    return (await this.#remote?.functions.append({ text, id })) ?? text;
  }

  see(image: Weights): Promise<void> {
    const changed = this.#changes();
    return this.#during(async (remote) => void (this.pass = await remote.functions.see({ image, changed })));
  }

  end(): void {
    this.#end();
    this.#weights = [];
  }

  #end(): void {
    this.#remote?.terminate();
    this.#remote = null;
    this.#forget();
  }

  #forget(): void {
    this.opened = 0;
    this.pass = null;
    this.read = null;
  }

  /** Changes of heads that the model has. */
  #changes(): ChangedHead[] {
    const { layers, heads } = this.inspected!.plan!;
    return this.changed.filter((one) => one.layer < layers && one.head < heads);
  }

  #complain(error: unknown): void {
    const complaint: Complaint =
      error instanceof NoJson
        ? { kind: 'json', name: error.file }
        : { kind: 'refused', text: error instanceof Error ? error.message : String(error) };
    this.complaints = [...this.complaints.filter(({ kind }) => kind !== complaint.kind), complaint];
    if (this.state !== 'ready') this.state = this.inspected ? 'inspected' : 'empty';
  }

  async #during(task: (remote: Remote) => Promise<void>): Promise<void> {
    const remote = this.#remote;
    if (!remote || this.state !== 'ready') return;
    await this.#running.run(async () => {
      try {
        await task(remote);
      } catch (error) {
        if (remote === this.#remote) this.#complain(error);
      }
    });
  }
}
