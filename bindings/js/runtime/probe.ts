/** Which of the builds this engine can run. */
import { fail } from '../errors/errors.ts';
import { hasRelaxedSimd, hasSimd } from './features.ts';
import type { Variant } from './instance_types.ts';

export type Tier = 'simd128' | 'relaxed';

/** Throws a `load` error where there is no WebAssembly with SIMD. */
export function checkEngine(): void {
  if (typeof WebAssembly !== 'object') fail('load', 'load', 'this engine has no WebAssembly');
  if (!hasSimd()) fail('load', 'load', 'this engine has no WebAssembly SIMD (Chrome 91, Firefox 89, Safari 16.4)');
}

export function chooseTier(pinned: Variant | undefined, deterministic: boolean): Tier {
  if (pinned?.startsWith('simd128') || deterministic) return 'simd128';
  const relaxed = hasRelaxedSimd();
  if (pinned !== undefined && !relaxed) {
    fail(
      'load',
      'load',
      `the variant '${pinned}' cannot run: this engine has no relaxed SIMD; pin '${pinned.replace('relaxed', 'simd128')}'`,
    );
  }
  return relaxed ? 'relaxed' : 'simd128';
}
