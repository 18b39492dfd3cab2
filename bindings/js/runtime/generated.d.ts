/** Modules that scripts/build_wasm.mjs writes and that TypeScript cannot see, as they are made by another compiler. */
declare module '*/fovea.web.mjs' {
  const createCore: import('./glue.ts').CoreFactory;
  export default createCore;
}

/** The file as base64: scripts/bundle_js.mjs writes it. */
declare module '*/fovea.wasm' {
  const base64: string;
  export default base64;
}

/** The version of the package: scripts/bundle_js.mjs puts it in. */
declare const FOVEA_VERSION: string;

/** The package's own .wasm file as engines import it that compile it themselves. */
declare module '*/fovea.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
