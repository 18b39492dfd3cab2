/** `load`: picks a build, starts it, and makes an instance. The entries give it their platform. */
import { AttentionError, fail, messageOf } from '../errors/errors.ts';
import { ownProperties } from '../errors/options.ts';
import { createFovea, type Fovea } from './fovea.ts';
import { Instance } from '../runtime/instance.ts';
import { coreText } from '../runtime/core_text.ts';
import { checkCore, createFrom, instantiate, type RunningCore } from '../runtime/instantiate.ts';
import { readLoadOptions } from './load_options.ts';
import { checkEngine, chooseTier, type Tier } from '../runtime/probe.ts';
import type { ThreadFiles } from '../runtime/threads.ts';
import type { FoveaInfo, LoadOptions, Variant } from '../runtime/instance_types.ts';
import { compileBytes } from '../runtime/wasm_bytes.ts';

/** The differences between the entries: where modules and workers come from. */
export interface Platform {
  /** Compiles the package's own file for one thread. */
  compileAsset(tier: Tier): Promise<WebAssembly.Module>;
  compileUrl?(url: string | URL): Promise<WebAssembly.Module>;
  /** Absent where there is no build with threads. */
  readonly threads?: {
    importFiles(): Promise<ThreadFiles>;
    /** How many threads the machine runs at once. */
    processors(): number;
  };
}

/** A core, and why it is less than was asked for. */
interface Started {
  readonly running: RunningCore;
  readonly fallbackReason: string | null;
}

/** As ThreadPool::kMaxThreads. */
const MAX_THREADS = 32;

/** 'auto' takes no more: further threads would wait for memory. */
const MAX_AUTO_THREADS = 8;

/** Ends the workers of instances that were dropped without `dispose`: they do not end by themselves. */
let forgotten: FinalizationRegistry<() => void> | undefined;

export async function loadWith(platform: Platform, options?: LoadOptions): Promise<Fovea> {
  const known = readLoadOptions(options, platform.compileUrl !== undefined);
  await checkEngine();
  const given = compileGiven(platform, known);
  const { running, fallbackReason } = await (given === null
    ? startPackaged(platform, known)
    : startGiven(platform, known, given));
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
    fallbackReason: fallbackReason ?? threadShortage(known.threads, running.threads),
  });
  const instance = new Instance(running.core, info, running);
  if (running.threads > 1) (forgotten ??= new FinalizationRegistry((end) => end())).register(instance, running.end);
  return createFovea(instance);
}

/** The package's own files: with threads if they are asked for and can be had. */
async function startPackaged(platform: Platform, known: LoadOptions): Promise<Started> {
  const { variant } = known;
  const tier = await chooseTier(variant, known.deterministic ?? false);
  const threads = countThreads(platform, known);
  const pinned = isPinned(known);
  let fallbackReason: string | null = null;
  if (threads > 1 || pinned) {
    try {
      const files = await importThreads(platform.threads);
      const module = platform.compileUrl!(files.assetUrl(`${tier}-threads`));
      return { running: await files.startThreads(module, threads, createFrom), fallbackReason };
    } catch (error) {
      if (pinned) refuse(`the variant '${variant}' cannot run`, error);
      fallbackReason = `${messageOf(error).replace(/^load: /, '')}; it runs with one thread`;
    }
  }
  return { running: await instantiate(await platform.compileAsset(tier)), fallbackReason };
}

/** A module given by the caller is taken as it is; which build it is, it says itself. */
async function startGiven(platform: Platform, known: LoadOptions, given: Promise<WebAssembly.Module>): Promise<Started> {
  const needed = isPinned(known) || (known.threads !== undefined && known.threads !== 1);
  if (!needed && !isThreaded(await given)) return { running: await instantiate(await given), fallbackReason: null };
  const module = given.then(checkThreaded);
  module.catch(() => {}); // it may fail while nobody listens yet
  try {
    const files = await importThreads(platform.threads);
    const threads = countThreads(platform, Object.assign(ownProperties(known), { threads: known.threads ?? 'auto' }));
    return { running: await files.startThreads(module, threads, createFrom), fallbackReason: null };
  } catch (error) {
    await module; // its own fault comes first
    refuse('the module given is a build with threads, which cannot run', error);
  }
}

async function importThreads(source: Platform['threads']): Promise<ThreadFiles> {
  if (source === undefined)
    throw new Error("'fovea/inline' carries the build with one thread alone; import from 'fovea' for threads");
  const files = await source.importFiles().catch((error: unknown) => {
    throw new Error(`the package's file for threads cannot be had (${messageOf(error)})`, { cause: error });
  });
  files.checkSharedMemory();
  return files;
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
  if (wasmBinary !== undefined) return compileBytes(wasmBinary as BufferSource, 'wasmBinary');
  return wasmUrl === undefined ? null : platform.compileUrl!(wasmUrl);
}

/** The builds with threads import their memory, the others make it. */
function isThreaded(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
}

function checkThreaded(module: WebAssembly.Module): WebAssembly.Module {
  if (isThreaded(module)) return module;
  return fail(
    'load',
    'load',
    'the module given is a build with one thread; pass fovea-simd128-threads.wasm or fovea-relaxed-threads.wasm, or leave threads out',
  );
}

/** Whether a build with threads is pinned. */
function isPinned({ variant }: LoadOptions): boolean {
  return variant?.endsWith('-threads') ?? false;
}

function countThreads(platform: Platform, known: LoadOptions): number {
  const wish = known.threads ?? (isPinned(known) ? 'auto' : 1);
  if (wish !== 'auto') return Math.min(wish, MAX_THREADS);
  return Math.min(platform.threads?.processors() ?? MAX_AUTO_THREADS, MAX_AUTO_THREADS);
}

function threadShortage(wish: LoadOptions['threads'], got: number): string | null {
  if (typeof wish !== 'number' || wish <= got) return null;
  return `${wish} threads were asked for, ${got} work: ${wish > MAX_THREADS ? `${MAX_THREADS} are the most` : 'the system refused more'}`;
}
