/** Where modules come from on web pages, in workers, and in every engine that is not Node: the wasm files are fetched. */
import { fetchModule } from '../runtime/fetch_wasm.ts';
import type { Tier } from '../runtime/probe.ts';
import { notFound } from '../runtime/wasm_bytes.ts';
import type { Platform } from './load.ts';

export type FetchedModules = Pick<Platform, 'compileAsset' | 'compileUrl'>;

/** @param assetUrl - has the two addresses as literals, as bundlers look for exactly this form */
export function fetchedModules(assetUrl: (tier: Tier) => URL): FetchedModules {
  return { compileAsset: async (tier) => fetchModule(located(assetUrl, tier)), compileUrl: fetchModule };
}

function located(assetUrl: (tier: Tier) => URL, tier: Tier): URL {
  try {
    return assetUrl(tier);
  } catch (error) {
    return notFound('import.meta.url', 'this script has none', error);
  }
}

export const webModules = fetchedModules((tier) =>
  tier === 'relaxed' ? new URL('./fovea-relaxed.wasm', import.meta.url) : new URL('./fovea-simd128.wasm', import.meta.url),
);
