import { readPlain } from './arrays.ts';
import { ownNumbers } from './typed_arrays.ts';
import type { Instance } from '../runtime/instance.ts';
import { createTensor, isTensor, tensorState, type Tensor } from './tensor.ts';
import { copyInto } from './typed_arrays.ts';

/** `fovea.tensor(x)`, or `fovea.tensor(data, shape)`: a copy in wasm memory; of a Tensor, its clone. */
export function tensor(instance: Instance, given: unknown, shapeOfData?: unknown): Tensor {
  const fn = 'tensor';
  instance.engine.check(fn);
  const input = shapeOfData === undefined ? given : { data: given, shape: shapeOfData };
  if (isTensor(input)) {
    tensorState(instance, fn, 'x', input);
    return input.clone();
  }
  return copyToTensor(instance, fn, 'x', input);
}

/** A plain array as a Tensor; `fn` and `name` are what errors call the function and the array. */
export function copyToTensor(instance: Instance, fn: string, name: string, input: unknown): Tensor {
  const { data, shape } = readPlain(fn, name, input);
  // A view of this very memory would detach if the allocation grows it.
  const numbers = ownNumbers(instance.heap, fn, data);
  const made = createTensor(instance, fn, shape);
  copyInto(fn, made.data, numbers);
  return made;
}
