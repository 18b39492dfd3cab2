/** Arrays before they are read: which of several forms an input has. */
import { isPlainObject } from '../../errors/options.ts';
import { isTensor } from '../../tensor/tensor.ts';
import { typedArrayKind } from '../../tensor/typed_arrays.ts';

/** The axes of an array that is not read yet. */
export function rankOf(value: unknown): number {
  if (isTensor(value)) return value.shape.length;
  if (Array.isArray(value)) return 1 + rankOf((value as unknown[])[0]);
  if (ArrayBuffer.isView(value)) return 1;
  if (!isPlainObject(value)) return 0;
  const shape = value['shape'] ?? value['dims'];
  return Array.isArray(shape) ? shape.length : 0;
}

/** Whether an array that is not read yet is one of float numbers; of nested numbers nothing is known. */
export function isFloat(value: unknown): boolean {
  if (isTensor(value)) return true;
  const data: unknown = isPlainObject(value) ? value['data'] : Array.isArray(value) ? value[0] : value;
  return typedArrayKind(data)?.startsWith('Float') ?? false;
}
