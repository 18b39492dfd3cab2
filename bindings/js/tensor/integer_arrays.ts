/** Arrays of integers as arguments: ids of tokens, positions. */
import { readPlain } from './arrays.ts';
import { readIntegers } from './number_lists.ts';
import { checkAttached, typedArrayKind, typedArrayLength } from './typed_arrays.ts';

/** Integers of any shape; a typed array, 64-bit integers too, or a list of numbers may have no shape beside it: it has one axis. */
export type IntegerInput =
  | NestedIntegers
  | BareIntegers
  | { readonly data: BareIntegers | readonly number[]; readonly shape: readonly number[] }
  | { readonly data: BareIntegers | readonly number[]; readonly dims: readonly number[] };

export type NestedIntegers = readonly number[] | readonly NestedIntegers[];

export type BareIntegers =
  Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array;

export interface IntegerOperand {
  /** In the words of every TypeScript: since 5.7 it is written Int32Array<ArrayBuffer>. */
  readonly ids: ReturnType<typeof Int32Array.of>;
  readonly shape: readonly number[];
}

/** Integers from `from` to `to`, each read once. */
export function readIntegerArray(fn: string, name: string, input: unknown, from: number, to: number): IntegerOperand {
  const bare = typedArrayKind(input) !== undefined;
  if (bare) checkAttached(fn, name, input);
  const given = bare ? { data: input, shape: [typedArrayLength(input)] } : input;
  const { data, shape } = readPlain(fn, name, given, 'integers');
  return { ids: readIntegers(fn, name, data, from, to), shape };
}
