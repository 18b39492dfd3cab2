/** `load`: picks a build, starts it, and makes an instance. The entries give it their platform. */
import { ownProperties } from '../errors/options.ts';
import { AttentionError, fail, messageOf } from '../errors/errors.ts';
import { createFovea, type Fovea } from './fovea.ts';
import { Instance } from '../runtime/instance.ts';
import { coreText } from '../runtime/core_text.ts';
import { checkCore, createFrom, instantiate, type RunningCore } from '../runtime/instantiate.ts';
import { readLoadOptions } from './load_options.ts';
import { checkEngine, chooseTier, type Tier } from '../runtime/probe.ts';
import type { ThreadedVariant, ThreadFiles } from '../runtime/threads.ts';
import type { FoveaInfo, LoadOptions, Variant } from '../runtime/instance_types.ts';
import { compileBytes } from '../runtime/wasm_bytes.ts';

/** The differences between the entries: where modules and workers come from. */
export interface Platform {
  /** Compiles the package's own file for one thread. */
  compileAsset(tier: Tier): Promise<WebAssembly.Module>;
  compileUrl?(url: string | URL): Promise<WebAssembly.Module>;
  /** Absent where there is no build with threads. */
  importThreads?(): Promise<ThreadFiles>;
  /** The package's file for threads, where it is not the one that ThreadFiles names. */
  threadsUrl?(variant: ThreadedVariant): URL;
}

export async function loadWith(host: Platform, options?: LoadOptions): Promise<Fovea> {
  const platform = ownProperties(host);
  const known = readLoadOptions(options, platform.compileUrl !== undefined);
  checkEngine();
  const given = compileGiven(platform, known);
  const running = await (given === null ? startPackaged(platform, known) : startGiven(platform, known, given));
  try {
    checkCore(running.core, known);
  } catch (error) {
    running.end();
    throw error;
  }
  const info: FoveaInfo = Object.freeze({
    version: coreText(running.core, running.core.version()),
    variant: coreText(running.core, running.core.variant()) as Variant,
    threads: running.threads,
    fallbackReason: running.fallbackReason,
  });
  const instance = new Instance(running.core, info, running);
  running.watch(instance);
  return createFovea(instance);
}

/** The package's own files: with threads if they are asked for and can be had. */
async function startPackaged(platform: Platform, known: LoadOptions): Promise<RunningCore> {
  const { variant, threads = 'auto' } = known;
  const tier = chooseTier(variant, known.deterministic ?? false);
  let fallbackReason: string | null = null;
  if (wantsThreads(known)) {
    try {
      const files = await importThreads(platform);
      if (threads !== 'auto' || isPinned(known) || files.processors() > 1)
        return await files.startThreads(
          () => platform.compileUrl!((platform.threadsUrl ?? files.assetUrl)(`${tier}-threads`)),
          threads,
          createFrom,
        );
    } catch (error) {
      if (isPinned(known)) refuse(`the variant '${variant}' cannot run`, error);
      fallbackReason = `${messageOf(error).replace(/^load: /, '')}; it runs with one thread`;
    }
  }
  return { ...(await instantiate(await platform.compileAsset(tier))), fallbackReason };
}

/** A module given by the caller is taken as it is; which build it is, it says itself. */
async function startGiven(platform: Platform, known: LoadOptions, given: Promise<WebAssembly.Module>): Promise<RunningCore> {
  if (!wantsThreads(known) && !isThreaded(await given)) return instantiate(await given);
  let module = given;
  module.catch(() => {}); // it may fail while nobody listens yet
  try {
    const { oneThread, startThreads } = await importThreads(platform);
    module = given.then((one) => (isThreaded(one) ? one : fail('load', 'load', oneThread)));
    return await startThreads(() => module, known.threads ?? 'auto', createFrom);
  } catch (error) {
    await module; // its own fault comes first
    refuse('the module given is a build with threads, which cannot run', error);
  }
}

async function importThreads({ importThreads }: Platform): Promise<ThreadFiles> {
  if (importThreads === undefined)
    throw new Error("'fovea/inline' carries the build with one thread alone; import from 'fovea' for threads");
  return importThreads().catch((error: unknown) => {
    throw new Error(`the package's file for threads cannot be had (${messageOf(error)})`, { cause: error });
  });
}

/** An AttentionError is of the module itself; any other error tells why there are no threads. */
function refuse(what: string, error: unknown): never {
  if (error instanceof AttentionError) throw error;
  fail('load', 'load', `${what}: ${messageOf(error)}`, error);
}

function compileGiven(
  platform: Platform,
  { wasmUrl, wasmBinary, wasmModule }: LoadOptions,
): Promise<WebAssembly.Module> | null {
  if (wasmModule !== undefined) return Promise.resolve(wasmModule);
  if (wasmBinary !== undefined) return compileBytes(wasmBinary as BufferSource, null);
  return wasmUrl === undefined ? null : platform.compileUrl!(wasmUrl);
}

/** The builds with threads import their memory, the others make it. */
function isThreaded(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
}

/** Whether a build with threads is pinned. */
function isPinned({ variant }: LoadOptions): boolean {
  return variant?.endsWith('-threads') ?? false;
}

/** Whether threads are asked for, by their number or by a build that has them. */
function wantsThreads(known: LoadOptions): boolean {
  return isPinned(known) || (known.threads ?? 1) !== 1;
}
