/** How the glue that Emscripten writes is called. */
import type { CoreModule } from './core_module.ts';

/** A thread: a page's worker, or one of Node's in its shape. */
export interface ThreadWorker {
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { message?: string; preventDefault?(): void }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
  /** Node: from now on the process may end while it runs. */
  unref?(): void;
}

/** The functions that the glue of the threaded builds calls (bindings/wasm/workers.js). */
export interface CoreSettings {
  workers?: readonly ThreadWorker[];
  wasmMemory?: WebAssembly.Memory;
  maximumMemory?: number;
}

/** Emscripten's factory. `instantiateWasm` takes over instantiation: it answers through `receive`. */
export type CoreFactory = (
  options: CoreSettings & {
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
  },
) => Promise<CoreModule>;
