/** Reading of arrays for recurrent layers. */
import { readOperand, type Operand } from '../../tensor/operands.ts';
import { isContiguous, rowMajor, sizeOf } from '../../tensor/shapes.ts';
import type { Instance } from '../../runtime/instance.ts';
import { gather } from '../../tensor/strided.ts';
import type { Tensor } from '../../tensor/tensor.ts';

/** An array argument whose elements follow each other: a slice of a Tensor is copied. */
export function readContiguous(instance: Instance, fn: string, name: string, input: unknown): Operand {
  const operand = readOperand(instance, fn, name, input);
  const { shape, strides, address } = operand;
  if (address === null || isContiguous(shape, strides)) return operand;
  // A recorded copy leads gradients to the slice.
  if (instance.recorder !== null) return readOperand(instance, fn, name, (input as Tensor).clone());
  const data = new Float32Array(sizeOf(shape));
  gather(instance.heap, address, shape, strides, data);
  return { ...operand, strides: rowMajor(shape), address: null, data, kind: 'Float32Array' };
}
