/** The entry for Node. */
import { loadWith } from './load.ts';
import type { Fovea } from './fovea.ts';
import { nodePlatform } from './platform.node.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';

export { AttentionError } from '../errors/errors.ts';
export { toNested } from '../tensor/nested.ts';
export { format, print } from '../tensor/print.ts';
export { Tensor } from '../tensor/tensor.ts';

/** Documented in index.ts. */
export function load(options?: LoadOptions): Promise<Fovea> {
  return loadWith(nodePlatform, options);
}
