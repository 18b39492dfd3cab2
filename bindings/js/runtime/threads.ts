/**
 * The threaded builds: the memory that threads share, and the workers that become threads. Part of the files for threads, which are
 * loaded only when asked for, so it imports nothing else of the package. Refusals are plain Errors, in words that can stand alone.
 */
import type { CoreFactory, ThreadWorker } from './glue.ts';
import type { createFrom, RunningCore } from './instantiate.ts';

export type ThreadedVariant = 'simd128-threads' | 'relaxed-threads';

/** The exports of threads.web.js and threads.node.js, which are loaded when threads are asked for. */
export interface ThreadFiles {
  /** How many threads the machine runs at once. */
  processors(): number;
  /** The package's own .wasm file. */
  assetUrl(variant: ThreadedVariant): URL;
  /** Says that a given module is not built for threads. */
  readonly oneThread: string;
  /**
   * Starts a core with threads, whose workers start while the module is being compiled.
   *
   * @param compile - not called where workers cannot share memory: that is an error, with the remedy if there is one
   * @param create - createFrom of instantiate.ts, whose errors are those of the module
   */
  startThreads(
    compile: () => Promise<WebAssembly.Module>,
    threads: number | 'auto',
    create: typeof createFrom,
  ): Promise<RunningCore>;
}

/** The differences between pages and Node. */
export interface ThreadHost {
  readonly createCore: CoreFactory;
  processors(): number;
  startWorker(): ThreadWorker;
}

export const oneThread =
  'the module given is a build with one thread; pass fovea-simd128-threads.wasm or fovea-relaxed-threads.wasm, or leave threads out';

/** ThreadPool::kMaxThreads of the core. */
const MAX_THREADS = 32;

/** 'auto' takes no more: further threads would wait for memory. */
const MAX_AUTO_THREADS = 8;

/** Ends the workers of instances that were dropped without `dispose`: they do not end by themselves. */
let forgotten: FinalizationRegistry<() => void> | undefined;

const PAGE_BYTES = 65536;
/** The pages of -sINITIAL_MEMORY. */
const INITIAL_PAGES = 256;
/** The pages of -sMAXIMUM_MEMORY, 2 GiB; then 1 GiB and 512 MiB, as an engine reserves all at once and may refuse. */
const MAXIMUM_PAGES = [32768, 16384, 8192];

function checkSharedMemory(): void {
  if (globalThis.crossOriginIsolated === false)
    throw new Error(
      "this page is not cross-origin isolated, so it may not share memory with workers; serve it with the headers 'Cross-Origin-Opener-Policy: same-origin' and 'Cross-Origin-Embedder-Policy: require-corp'",
    );
  if (typeof SharedArrayBuffer !== 'function') throw new Error('this engine has no SharedArrayBuffer');
}

export function threadsOn(host: ThreadHost): ThreadFiles['startThreads'] {
  return (compile, threads, create) => startThreads(host, compile, threads, create);
}

async function startThreads(
  host: ThreadHost,
  compile: () => Promise<WebAssembly.Module>,
  wanted: number | 'auto',
  create: typeof createFrom,
): Promise<RunningCore> {
  checkSharedMemory();
  const threads = Math.min(wanted === 'auto' ? Math.min(host.processors(), MAX_AUTO_THREADS) : wanted, MAX_THREADS);
  const compiled = compile();
  compiled.catch(() => {}); // it may fail while nobody listens yet, or no more
  const workers: ThreadWorker[] = [];
  const end = (): void => {
    for (const worker of workers) worker.terminate();
  };
  try {
    const { wasmMemory, maximumMemory } = createMemory();
    const failure = new Promise<never>((_, reject) => {
      while (workers.length < threads - 1) workers.push(startWorker(host, reject));
    });
    const core = await Promise.race([failure, create(host.createCore, compiled, { workers, wasmMemory, maximumMemory })]);
    const started = core.startThreads(threads);
    const watch = (instance: object): void => {
      forgotten ??= new FinalizationRegistry((endWorkers) => endWorkers());
      if (started > 1) forgotten.register(instance, end);
    };
    return { core, threads: started, maximumBytes: maximumMemory, fallbackReason: shortage(wanted, started), end, watch };
  } catch (error) {
    end();
    throw error;
  }
}

function shortage(wanted: number | 'auto', got: number): string | null {
  if (wanted === 'auto' || wanted <= got) return null;
  return `${wanted} threads were asked for, ${got} work: ${wanted > MAX_THREADS ? `${MAX_THREADS} are the most` : 'the system refused more'}`;
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
  throw new Error(`this engine refuses shared memory, of 512 MiB too (${messageOf(refusal)})`, { cause: refusal });
}

function startWorker(host: ThreadHost, failed: (error: unknown) => void): ThreadWorker {
  const refused = (cause: unknown, message: string | undefined): Error => {
    const why =
      message ||
      "no reason is given; is thread-worker.web.js served beside fovea's other files (by Vite's development server with optimizeDeps: { exclude: ['fovea'] }), and does a Content Security Policy allow it by worker-src?";
    return new Error(`its workers cannot be started (${why})`, { cause });
  };
  try {
    const worker = host.startWorker();
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
