/** Texts of the core, which it gives as addresses. */
import type { CoreModule } from './core_module.ts';

/** The ASCII text at `address`, whose bytes end with a 0. */
export function coreText({ wasmMemory }: CoreModule, address: number): string {
  const bytes = new Uint8Array(wasmMemory.buffer);
  let text = '';
  for (let at = address; bytes[at]! > 0; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
