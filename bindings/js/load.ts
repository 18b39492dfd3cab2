/** `load`: picks a build, compiles it, and makes an instance. The entries give it their platform. */
import createCore from '../../build/wasm/simd128/fovea.web.mjs';
import { abiHash, type CoreModule } from './abi.ts';
import { AttentionError, describe, fail } from './errors.ts';
import { createFovea, type Fovea } from './fovea.ts';
import { Instance } from './instance.ts';
import { checkBoolean, checkChoice, checkInteger, readOptions } from './options.ts';
import { checkEngine, chooseVariant, type AssetVariant } from './probe.ts';
import type { FoveaInfo, LoadOptions, Variant } from './types.ts';
import { compileBytes } from './wasm_bytes.ts';

/** What differs between the entries: where modules come from. */
export interface Platform {
  /** Compiles the package's own file. */
  compileAsset(variant: AssetVariant): Promise<WebAssembly.Module>;
  compileUrl?(url: string | URL): Promise<WebAssembly.Module>;
}

const VARIANTS = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'] as const satisfies readonly Variant[];
const SOURCES = ['wasmUrl', 'wasmBinary', 'wasmModule'] as const;
const CHOICES = ['variant', 'deterministic', 'threads'] as const;

const NO_THREADS = 'this version of fovea has no threaded build';

export async function loadWith(platform: Platform, options?: LoadOptions): Promise<Fovea> {
  const sources = platform.compileUrl === undefined ? [] : SOURCES;
  const known = readOptions('load', options, [...CHOICES, ...sources]);
  checkOptions(known);
  const module = await compile(platform, known);
  const core = await instantiate(module);
  checkCore(core, known);
  const info: FoveaInfo = Object.freeze({
    version: core.version(),
    variant: core.variant() as Variant,
    threads: 1,
    fallbackReason: known.threads === undefined || known.threads === 1 ? null : `${NO_THREADS}; it runs with one thread`,
  });
  return createFovea(new Instance(core, info));
}

function checkOptions({ variant, deterministic, threads, ...sources }: LoadOptions): void {
  checkChoice('load', 'variant', variant, VARIANTS);
  checkBoolean('load', 'deterministic', deterministic);
  if (threads !== undefined && threads !== 'auto') {
    if (typeof threads === 'string') fail('option', 'load', `threads must be a number or 'auto', got ${describe(threads)}`);
    checkInteger('load', 'threads', threads, 1, Infinity);
  }
  if (variant?.endsWith('-threads'))
    fail(
      'load',
      'load',
      `the variant '${variant}' cannot run: ${NO_THREADS}; leave variant out, or pin 'simd128' or 'relaxed'`,
    );
  if (deterministic && variant === 'relaxed')
    fail('option', 'load', "deterministic means the variant 'simd128', got variant 'relaxed'");
  const given = SOURCES.filter((name) => sources[name] !== undefined);
  if (given.length > 1) fail('option', 'load', `${given.join(' and ')} each say where the module comes from: pass one of them`);
  checkSources(sources);
}

function checkSources({ wasmUrl, wasmBinary, wasmModule }: LoadOptions): void {
  if (wasmUrl !== undefined && typeof wasmUrl !== 'string' && !(wasmUrl instanceof URL)) {
    fail('value', 'load', `wasmUrl must be a string or a URL, got ${describe(wasmUrl)}`);
  }
  if (
    wasmBinary !== undefined &&
    !ArrayBuffer.isView(wasmBinary) &&
    !isTagged(wasmBinary, 'ArrayBuffer', 'SharedArrayBuffer')
  ) {
    fail('value', 'load', `wasmBinary must be an ArrayBuffer or a view of one, got ${describe(wasmBinary)}`);
  }
  if (wasmModule !== undefined && !isTagged(wasmModule, 'WebAssembly.Module')) {
    fail('value', 'load', `wasmModule must be a WebAssembly.Module, got ${describe(wasmModule)}`);
  }
}

/** A module given by the caller is taken as it is; which build it is, it says itself. */
async function compile(
  platform: Platform,
  { variant, deterministic, wasmUrl, wasmBinary, wasmModule }: LoadOptions,
): Promise<WebAssembly.Module> {
  if (wasmUrl === undefined && wasmBinary === undefined && wasmModule === undefined) {
    return platform.compileAsset(await chooseVariant(variant as AssetVariant | undefined, deterministic ?? false));
  }
  await checkEngine();
  if (wasmModule !== undefined) return wasmModule;
  if (wasmBinary !== undefined) return compileBytes(wasmBinary as BufferSource, 'wasmBinary');
  return platform.compileUrl!(wasmUrl!);
}

/** The glue's own promise never settles when instantiation fails, so failures come through ours. */
async function instantiate(module: WebAssembly.Module): Promise<CoreModule> {
  try {
    return await new Promise<CoreModule>((resolve, reject) => {
      const core = createCore({
        instantiateWasm(imports, receive) {
          WebAssembly.instantiate(module, imports)
            .then((instance) => receive(instance, module))
            .catch(reject);
          return {};
        },
      });
      core.then(resolve, reject);
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    fail(
      'load',
      'load',
      `the module cannot be instantiated: it is not fovea's, of another version of it, or memory is short (${message})`,
      error,
    );
  }
}

function checkCore(core: CoreModule, { variant, deterministic }: LoadOptions): void {
  let theirs: number;
  try {
    theirs = core.abiHash() >>> 0;
  } catch (error) {
    throw new AttentionError('load', "load: the module given is not fovea's", { cause: error });
  }
  if (theirs !== abiHash()) {
    fail(
      'load',
      'load',
      `the wasm file (version ${core.version()}) and this JavaScript are of different versions of fovea: serve the .wasm that came with this package`,
    );
  }
  const wanted = deterministic ? 'simd128' : variant;
  if (wanted !== undefined && core.variant() !== wanted) {
    const why = deterministic ? `deterministic means the variant 'simd128'` : `variant '${wanted}' was asked for`;
    fail('load', 'load', `${why}, but the module given is '${core.variant()}'`);
  }
}

function isTagged(value: unknown, ...tags: string[]): boolean {
  return tags.includes(Object.prototype.toString.call(value).slice(8, -1));
}
