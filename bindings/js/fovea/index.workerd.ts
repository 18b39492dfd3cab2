/** The entry for Cloudflare's workers, where compiling is forbidden: their bundler compiles the wasm file and hands over the module. */
import wasmModule from '../../../build/wasm/simd128/fovea.wasm?module';
import { loadWith } from './load.ts';
import type { Fovea } from './fovea.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';

export { AttentionError } from '../errors/errors.ts';
export { toNested } from '../tensor/nested.ts';
export { format, print } from '../tensor/print.ts';
export { Tensor } from '../tensor/tensor.ts';

/** Documented in index.ts. */
export function load(options?: LoadOptions): Promise<Fovea> {
  return loadWith({ compileAsset: async () => wasmModule }, options);
}
