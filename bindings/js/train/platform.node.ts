/** Node: the wasm files that have gradients. */
import { nodePlatform } from '../fovea/platform.node.ts';
import type { Platform } from '../fovea/load.ts';

export const trainPlatform: Platform = {
  ...nodePlatform,
  compileAsset: (tier) =>
    nodePlatform.compileUrl!(
      tier === 'relaxed'
        ? new URL('./fovea-train-relaxed.wasm', import.meta.url)
        : new URL('./fovea-train-simd128.wasm', import.meta.url),
    ),
  threadsUrl: (variant) => new URL(`./fovea-train-${variant}.wasm`, import.meta.url),
};
