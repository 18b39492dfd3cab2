/** `fovea/inline`: the simd128 build as base64 in the JavaScript itself, so that nothing is fetched. */
import wasmBase64 from '../../../build/wasm/simd128/fovea.wasm';
import { compileBytes } from '../runtime/wasm_bytes.ts';
import { loadWith } from './load.ts';
import type { Fovea } from './fovea.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';

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
 * Like `load` of 'fovea', with the one-thread simd128 build that this file carries: for pages that cannot serve a .wasm
 * file beside their JavaScript. It takes no wasmUrl, wasmBinary or wasmModule, and has no threads.
 *
 * @throws AttentionError `load` for any other variant than 'simd128'; `option`, `value`.
 * @example
 * import { load } from 'fovea/inline';
 * const fovea = await load();
 */
export function load(options?: Omit<LoadOptions, 'wasmUrl' | 'wasmBinary' | 'wasmModule'>): Promise<Fovea> {
  return loadWith(
    {
      async compileAsset() {
        return compileBytes(
          Uint8Array.from(atob(wasmBase64), (c) => c.charCodeAt(0)),
          'fovea/inline',
        );
      },
    },
    options,
  );
}
