/** The entry for web pages, workers, and engines that are not Node. */
import { loadWith } from './load.ts';
import type { Fovea } from './fovea.ts';
import { webPlatform } from './platform.web.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';

export { AttentionError } from '../errors/errors.ts';
export { toNested } from '../tensor/nested.ts';
export { format, print } from '../tensor/print.ts';
export { Tensor } from '../tensor/tensor.ts';

/** Documented in index.ts. */
export function load(options?: LoadOptions): Promise<Fovea> {
  return loadWith(webPlatform, options);
}
