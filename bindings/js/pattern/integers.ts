/** Lists of integers as arguments. */
import { typedArrayKind } from '../arrays.ts';
import { describe, fail } from '../errors.ts';
import { checkInteger } from '../options.ts';

/** The caller's integers in a list of our own: an array or a typed array. */
export function readIntegers(fn: string, name: string, list: unknown, from: number, to: number): Int32Array {
  const kind = Array.isArray(list) ? '' : typedArrayKind(list);
  if (kind === undefined || kind.startsWith('Big'))
    fail('value', fn, `${name} must be an array of integers, got ${describe(list)}`);
  const entries = list as ArrayLike<unknown>;
  const integers = new Int32Array(entries.length);
  for (let n = 0; n < integers.length; n++) {
    const entry = entries[n];
    // The message is made for what is wrong alone: lists may be long.
    if (!Number.isInteger(entry) || (entry as number) < from || (entry as number) > to)
      checkInteger(fn, `${name}[${n}]`, entry, from, to);
    integers[n] = entry as number;
  }
  return integers;
}
