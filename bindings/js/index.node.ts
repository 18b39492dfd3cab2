/** The entry for Node. */
import { loadWith } from './shared.ts';
import type { Fovea } from './fovea.ts';
import { nodePlatform } from './platform.node.ts';
import type { LoadOptions } from './types.ts';

export { AttentionError, Tensor, toNested } from './shared.ts';

/** Documented in index.ts. */
export function load(options?: LoadOptions): Promise<Fovea> {
  return loadWith(nodePlatform, options);
}
