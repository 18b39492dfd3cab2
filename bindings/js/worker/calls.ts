/** The functions of fovea by the names that messages give them. */
import { attention } from '../attention/attention.ts';
import { combine } from '../attention/combine.ts';
import { multiHeadAttention } from '../attention/multi_head_attention.ts';
import { selfAttention } from '../attention/self_attention.ts';
import type { Call } from '../call/call.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { CallName } from './protocol.ts';

/** The plan of a call that can be done in slices; null for all others. Arguments are checked here as the plain API does. */
export function planOf(instance: Instance, name: CallName, args: readonly unknown[]): Call<unknown> | null {
  const [first, second, third, fourth, fifth] = args as never[];
  switch (name) {
    case 'attention':
    case 'scaledDotProductAttention':
      return attention(instance, name, first, second, third, fourth);
    case 'selfAttention':
      return selfAttention(instance, first, second, third);
    case 'multiHeadAttention':
      return multiHeadAttention(instance, first, second, third, fourth, fifth!);
    case 'combine':
      return combine(instance, first, second);
    default:
      return null;
  }
}

/** The functions that run unsliced. */
export function answer(fovea: Fovea, name: CallName, args: readonly unknown[]): unknown {
  const [tensor, first, second, third] = args as [Tensor, never, never, never];
  switch (name) {
    case 'tensor':
      return fovea.tensor(tensor);
    case 'tensor.toArray':
      return tensor.toArray();
    case 'tensor.set':
      return tensor.set(first);
    case 'tensor.reshape':
      return tensor.reshape(first);
    case 'tensor.slice':
      return tensor.slice(first, second, third);
    case 'tensor.clone':
      return tensor.clone();
    case 'memory':
      return fovea.memory();
    case 'dispose':
      return fovea.dispose();
    default:
      throw new Error(`no function of the name ${name}`);
  }
}
