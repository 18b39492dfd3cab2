/** Lists of numbers as arguments and options: each entry is read once, into a list of our own, and checked as it is read. */
import { describe, fail } from '../errors/errors.ts';
import { checkFinite, checkInteger, isList } from '../errors/options.ts';
import { checkAttached, typedArrayKind, typedArrayLength, zeros } from './typed_arrays.ts';

/** How many entries there must be, and what each of them is for. */
export interface ListLength {
  readonly length: number;
  readonly per: string;
}

/** Integers from `from` to `to`: an array of numbers, a typed array, 64-bit integers among them. */
export function readIntegers(
  fn: string,
  name: string,
  list: unknown,
  from: number,
  to: number,
  wanted?: ListLength,
): Int32Array<ArrayBuffer> {
  const kind = typedArrayKind(list);
  const length = lengthOf(fn, name, list, kind, wanted, 'integer');
  const isBig = kind?.startsWith('Big') ?? false;
  const integers = zeros(fn, 'Int32Array', length) as unknown as Int32Array<ArrayBuffer>;
  for (let n = 0; n < length; n++) {
    const given = (list as ArrayLike<unknown>)[n];
    const entry = isBig ? Number(given) : given;
    // The message is made for what is wrong alone: lists may be long.
    if (!Number.isInteger(entry) || (entry as number) < from || (entry as number) > to)
      checkInteger(fn, `${name}[${n}]`, entry, from, to);
    integers[n] = entry as number;
  }
  return integers;
}

/** Finite numbers, one per query head. */
export function readNumbers(fn: string, name: string, list: unknown, heads: number): number[] {
  const kind = typedArrayKind(list);
  const length = lengthOf(
    fn,
    name,
    list,
    kind?.startsWith('Big') ? 'none' : kind,
    { length: heads, per: 'query head' },
    'number',
  );
  const numbers: number[] = [];
  for (let h = 0; h < length; h++) {
    const value = (list as ArrayLike<unknown>)[h];
    checkFinite(fn, `${name}[${h}]`, value);
    numbers.push(value);
  }
  return numbers;
}

function lengthOf(
  fn: string,
  name: string,
  list: unknown,
  kind: string | undefined,
  wanted: ListLength | undefined,
  what: 'integer' | 'number',
): number {
  if (kind === 'none' || (kind === undefined && !isList(list))) {
    const rule = wanted === undefined ? 'an array of integers' : `an array with one ${what} per ${wanted.per}`;
    fail('value', fn, `${name} must be ${rule}, got ${describe(list)}`);
  }
  if (kind !== undefined) checkAttached(fn, name, list);
  const length = kind === undefined ? (list as readonly unknown[]).length : typedArrayLength(list);
  if (wanted !== undefined && length !== wanted.length)
    fail('shape', fn, `${name} must have one number per ${wanted.per}, ${wanted.length}, got ${length}`);
  return length;
}
