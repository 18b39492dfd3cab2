/** The entry for web pages, workers, and engines that are not Node. */
import { loadWith } from './shared.ts';
import type { Fovea } from './fovea.ts';
import { webPlatform } from './platform.web.ts';
import type { LoadOptions } from './types.ts';

export { AttentionError, Tensor, toNested } from './shared.ts';

/** Documented in index.ts. */
export function load(options?: LoadOptions): Promise<Fovea> {
  return loadWith(webPlatform, options);
}
