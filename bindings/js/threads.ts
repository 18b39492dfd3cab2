/** The threaded builds: the memory that threads share, and the workers that become threads. */
import type { CoreFactory, ThreadWorker } from './glue.ts';
import { createFrom, type RunningCore } from './instantiate.ts';
import { whyNoSharedMemory } from './probe.ts';

export type ThreadedVariant = 'simd128-threads' | 'relaxed-threads';

/** What threads.web.js and threads.node.js export: fetched when threads are asked for, and run by every worker. */
export interface ThreadFiles {
  readonly createCore: CoreFactory;
  /** The package's own .wasm file. */
  assetUrl(variant: ThreadedVariant): URL;
  startWorker(): ThreadWorker;
}

export interface ThreadSource {
  importFiles(): Promise<ThreadFiles>;
  /** How many threads the machine runs at once. */
  processors(): number;
}

/** As ThreadPool::kMaxThreads. */
export const MAX_THREADS = 32;

const PAGE_BYTES = 65536;
/** As -sINITIAL_MEMORY. */
const INITIAL_PAGES = 256;
/** As -sMAXIMUM_MEMORY, 2 GiB; then 1 GiB and 512 MiB, as an engine reserves it all at once and may refuse. */
const MAXIMUM_PAGES = [32768, 16384, 8192];

/** Why there are no threads, in words that can stand alone; what went wrong with the package's files is an AttentionError. */
export class ThreadsRefused extends Error {}

export async function importThreads(source: ThreadSource | undefined): Promise<ThreadFiles> {
  if (source === undefined)
    throw new ThreadsRefused("'fovea/inline' carries the build with one thread alone; import from 'fovea' for threads");
  const why = whyNoSharedMemory();
  if (why !== null) throw new ThreadsRefused(why);
  try {
    return await source.importFiles();
  } catch (error) {
    throw new ThreadsRefused(`the package's file for threads cannot be had (${messageOf(error)})`, { cause: error });
  }
}

/**
 * Starts `threads - 1` workers while the module is being compiled.
 *
 * @throws ThreadsRefused; AttentionError `load` for the module itself.
 */
export async function startThreads(
  files: ThreadFiles,
  compiled: Promise<WebAssembly.Module>,
  threads: number,
): Promise<RunningCore> {
  const workers: ThreadWorker[] = [];
  const end = (): void => {
    for (const worker of workers) worker.terminate();
  };
  try {
    const { wasmMemory, maximumMemory } = createMemory();
    const failure = new Promise<never>((_, reject) => {
      while (workers.length < threads - 1) workers.push(startWorker(files, reject));
    });
    const core = await Promise.race([failure, createFrom(files.createCore, compiled, { workers, wasmMemory, maximumMemory })]);
    return { core, threads: core.startThreads(threads), maximumBytes: maximumMemory, end };
  } catch (error) {
    end();
    throw error;
  }
}

/** The builds with threads import their memory, the others make it. */
export function isThreaded(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
}

function createMemory(): { wasmMemory: WebAssembly.Memory; maximumMemory: number } {
  let refusal: unknown;
  for (const maximum of MAXIMUM_PAGES) {
    try {
      const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared: true });
      return { wasmMemory, maximumMemory: maximum * PAGE_BYTES };
    } catch (error) {
      refusal = error;
    }
  }
  throw new ThreadsRefused(`this engine refuses shared memory, of 512 MiB too (${messageOf(refusal)})`, { cause: refusal });
}

function startWorker(files: ThreadFiles, failed: (error: unknown) => void): ThreadWorker {
  const refused = (cause: unknown, message: string | undefined): ThreadsRefused => {
    const why =
      message ||
      "no reason is given; is threads.web.js served beside fovea's other files, and does a Content Security Policy allow it by worker-src?";
    return new ThreadsRefused(`its workers cannot be started (${why})`, { cause });
  };
  try {
    const worker = files.startWorker();
    worker.onerror = (event) => {
      // A page would report it as an error of its own. Later on it is a trap, of which the call under way tells.
      event.preventDefault?.();
      failed(refused(event, event.message));
    };
    return worker;
  } catch (error) {
    throw refused(error, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
