/** The types of the host's own classes, also where no library of TypeScript declares them: neither the DOM's nor Node's. */

type Class<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : Otherwise;

/** WebAssembly.Module. @types/node does not declare it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

/** URL. */
export type HostUrl = Class<'URL', { readonly href: string }>;

/** AbortSignal. */
export type HostSignal = Class<
  'AbortSignal',
  {
    readonly aborted: boolean;
    readonly reason: unknown;
    throwIfAborted(): void;
    addEventListener(type: 'abort', listener: () => void): void;
    removeEventListener(type: 'abort', listener: () => void): void;
  }
>;

/** A Worker of the web or of node:worker_threads. */
export interface HostWorker {
  postMessage: (...args: never[]) => void;
  terminate(): unknown;
}
