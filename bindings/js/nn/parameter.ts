/** The weights of modules, for what loads and draws them. */
import type { Fovea } from '../fovea/fovea.ts';
import type { Instance } from '../runtime/instance.ts';
import { packWeights, type PackedWeights } from '../ops/packed_weights.ts';
import type { WeightForm } from '../ops/weight_form.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { Shape } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { WeightLayout } from '../tensor/weights.ts';

/**
 * A matrix that products multiply by: it is packed when it is loaded. `parts`: lengths along its outputs that are used one by one; null = all together.
 * @internal
 */
export interface Packing {
  readonly layout: WeightLayout;
  readonly parts: readonly number[] | null;
}

/**
 * One weight: what it is, and where, once there is one.
 * @internal
 */
export interface Parameter {
  readonly shape: Shape;
  readonly start: 'normals' | 'zeros' | 'ones';
  /** Null for an array that is kept as it is. */
  readonly packing: Packing | null;
  value: Tensor | PackedWeights | null;
}

/**
 * An array as the parameter keeps it.
 * @internal
 */
export function parameterValue(
  { fovea, instance }: ParameterOwner,
  fn: string,
  name: string,
  { packing }: Parameter,
  array: ArrayInput,
  form?: WeightForm,
): Tensor | PackedWeights {
  if (packing === null) return fovea.tensor(array);
  return packWeights(instance, fn, name, array, packing.layout, form, packing.parts ?? undefined);
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
