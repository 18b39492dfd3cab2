/** The wasm files that have gradients, on web pages, in workers, and in every engine that is not Node. */
import type { Platform } from '../fovea/load.ts';
import { fetchedModules } from '../fovea/modules.web.ts';

export const trainModules: Pick<Platform, 'compileAsset' | 'compileUrl' | 'threadsUrl'> = {
  ...fetchedModules((tier) =>
    tier === 'relaxed'
      ? new URL('./fovea-train-relaxed.wasm', import.meta.url)
      : new URL('./fovea-train-simd128.wasm', import.meta.url),
  ),
  threadsUrl: (variant) =>
    variant === 'relaxed-threads'
      ? new URL('./fovea-train-relaxed-threads.wasm', import.meta.url)
      : new URL('./fovea-train-simd128-threads.wasm', import.meta.url),
};
