/** `stopGradient`: numbers as constants. */
import type { Fovea } from '../fovea/fovea.ts';
import { instanceOf } from '../runtime/instances.ts';
import { isTensor, tensorState, type Tensor } from '../tensor/tensor.ts';
import { tensor as makeTensor } from '../tensor/make_tensor.ts';
import { describe, fail } from '../errors/errors.ts';

/**
 * A copy of x through which no gradient flows.
 *
 * @param fovea an instance of this thread.
 * @param x a Tensor of any shape.
 * @throws AttentionError `value` | `disposed` | `memory`.
 * @example
 * import { stopGradient, valueAndGrad } from 'fovea/train';
 * import { multiply, sum } from 'fovea/ops';
 * const w = fovea.tensor([3]);
 * const { gradients } = valueAndGrad(fovea, { w }, () => sum(fovea, multiply(fovea, w, stopGradient(fovea, w))));
 * console.assert(String(toNested(gradients.w)) === '3'); // not 6
 */
export function stopGradient(fovea: Fovea, x: Tensor): Tensor {
  const fn = 'stopGradient';
  const instance = instanceOf(fn, fovea);
  if (!isTensor(x)) return fail('value', fn, `x must be a Tensor, got ${describe(x)}`);
  tensorState(instance, fn, 'x', x);
  return makeTensor(instance, x.toArray());
}
