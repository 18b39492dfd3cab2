/** Where modules come from on web pages, in workers, and in every engine that is not Node: the wasm file is fetched. */
import { fetchModule } from '../runtime/fetch_wasm.ts';
import type { Tier } from '../runtime/probe.ts';
import { notFound } from '../runtime/wasm_bytes.ts';
import type { Platform } from './load.ts';

export const webModules: Pick<Platform, 'compileAsset' | 'compileUrl'> = {
  compileAsset: async (tier) => fetchModule(assetUrl(tier)),
  compileUrl: fetchModule,
};

function assetUrl(tier: Tier): URL {
  try {
    // Two literals, as bundlers look for exactly this form.
    return tier === 'relaxed'
      ? new URL('./fovea-relaxed.wasm', import.meta.url)
      : new URL('./fovea-simd128.wasm', import.meta.url);
  } catch (error) {
    return notFound('import.meta.url', 'this script has none', error);
  }
}
