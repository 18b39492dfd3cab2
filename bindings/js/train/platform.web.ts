/** Web pages, workers, and every engine that is not Node: the wasm files that have gradients. */
import type { Platform } from '../fovea/load.ts';
import { fetchModule } from '../runtime/fetch_wasm.ts';
import type { Tier } from '../runtime/probe.ts';
import { notFound } from '../runtime/wasm_bytes.ts';

export const trainPlatform: Platform = {
  compileAsset: async (tier) => fetchModule(assetUrl(tier)),
  compileUrl: fetchModule,
  importThreads: () => import('../runtime/threads.web.ts'),
  threadsUrl: (variant) =>
    variant === 'relaxed-threads'
      ? new URL('./fovea-train-relaxed-threads.wasm', import.meta.url)
      : new URL('./fovea-train-simd128-threads.wasm', import.meta.url),
};

function assetUrl(tier: Tier): URL {
  try {
    // Two literals, as bundlers look for exactly this form.
    return tier === 'relaxed'
      ? new URL('./fovea-train-relaxed.wasm', import.meta.url)
      : new URL('./fovea-train-simd128.wasm', import.meta.url);
  } catch (error) {
    return notFound('import.meta.url', 'this script has none', error);
  }
}
