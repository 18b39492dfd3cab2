/** The public types of an instance: how it is loaded, and what it tells of itself. */
import type { HostUrl, WasmModule } from '../errors/host_types.ts';

export type { WasmModule };

export type Variant = 'simd128' | 'relaxed' | 'simd128-threads' | 'relaxed-threads';

export interface LoadOptions {
  /** Pins one build; a `load` error says why it cannot run here. A build with threads takes 'auto' of them unless told. */
  readonly variant?: Variant | undefined;
  /** simd128: the same bytes in every engine, for every number of threads. */
  readonly deterministic?: boolean | undefined;
  /**
   * How many threads work on a call, the caller counted: default 1, at most 32; 'auto' is as many as the machine runs at once, at
   * most 8. They are workers that share memory, which a page may do if it is served with the headers
   * `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`. Where they cannot be had there is
   * one thread, and `info.fallbackReason` says why; but if `variant` pins a build with threads, that is a `load` error. With a
   * one-thread build pinned, more than 1 is an `option` error; with one given by wasmUrl, wasmBinary or wasmModule, a `load` error.
   */
  readonly threads?: number | 'auto' | undefined;
  /** Where the .wasm file is, in place of the one beside the package's JavaScript. For threads: a `-threads.wasm`. */
  readonly wasmUrl?: string | HostUrl | undefined;
  /** The bytes of the .wasm file: nothing is fetched. */
  readonly wasmBinary?: ArrayBuffer | ArrayBufferView | undefined;
  /** A compiled module: nothing is fetched or compiled. */
  readonly wasmModule?: WasmModule | undefined;
}

/** The options of `load` of fovea/core: where the wasm file comes from is required, and it has one thread. */
export type CoreLoadOptions = Omit<LoadOptions, 'threads' | 'wasmUrl' | 'wasmBinary' | 'wasmModule'> &
  (
    | { readonly wasmUrl: string | HostUrl; readonly wasmBinary?: undefined; readonly wasmModule?: undefined }
    | { readonly wasmBinary: ArrayBuffer | ArrayBufferView; readonly wasmUrl?: undefined; readonly wasmModule?: undefined }
    | { readonly wasmModule: WasmModule; readonly wasmUrl?: undefined; readonly wasmBinary?: undefined }
  );

export interface FoveaInfo {
  readonly version: string;
  readonly variant: Variant;
  /** How many work, the caller counted. */
  readonly threads: number;
  /** Why a wish was not met, in words, or null. */
  readonly fallbackReason: string | null;
}

export interface MemoryUse {
  /** Bytes of wasm memory held by Tensors and by calls under way. */
  live: number;
  /** Bytes of wasm memory in all. */
  total: number;
}
