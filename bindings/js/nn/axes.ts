/** Sequences whose first axis are the tokens: PyTorch's batch_first=False. */
import { isTensor, type Tensor } from '../tensor/tensor.ts';
import { extentOf } from '../tensor/shapes.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Module } from './module.ts';
import { readOperand } from '../tensor/operands.ts';

/** [a, b, c] -> [b, a, c]; an array without a batch stays as it is. A Tensor gives a Tensor, to be freed. */
export function swapAxes<X extends ArrayInput>({ fovea, instance }: Module, fn: string, name: string, input: X): X {
  const { shape, strides, address, data } = readOperand(instance, fn, name, input);
  if (shape.length !== 3) return input;
  const [a, b, c] = shape as [number, number, number];
  const source: ArrayLike<number> = address === null ? data : instance.heap.floats(address, extentOf(shape, strides));
  const swapped = { data: new Float32Array(a * b * c), shape: [b, a, c] };
  let at = 0;
  for (let j = 0; j < b; j++)
    for (let i = 0; i < a; i++) for (let n = 0; n < c; n++) swapped.data[at++] = source[i * strides[0]! + j * strides[1]! + n]!;
  const result: NDArray | Tensor = isTensor(input) ? fovea.tensor(swapped) : swapped;
  return result as ArrayInput as X;
}
