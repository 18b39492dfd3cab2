/** Reading plain array arguments: `{ data, shape }` and nested arrays. Tensors are read in operands.ts. */
import { describe, fail } from './errors.ts';
import { isPlainObject } from './options.ts';
import { formatShape, sizeOf } from './shapes.ts';

/** Row-major numbers; a typed array's `set` converts any of them. */
export type NumberSource = ArrayLike<number> & { readonly length: number };

export interface PlainArray {
  readonly shape: number[];
  readonly data: NumberSource;
  /** 'Float32Array', 'Uint8Array', ... or 'numbers' or 'booleans' for what came as a JavaScript array. */
  readonly kind: string;
}

const RULE = 'must be { data, shape }, a nested array or a Tensor';

/** The name of a typed array's type, in whichever realm it was made; undefined for anything else. */
export function typedArrayKind(value: unknown): string | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === 'DataView' ? undefined : kind;
}

/** Reads numbers, or booleans where `booleans` allows them, as masks do. */
export function readPlain(fn: string, name: string, input: unknown, booleans = false): PlainArray {
  if (Array.isArray(input)) return readNested(fn, name, input, booleans);
  const kind = typedArrayKind(input);
  if (kind !== undefined) fail('shape', fn, `${name} ${RULE}, got ${describe(input)} without a shape`);
  if (!isPlainObject(input) || !('data' in input) || !('shape' in input))
    fail('value', fn, `${name} ${RULE}, got ${describe(input)}`);
  const shape = readShape(fn, `${name}.shape`, input.shape);
  const data = input.data;
  const dataKind = Array.isArray(data) ? listKind(fn, name, data, booleans) : typedArrayKind(data);
  if (dataKind === undefined)
    fail('value', fn, `${name}.data must be a typed array or an array of numbers, got ${describe(data)}`);
  if (dataKind.startsWith('Big'))
    fail('value', fn, `${name}.data must hold numbers, got a ${dataKind}; convert its entries with Number()`);
  const numbers = asNumbers(data as NumberSource, dataKind);
  if (numbers.length !== sizeOf(shape)) {
    fail('shape', fn, `${name}'s data must fill its shape, got ${numbers.length} numbers for ${formatShape(shape)}`);
  }
  return { shape, data: numbers, kind: dataKind };
}

export function readShape(fn: string, name: string, shape: unknown): number[] {
  const list = typedArrayKind(shape) === undefined ? shape : Array.from(shape as ArrayLike<number>);
  if (!Array.isArray(list) || !list.every((length) => Number.isSafeInteger(length) && length >= 0)) {
    fail('shape', fn, `${name} must be an array of integers of at least 0, got ${describe(shape)}`);
  }
  return [...list];
}

/** The one type of a list's entries. */
function listKind(fn: string, name: string, list: readonly unknown[], booleans: boolean): 'numbers' | 'booleans' {
  const wanted = booleans && typeof list[0] === 'boolean' ? 'boolean' : 'number';
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] !== wanted) fail('value', fn, `${name} must hold ${wanted}s only, got ${describe(list[i])}`);
  }
  return wanted === 'boolean' ? 'booleans' : 'numbers';
}

function asNumbers(data: NumberSource, kind: string): NumberSource {
  return kind === 'booleans' ? Uint8Array.from(data, Number) : data;
}

function readNested(fn: string, name: string, input: readonly unknown[], booleans: boolean): PlainArray {
  const shape: number[] = [];
  for (let level: unknown = input; Array.isArray(level); level = level[0]) shape.push(level.length);
  const leaves: unknown[] = [];
  collect(fn, name, input, shape, 0, leaves);
  const kind = listKind(fn, name, leaves, booleans);
  return { shape, kind, data: asNumbers(leaves as number[], kind) };
}

function collect(
  fn: string,
  name: string,
  level: readonly unknown[],
  shape: readonly number[],
  depth: number,
  leaves: unknown[],
): void {
  if (level.length !== shape[depth]) ragged(fn, name, depth, `${shape[depth]} and ${level.length} entries`);
  const inner = depth + 1 < shape.length;
  for (const entry of level) {
    if (Array.isArray(entry) !== inner) ragged(fn, name, depth + 1, `arrays beside ${describe(inner ? entry : leaves[0])}`);
    if (inner) collect(fn, name, entry as unknown[], shape, depth + 1, leaves);
    else leaves.push(entry);
  }
}

function ragged(fn: string, name: string, depth: number, got: string): never {
  fail('shape', fn, `${name} must not be ragged: arrays at one depth have one length, got ${got} at depth ${depth}`);
}
