/** The weights of modules, for what loads and draws them. */
import type { Fovea } from '../fovea/fovea.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Shape } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * One weight: what it is, and where, once there is one.
 * @internal
 */
export interface Parameter {
  readonly shape: Shape;
  readonly start: 'normals' | 'zeros' | 'ones';
  tensor: Tensor | null;
}

/**
 * A module.
 * @internal
 */
export interface ParameterOwner {
  readonly fovea: Fovea;
  readonly instance: Instance;
  /** All parameters, those of the modules inside too. */
  named(prefix?: string): Map<string, Parameter>;
}
