import { readPlain } from './arrays.ts';
import { fail } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';
import { sizeOf } from './shapes.ts';
import { isTensor, type Tensor } from './tensor.ts';
import type { NDArray } from './array_types.ts';

/** Numbers in nested arrays, as deep as the shape has axes; a number for the shape []. */
export type Nested = number | Nested[];

/**
 * The numbers of an array as nested JavaScript arrays, for printing and comparing.
 *
 * @param array `{ data, shape }` or a Tensor.
 * @returns as deep as the shape; its type is the one asked for, as `const rows: number[][] = toNested(output)`, and is not checked.
 * @throws AttentionError `shape`, `value`; `disposed` for a disposed Tensor.
 * @example
 * toNested({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] }); // [[1, 2], [3, 4]]
 */
export function toNested<Rows extends Nested = Nested>(array: NDArray | Tensor): Rows {
  const fn = 'toNested';
  if (isList(array)) fail('value', fn, 'the array must be { data, shape } or a Tensor, got a nested array already');
  const { data, shape } = isTensor(array) ? array.toArray() : readPlain(fn, 'the array', array);
  let at = 0;
  const level = (depth: number): Nested => {
    if (depth === shape.length) return data[at++]!;
    return Array.from({ length: shape[depth]! }, () => level(depth + 1));
  };
  // An axis of length 0 may follow one of any length: nothing is read then.
  return (sizeOf(shape) === 0 && shape[0] === 0 ? [] : level(0)) as Rows;
}
