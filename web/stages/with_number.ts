/** A copy of an argument with one number replaced: of nested lists, a typed array, an array with a shape. Null for all else. */
import type { Index } from './arithmetic/expr.ts';
import { flatOf } from './arithmetic/expr.ts';

/** @param inner the names of the parts between the argument and the array, as in `forward.W1` */
export function withNumber(argument: unknown, inner: readonly string[], index: Index, value: number): object | null {
  if (typeof argument !== 'object' || argument === null) return null;
  const [name, ...rest] = inner;
  if (name !== undefined) {
    if (ArrayBuffer.isView(argument) || !Object.hasOwn(argument, name)) return null;
    const part = withNumber((argument as Record<string, unknown>)[name], rest, index, value);
    if (!part) return null;
    return Array.isArray(argument) ? replaced(argument, Number(name), part) : { ...argument, [name]: part };
  }
  const [first, ...further] = index;
  if (first === undefined) return null;
  if (argument instanceof Float32Array || argument instanceof Float64Array)
    return further.length === 0 && first < argument.length ? replaced(argument, first, value) : null;
  if ('data' in argument && 'shape' in argument) {
    const { data, shape } = argument as { readonly data: unknown; readonly shape: readonly number[] };
    const changed = withNumber(data, [], [flatOf(shape, index)], value);
    return changed && { ...argument, data: changed };
  }
  if (!Array.isArray(argument) || first >= argument.length) return null;
  if (further.length === 0) return typeof argument[first] === 'number' ? replaced(argument, first, value) : null;
  const changed = withNumber(argument[first], [], further, value);
  return changed && replaced(argument, first, changed);
}

function replaced<T extends { slice(): T; [place: number]: unknown }>(list: T, place: number, value: unknown): T {
  const copy = list.slice();
  copy[place as number] = value as never;
  return copy;
}
