/** Arrays before they are read: which of several forms an input has. */
import { isList, isObject } from '../../errors/options.ts';
import { MAX_RANK } from '../../tensor/shapes.ts';
import { isTensor } from '../../tensor/tensor.ts';
import { typedArrayKind } from '../../tensor/typed_arrays.ts';

/** The axes of an array that is not read yet. Lists that are nested deeper, or in themselves, are refused where they are read. */
export function rankOf(value: unknown, deepest = MAX_RANK): number {
  if (isTensor(value)) return value.shape.length;
  if (isList(value)) return deepest === 0 ? 0 : 1 + rankOf(value[0], deepest - 1);
  if (ArrayBuffer.isView(value)) return 1;
  if (!isObject(value)) return 0;
  const shape = value['shape'] ?? value['dims'];
  return isList(shape) ? shape.length : 0;
}

/** Whether an array that is not read yet is one of float numbers; of nested numbers nothing is known. */
export function isFloat(value: unknown): boolean {
  if (isTensor(value)) return true;
  const data: unknown = isObject(value) ? value['data'] : isList(value) ? value[0] : value;
  return typedArrayKind(data)?.startsWith('Float') ?? false;
}
