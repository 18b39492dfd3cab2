/** The public surface of `fovea/train`: what both entries export, and the types. */
import type { Fovea } from '../fovea/fovea.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';

export { AttentionError, type ErrorCode } from '../errors/errors.ts';
export * from './names.ts';

/**
 * An instance that computes gradients, too: `load` of 'fovea', with wasm files that hold the same core and the backward kernels beside it.
 * Everything that the package exports works with it, in the same bits.
 *
 * @throws AttentionError as `load` of 'fovea'.
 * @example
 * import { load } from 'fovea/train';
 * const fovea = await load({ deterministic: true });
 * fovea.dispose();
 */
export declare function load(options?: LoadOptions): Promise<Fovea>;
