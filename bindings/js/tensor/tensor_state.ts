/** The state of a Tensor: where its elements are, and whether they are still there. */
import type { Instance, Storage } from '../runtime/instance.ts';
import { extentOf } from './shapes.ts';

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
