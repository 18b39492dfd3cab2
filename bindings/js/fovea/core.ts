/** `fovea/core`: no wasm file is named, so that none is taken along; the caller brings one. */
import { fail } from '../errors/errors.ts';
import { fetchModule } from '../runtime/fetch_wasm.ts';
import { loadWith } from './load.ts';
import type { Fovea } from './fovea.ts';
import type { CoreLoadOptions } from '../runtime/instance_types.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export type { Fovea } from './fovea.ts';
export { toNested, type Nested } from '../tensor/nested.ts';
export { format, print, type FormatOptions } from '../tensor/print.ts';
export { Tensor } from '../tensor/tensor.ts';
export type * from '../attention/types/index.ts';
export type * from '../call/out_targets.ts';
export type * from '../runtime/instance_types.ts';
export type * from '../tensor/array_input.ts';
export type * from '../tensor/array_types.ts';
export type * from '../trace/stages.ts';

/**
 * Like `load` of 'fovea', with a wasm file of the caller's: exactly one of wasmUrl, wasmBinary and wasmModule is required. For hosts where
 * JavaScript does not know its own URL (`import.meta.url`), and for hosts that compile wasm themselves, as Cloudflare's workers do. One
 * thread.
 *
 * @throws AttentionError `load` where the file is missing, damaged, of another version, or cannot run; `option`, `value`.
 * @example
 * import { load } from 'fovea/core';
 * import wasmModule from 'fovea/wasm/simd128.wasm';
 * const fovea = await load({ wasmModule });
 */
export function load(options: CoreLoadOptions): Promise<Fovea> {
  return loadWith(
    {
      async compileAsset() {
        return fail(
          'option',
          'load',
          "fovea/core carries no wasm file: pass wasmUrl, wasmBinary or wasmModule, for example of 'fovea/wasm/simd128.wasm'",
        );
      },
      compileUrl: fetchModule,
    },
    options,
  );
}
