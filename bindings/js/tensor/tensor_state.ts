/** The state of a Tensor: where its elements are, and whether they are still there. */
import type { Instance } from '../runtime/instance.ts';
import type { Storage } from '../runtime/storage.ts';
import { formatNumbers, type FormattedNumbers } from './format.ts';
import { extentOf, formatShape } from './shapes.ts';

/**
 * Where a tensor's elements are: `offset` and `strides` count floats from the start of its storage.
 * @internal
 */
export interface TensorState {
  readonly instance: Instance;
  readonly storage: Storage;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  disposed: boolean;
}

/** @internal */
export function isDisposed({ instance, storage, disposed }: TensorState): boolean {
  return disposed || storage.disposed || instance.engine.disposed;
}

/**
 * The bytes of the instance's memory that a tensor reaches.
 * @internal
 */
export function tensorBytes({ instance, storage, shape, strides, offset }: TensorState): {
  readonly buffer: unknown;
  readonly from: number;
  readonly to: number;
} {
  const from = storage.address + 4 * offset;
  return { buffer: instance, from, to: from + 4 * extentOf(shape, strides) };
}

/**
 * The numbers as text, read where they lie.
 * @internal
 */
export function formatState({ instance, storage, shape, strides, offset }: TensorState, digits: number): FormattedNumbers {
  const numbers = instance.heap.floats(storage.address + 4 * offset, extentOf(shape, strides));
  return formatNumbers(shape, strides, (at) => numbers[at]!, digits);
}

/**
 * A Tensor in Node's console.
 * @internal
 */
export function textOf(state: TensorState): string {
  const name = `Tensor ${formatShape(state.shape)}`;
  if (isDisposed(state)) return name;
  const { text } = formatState(state, 4);
  return `${name}${text.includes('\n') ? '\n' : ' '}${text}`;
}
