/** Which of the builds this engine can run. */
import { relaxedSimd, simd } from 'wasm-feature-detect';
import { fail } from './errors.ts';

export type AssetVariant = 'simd128' | 'relaxed';

/** Throws a `load` error where there is no WebAssembly with SIMD; picks the build by what the engine has. */
export async function chooseVariant(pinned: AssetVariant | undefined, deterministic: boolean): Promise<AssetVariant> {
  await checkEngine();
  if (pinned === 'simd128' || deterministic) return 'simd128';
  const relaxed = await relaxedSimd();
  if (pinned === 'relaxed' && !relaxed) {
    fail(
      'load',
      'load',
      "the variant 'relaxed' cannot run: this engine has no relaxed SIMD; leave variant out, or pin 'simd128'",
    );
  }
  return relaxed ? 'relaxed' : 'simd128';
}

export async function checkEngine(): Promise<void> {
  if (typeof WebAssembly !== 'object') fail('load', 'load', 'this engine has no WebAssembly');
  if (!(await simd())) fail('load', 'load', 'this engine has no WebAssembly SIMD, which every build needs');
}
