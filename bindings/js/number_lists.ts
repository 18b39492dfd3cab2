/** Options that are lists of numbers: one for every batch entry or query head. */
import { typedArrayKind } from './arrays.ts';
import { describe, fail } from './errors.ts';
import { checkFinite } from './options.ts';

/** One finite number per query head. */
export function readNumbers(fn: string, name: string, list: unknown, heads: number): number[] {
  const numbers = readList(fn, name, list, heads, 'query head');
  numbers.forEach((value, h) => checkFinite(fn, `${name}[${h}]`, value));
  return numbers;
}

export function readList(fn: string, name: string, list: unknown, length: number, per: string): number[] {
  const isList = Array.isArray(list) || (typedArrayKind(list) !== undefined && !typedArrayKind(list)!.startsWith('Big'));
  if (!isList) fail('value', fn, `${name} must be an array with one number per ${per}, got ${describe(list)}`);
  const numbers = Array.from(list as ArrayLike<number>);
  if (numbers.length !== length) fail('shape', fn, `${name} must have one number per ${per}, ${length}, got ${numbers.length}`);
  return numbers;
}
