/** Weight matrices as products take them: arrays, or packed beforehand. */
import type { Instance } from '../runtime/instance.ts';
import { internalsOf, type Carrier } from '../runtime/internals.ts';
import type { ArrayInput } from './array_input.ts';
import { readOperand, type Operand } from './operands.ts';

/** How weight matrices are written: 'inOut' W [in, out], y = x·W (the papers); 'outIn' W [out, in], y = x·Wᵀ (PyTorch's nn.Linear). */
export type WeightLayout = 'inOut' | 'outIn';

/** A weight matrix that was packed for products once: PackedWeights of `fovea/ops`. Known by its internals. */
export interface PackedMatrix extends Carrier<'weights'> {}

export type WeightInput = ArrayInput | PackedMatrix;

/**
 * Packed weights, as the call that is given them reads them.
 * @internal
 */
export interface PackedState {
  readonly operand: (instance: Instance, fn: string, name: string, layout: WeightLayout) => Operand;
}

/**
 * A matrix of weights. A packed one has the shape of `layout`, whichever it was packed from, and its strides mean nothing.
 * @internal
 */
export function readWeight(instance: Instance, fn: string, name: string, input: unknown, layout: WeightLayout): Operand {
  const packed = internalsOf<PackedState>(fn, input, 'weights');
  return packed === undefined ? readOperand(instance, fn, name, input) : packed.operand(instance, fn, name, layout);
}
