import { readPlain } from './arrays.ts';
import type { Instance } from './instance.ts';
import { createTensor, isTensor, tensorState, type Tensor } from './tensor.ts';

/** `fovea.tensor(x)`: a copy of x in wasm memory; of a Tensor, its clone. */
export function tensor(instance: Instance, input: unknown): Tensor {
  const fn = 'tensor';
  instance.engine.check(fn);
  if (isTensor(input)) {
    tensorState(instance, fn, 'x', input);
    return input.clone();
  }
  const { data, shape } = readPlain(fn, 'x', input);
  // A view of this very memory would detach if the allocation grows it.
  const numbers = ArrayBuffer.isView(data) && instance.heap.owns(data) ? (data as Float32Array).slice() : data;
  const made = createTensor(instance, fn, shape);
  made.data.set(numbers);
  return made;
}
