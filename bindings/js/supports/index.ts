/** `fovea/supports`: what this engine can run. It loads nothing and imports nothing else of the package's entries. */
import { hasRelaxedSimd, hasSharedMemory, hasSimd } from '../runtime/features.ts';

export interface Support {
  /** WebAssembly, and code may be compiled where the host allows it. */
  readonly wasm: boolean;
  /** 128-bit SIMD, which every build needs: Chrome 91, Firefox 89, Safari 16.4, Node 16.4 and later. */
  readonly simd128: boolean;
  /** Relaxed SIMD, a quarter to a third faster: Chrome 114, Firefox 145, Node 21 and later. */
  readonly relaxed: boolean;
  /** Memory that is shared with workers. */
  readonly threads: boolean;
  /** Why each of those that are false cannot be had. */
  readonly reasons: Readonly<Partial<Record<'wasm' | 'simd128' | 'relaxed' | 'threads', string>>>;
}

/**
 * Tells at once, without loading anything, what `load` can run here, and why not the rest. A page's Content Security Policy, or a host that
 * forbids to compile, is not seen: `load` tells of those.
 *
 * @example
 * import { supports } from 'fovea/supports';
 * const { simd128, threads, reasons } = supports();
 * if (!simd128) console.log(reasons.simd128);
 */
export function supports(): Support {
  const wasm = typeof WebAssembly === 'object' && typeof WebAssembly.validate === 'function';
  const reasons: { -readonly [Name in keyof Support['reasons']]: string } = {};
  if (!wasm) reasons.wasm = 'this engine has no WebAssembly';
  const simd128 = wasm && hasSimd();
  if (!simd128)
    reasons.simd128 = reasons.wasm ?? 'it came with Chrome 91, Firefox 89, Safari 16.4 and Node 16.4: this engine is older';
  const relaxed = simd128 && hasRelaxedSimd();
  if (!relaxed) reasons.relaxed = simd128 ? 'this engine has no relaxed SIMD' : reasons.simd128!;
  const refusal = simd128 ? sharedMemoryRefusal() : reasons.simd128!;
  if (refusal !== undefined) reasons.threads = refusal;
  return Object.freeze({ wasm, simd128, relaxed, threads: refusal === undefined, reasons: Object.freeze(reasons) });
}

function sharedMemoryRefusal(): string | undefined {
  if (globalThis.crossOriginIsolated === false)
    return 'the page is not cross-origin isolated: it lacks the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp';
  if (typeof SharedArrayBuffer !== 'function') return 'this engine has no SharedArrayBuffer';
  return hasSharedMemory() ? undefined : 'this engine has no shared WebAssembly memory';
}
