/** Which of the builds this engine can run. */
import { relaxedSimd, simd } from 'wasm-feature-detect';
import { fail } from '../errors/errors.ts';
import type { Variant } from './instance_types.ts';

export type Tier = 'simd128' | 'relaxed';

/** Throws a `load` error where there is no WebAssembly with SIMD. */
export async function checkEngine(): Promise<void> {
  if (typeof WebAssembly !== 'object') fail('load', 'load', 'this engine has no WebAssembly');
  if (!(await simd())) fail('load', 'load', 'this engine has no WebAssembly SIMD, which every build needs');
}

export async function chooseTier(pinned: Variant | undefined, deterministic: boolean): Promise<Tier> {
  if (pinned?.startsWith('simd128') || deterministic) return 'simd128';
  const relaxed = await relaxedSimd();
  if (pinned !== undefined && !relaxed) {
    fail(
      'load',
      'load',
      `the variant '${pinned}' cannot run: this engine has no relaxed SIMD; leave variant out, or pin '${pinned.replace('relaxed', 'simd128')}'`,
    );
  }
  return relaxed ? 'relaxed' : 'simd128';
}
