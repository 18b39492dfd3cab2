/** The worker's side: models by number, and the requests that are made of them. */
import type { Fovea } from '../../fovea/fovea.ts';
import { fail } from '../../errors/errors.ts';
import { isList } from '../../errors/options.ts';
import type { ServedCall } from '../../worker/served_types.ts';
import type { TokenGeneration } from '../decoder/generation.ts';
import type { Context, Decoder, Encoder, LoadModelOptions, ModelFolder } from '../types/index.ts';
import { CALLED, type Ended, type ModelMessage, type ModelRequest, type Opened, type SentFolder } from './requests.ts';

interface Loaders {
  readonly encoder: (fovea: Fovea, folder: ModelFolder, options: LoadModelOptions) => Promise<Encoder>;
  readonly decoder: (fovea: Fovea, folder: ModelFolder, options: LoadModelOptions) => Promise<Decoder>;
}

// A type, not an interface: `serve` takes a record of functions, and an interface is none.
/** The functions that a worker's module gives to `serve`, so that models may be loaded over its connection. */
export type ModelFunctions = {
  /** The requests of `loadEncoder` and `loadDecoder` with a connection, and of the objects that they give. */
  foveaModels(fovea: Fovea, request: ModelRequest, call: ServedCall<ModelMessage>): Promise<unknown>;
};

export function servedModels(load: Loaders): ModelFunctions {
  const models = new Map<number, Encoder | Decoder | Context>();
  let last = 0;
  const keep = (model: Encoder | Decoder | Context): number => {
    models.set(++last, model);
    return last;
  };
  const find = (number: number): Encoder | Decoder | Context =>
    models.get(number) ?? fail('disposed', 'foveaModels', 'the model has been disposed');

  return {
    async foveaModels(fovea, request, { signal, post }) {
      switch (request.type) {
        case 'load': {
          const onProgress: LoadModelOptions['onProgress'] = (progress) => void post({ progress });
          const options = { ...request.options, signal, onProgress };
          const model = await load[request.kind](fovea, folderOf(request.folder), options);
          return { model: keep(model), info: model.info } satisfies Opened;
        }
        case 'call': {
          if (!CALLED.includes(request.method)) fail('internal', 'foveaModels', `there is no ${request.method}`);
          const model = find(request.model) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
          return model[request.method]!(...withSignal(request.args, signal));
        }
        case 'context':
          return keep((find(request.model) as Decoder).context(request.options));
        case 'generate': {
          const held = find(request.model) as Decoder | Context;
          const generation = held.generate(request.prompt, { ...request.options, signal });
          for await (const token of generation) {
            const length = 'length' in held ? held.length : 0;
            await post({ token, length, promptTokens: (generation as TokenGeneration).promptTokens });
            signal.throwIfAborted();
          }
          return { end: await generation.finished } satisfies Ended;
        }
        case 'dispose':
          models.get(request.model)?.dispose();
          models.delete(request.model);
          return undefined;
      }
    },
  };
}

/** The last argument of a method is its options; `logits` has none. */
function withSignal(args: readonly unknown[], signal: unknown): unknown[] {
  const options = args.at(-1);
  return isOptions(options) ? [...args.slice(0, -1), { ...options, signal }] : [...args];
}

const isOptions = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function folderOf(sent: SentFolder): ModelFolder {
  if (isList(sent) && isList(sent[0])) return new Map(sent as readonly (readonly [string, never])[]);
  return sent as ModelFolder;
}
