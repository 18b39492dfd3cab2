/** Where modules come from on web pages, in workers, and in every engine that is not Node: the wasm file is fetched. */
import { fetchModule } from '../runtime/fetch_wasm.ts';
import type { Platform } from './load.ts';

export const webModules: Pick<Platform, 'compileAsset' | 'compileUrl'> = {
  compileAsset(tier) {
    // Two literals, as bundlers look for exactly this form.
    const url =
      tier === 'relaxed' ? new URL('./fovea-relaxed.wasm', import.meta.url) : new URL('./fovea-simd128.wasm', import.meta.url);
    return fetchModule(url);
  },
  compileUrl: fetchModule,
};
