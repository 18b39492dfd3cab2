/** q, k and v as they are read, and `qkNormalize`: rows of length 1. */
import type { HeadsShape } from '../attention/options/layout.ts';
import type { Operand } from '../tensor/operands.ts';
import { rowMajor, sizeOf } from '../tensor/shapes.ts';
import { gather } from '../tensor/strided.ts';
import type { Instance } from '../runtime/instance.ts';

/** q, k or v: where its numbers come from, and how its axes are read. */
export interface Input {
  readonly operand: Operand;
  readonly heads: HeadsShape;
}

/** A copy whose rows, head by head, are divided by their lengths, computed in double; a row of zeros stays. */
export function normalizeRows(
  instance: Instance,
  { operand, heads }: Input,
  readHeads: (operand: Operand) => HeadsShape,
): Input {
  const { shape, strides, address } = operand;
  const data = new Float32Array(sizeOf(shape));
  if (address === null) data.set(operand.data);
  else gather(instance.heap, address, shape, strides, data);
  for (let from = 0; heads.width > 0 && from < data.length; from += heads.width) {
    const row = data.subarray(from, from + heads.width);
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
    if (length !== 0) row.forEach((x, d) => (row[d] = x / length));
  }
  const made: Operand = { ...operand, strides: rowMajor(shape), address: null, data, kind: 'Float32Array' };
  return { operand: made, heads: readHeads(made) };
}
