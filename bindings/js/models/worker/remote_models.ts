/** The calling side: the same objects, whose work is done in the worker of a connection. */
import { describe, fail } from '../../errors/errors.ts';
import { disposeByUsing, nameClass } from '../../errors/inspect.ts';
import type { HostSignal } from '../../errors/host_types.ts';
import { isList } from '../../errors/options.ts';
import { tagOf } from '../../errors/objects.ts';
import { isMap } from '../../tensor/collections.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { RemoteFovea } from '../../worker/remote_fovea.ts';
import type { RemoteFunctions } from '../../worker/served_types.ts';
import { TokenGeneration } from '../decoder/generation.ts';
import type { ReadLoadOptions } from '../load_options.ts';
import type {
  ClassifyOptions,
  Context,
  ContextOptions,
  Decoder,
  DecoderInfo,
  Embeddings,
  EmbedOptions,
  Encoder,
  GenerateOptions,
  Generation,
  Label,
  ModelFolder,
  ModelInfo,
  Prompt,
  TextOptions,
  TextPair,
  Texts,
  TokenLabel,
} from '../types/index.ts';
import type { Called, ModelRequest, Opened, SentFolder } from './requests.ts';
import { generateThere, splitSignal, type Ask } from './remote_generation.ts';
import type { ModelFunctions } from './served_models.ts';

/** Whether it is a connection of fovea/worker, which has functions that its worker serves. */
export function isConnection(value: unknown): value is RemoteFovea {
  return typeof value === 'object' && value !== null && 'functions' in value && 'terminate' in value;
}

/** Has the worker load a model. */
export async function loadRemote<Info>(
  fn: string,
  kind: 'encoder' | 'decoder',
  remote: RemoteFovea,
  folder: ModelFolder,
  { signal, onProgress, fetch, dtype, inputs, config, tokenizer, cache, integrity }: ReadLoadOptions,
): Promise<{ readonly ask: Ask; readonly model: number; readonly info: Info }> {
  const functions = remote.functions as unknown as RemoteFunctions<ModelFunctions>;
  if (!Object.keys(functions).includes('foveaModels'))
    fail(
      'option',
      fn,
      'the worker of the connection must serve models: serve({ functions: modelFunctions }) of fovea/serve and fovea/models',
    );
  if (fetch !== undefined) fail('option', fn, 'fetch cannot be sent to a worker; leave it out, or load the model there');
  if (tokenizer !== undefined && tokenizer !== null)
    fail('option', fn, 'tokenizer cannot be sent to a worker; leave it out, or load the model there');
  const ask = functions.foveaModels;
  const options = { dtype, inputs, config, tokenizer, cache, integrity };
  const request: ModelRequest = { type: 'load', kind, folder: sentFolder(fn, folder), options };
  const opened = (await ask(request, {
    signal,
    onPost: (message) => void ('progress' in message && onProgress?.(message.progress)),
  })) as Opened;
  return { ask, model: opened.model, info: opened.info as Info };
}

function sentFolder(fn: string, folder: ModelFolder): SentFolder {
  if (isMap(folder)) return [...(folder as ReadonlyMap<unknown, unknown>)] as SentFolder;
  if (isList(folder) || tagOf(folder) === 'FileList') return Array.from(folder as readonly File[]);
  if (typeof folder !== 'string' && tagOf(folder) !== 'URL')
    fail('value', fn, `folder must be a URL or a path, a list of Files, or a Map of sources, got ${describe(folder)}`);
  const where = String(folder);
  // A worker has an address of its own.
  const base = typeof document === 'undefined' ? undefined : document.baseURI;
  return base !== undefined && URL.canParse(where, base) ? new URL(where, base).href : where;
}

abstract class RemoteModel {
  static {
    disposeByUsing(RemoteModel.prototype);
  }

  readonly #ask: Ask;
  /** Its number in the worker; one that is not made yet is awaited where it is used. */
  readonly #model: number | Promise<number>;

  constructor(ask: Ask, model: number | Promise<number>) {
    this.#ask = ask;
    this.#model = model;
  }

  /** `options` go behind the arguments, but for the signal, which goes with the request. */
  protected async call<R>(
    method: Called,
    given: readonly unknown[],
    options?: { readonly signal?: HostSignal | undefined },
  ): Promise<R> {
    const [rest, signal] = splitSignal(options);
    const args = [...given, rest];
    return (await this.#ask({ type: 'call', model: await this.#model, method, args }, { signal })) as R;
  }

  protected open(options: ContextOptions): RemoteContext {
    const made = (async () => (await this.#ask({ type: 'context', model: await this.#model, options })) as number)();
    // Where it cannot be had, `generate` says so.
    made.catch(() => undefined);
    return new RemoteContext(this.#ask, made);
  }

  protected tokens(prompt: Prompt, options: GenerateOptions | undefined, onLength: (length: number) => void): Generation {
    return new TokenGeneration((note) => generateThere(this.#ask, this.#model, prompt, options, { onLength, note }));
  }

  dispose(): void {
    const end = (model: number): Promise<unknown> => this.#ask({ type: 'dispose', model });
    const ended = typeof this.#model === 'number' ? end(this.#model) : this.#model.then(end);
    // Where the connection has ended, so has the model.
    ended.catch(() => undefined);
  }
}

interface RemoteModel {
  /** Calls `dispose()`, for `using`; present where the engine has Symbol.dispose. */
  [Symbol.dispose](): void;
}

export class RemoteEncoder extends RemoteModel implements Encoder {
  static {
    nameClass(RemoteEncoder.prototype, 'RemoteEncoder', ({ info }) => `RemoteEncoder { ${info.architecture} }`);
  }

  readonly info: ModelInfo;

  constructor(ask: Ask, model: number, info: ModelInfo) {
    super(ask, model);
    this.info = info;
  }

  embed(texts: Texts, options?: EmbedOptions): Promise<Embeddings> {
    return this.call('embed', [texts], options);
  }

  states(texts: Texts, options?: TextOptions): Promise<NDArray[]> {
    return this.call('states', [texts], options);
  }

  classify(texts: Texts | readonly TextPair[], options?: ClassifyOptions): Promise<Label[][]> {
    return this.call('classify', [texts], options);
  }

  tag(texts: Texts, options?: TextOptions): Promise<TokenLabel[][]> {
    return this.call('tag', [texts], options);
  }

  rank(query: string, passages: readonly string[], options?: TextOptions): Promise<Float32Array> {
    return this.call('rank', [query, passages], options);
  }
}

export class RemoteDecoder extends RemoteModel implements Decoder {
  static {
    nameClass(RemoteDecoder.prototype, 'RemoteDecoder', ({ info }) => `RemoteDecoder { ${info.architecture} }`);
  }

  readonly info: DecoderInfo;

  constructor(ask: Ask, model: number, info: DecoderInfo) {
    super(ask, model);
    this.info = info;
  }

  generate(prompt: Prompt, options?: GenerateOptions): Generation {
    return this.tokens(prompt, options, () => {});
  }

  context(options: ContextOptions): Context {
    return this.open(options);
  }

  logits(ids: readonly number[]): Promise<NDArray> {
    return this.call('logits', [ids]);
  }
}

class RemoteContext extends RemoteModel implements Context {
  #length = 0;

  get length(): number {
    return this.#length;
  }

  generate(prompt: Prompt, options?: GenerateOptions): Generation {
    return this.tokens(prompt, options, (length) => (this.#length = length));
  }
}
