/** What scripts/build_wasm.mjs writes: modules that TypeScript cannot see, as they are made by another compiler. */
declare module '*/fovea.web.mjs' {
  import type { CoreModule } from './abi.ts';

  /** Emscripten's factory. `instantiateWasm` takes over instantiation: it answers through `receive`. */
  export default function createCore(options: {
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
  }): Promise<CoreModule>;
}

/** The file as base64: scripts/build_js.mjs puts it in. */
declare module '*/fovea.wasm' {
  const base64: string;
  export default base64;
}
