/** The types of `fovea/wasm/*`. */
import type { WasmModule } from '../errors/host_types.ts';

/**
 * A .wasm file of the package as the bundler gives it: its address, for `wasmUrl` (esbuild's `file` loader, webpack's
 * `asset/resource`), or the compiled module, for `wasmModule` (Cloudflare's workers).
 */
declare const wasmFile: string & (object extends WasmModule ? unknown : WasmModule);
export default wasmFile;
