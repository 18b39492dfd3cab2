/** `fovea/train` for Node. */
import { loadWith } from '../fovea/load.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';
import { trainPlatform } from './platform.node.ts';

export { AttentionError } from '../errors/errors.ts';
export * from './names.ts';

/** Documented in index.ts. */
export function load(options?: LoadOptions): Promise<Fovea> {
  return loadWith(trainPlatform, options);
}
