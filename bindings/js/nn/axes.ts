/** Sequences whose first axis are the tokens: PyTorch's batch_first=False. */
import { planCopy } from '../ops/copies.ts';
import { computeArray } from '../ops/operands.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import { readOperand } from '../tensor/operands.ts';
import { rowMajor } from '../tensor/shapes.ts';
import type { Module } from './module.ts';

/** [a, b, c] -> [b, a, c]; an array without a batch stays as it is. A Tensor gives a Tensor, to be freed. */
export function swapAxes<X extends ArrayInput>({ instance }: Module, fn: string, name: string, input: X): X {
  const from = readOperand(instance, fn, name, input);
  if (from.shape.length !== 3) return input;
  const swap = ([a, b, c]: readonly number[]): number[] => [b!, a!, c!];
  const shape = swap(from.shape);
  const swapped: ArrayInput = computeArray(instance, fn, input as ArrayInput, shape, (arena, to) =>
    planCopy(arena, { from, to, offset: 0, shape, fromStrides: swap(from.strides), toStrides: rowMajor(shape) }),
  );
  return swapped as X;
}
