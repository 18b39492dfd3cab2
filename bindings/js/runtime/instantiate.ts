/*! @license fovea, MIT. Contains the glue of Emscripten (MIT): see NOTICE.txt */
/** From a compiled module to a running core, and whether it is the one that this JavaScript belongs to. */
import { ownProperties } from '../errors/options.ts';
import createCore from '../../../build/wasm/simd128/fovea.web.mjs';
import { ABI_HASH } from '../../../build/generated/abi.ts';
import type { CoreModule } from './core_module.ts';
import { coreText } from './core_text.ts';
import { AttentionError, fail, messageOf } from '../errors/errors.ts';
import type { CoreFactory, CoreSettings } from './glue.ts';
import type { LoadOptions } from './instance_types.ts';

/** A core and what stands around it. */
export interface RunningCore {
  readonly core: CoreModule;
  /** How many work, the caller counted. */
  readonly threads: number;
  /** The size up to which its memory may grow. */
  readonly maximumBytes: number;
  /** Why it is less than was asked for, or null. */
  readonly fallbackReason: string | null;
  /** Ends its workers. */
  end(): void;
  /** Ends them, too, once the instance is forgotten. */
  watch(instance: object): void;
}

export async function instantiate(module: WebAssembly.Module): Promise<RunningCore> {
  const core = await createFrom(createCore, Promise.resolve(module), {});
  return { core, threads: 1, maximumBytes: 2 ** 32, fallbackReason: null, end() {}, watch() {} };
}

/** The glue's own promise never settles when instantiation fails, so failures come through ours. */
export async function createFrom(
  create: CoreFactory,
  compiled: Promise<WebAssembly.Module>,
  settings: CoreSettings,
): Promise<CoreModule> {
  try {
    return await new Promise<CoreModule>((resolve, reject) => {
      // Emscripten's code reads names of it that are not given, too.
      const core = create(
        ownProperties({
          ...settings,
          instantiateWasm(imports, receive) {
            compiled
              .then((module) => WebAssembly.instantiate(module, imports).then((instance) => void receive(instance, module)))
              .catch(reject);
            return {};
          },
        }),
      );
      core.then(resolve, reject);
    });
  } catch (error) {
    if (error instanceof AttentionError) throw error;
    const message = messageOf(error);
    fail(
      'load',
      'load',
      `the module cannot be instantiated: it is not fovea's, of another version of it, or memory is short (${message})`,
      error,
    );
  }
}

/** Throws a `load` error where the core is not of this version, or not the build that was asked for. */
export function checkCore(core: CoreModule, { variant, deterministic }: LoadOptions): void {
  let theirs: number;
  try {
    theirs = core.abiHash() >>> 0;
  } catch (error) {
    throw new AttentionError('load', "load: the module given is not fovea's", { cause: error });
  }
  if (theirs !== ABI_HASH) {
    fail(
      'load',
      'load',
      `the wasm file (version ${coreText(core, core.version())}) and this JavaScript are of different versions of fovea: serve the .wasm that came with this package`,
    );
  }
  const got = coreText(core, core.variant());
  if (deterministic && !got.startsWith('simd128'))
    fail('load', 'load', `deterministic means the variant 'simd128', but the module given is '${got}'`);
  if (variant !== undefined && got !== variant)
    fail('load', 'load', `variant '${variant}' was asked for, but the module given is '${got}'`);
}
