/**
 * Reading plain array arguments: `{ data, shape }`, `{ data, dims }`, nested arrays and lists of typed arrays. Every property and
 * entry is read once. Tensors are read in operands.ts.
 */
import { describe, fail } from '../errors/errors.ts';
import { isList, isPlainObject, readProperty } from '../errors/options.ts';
import { decodeHalves } from './float16.ts';
import { mayBeBoolean, readNested, refuseEntry, type Meaning, type PlainArray } from './nested_arrays.ts';
import { formatShape, MAX_RANK, sizeOf } from './shapes.ts';
import { copyOf, typedArrayKind, typedArrayLength, zeros, type NumberSource } from './typed_arrays.ts';

const RULE = 'must be { data, shape }, a nested array or a Tensor';

/** The meaning of a Uint16Array's numbers, by `dtype` (ours, fovea/files') or `type` (onnxruntime's, transformers.js's). */
const UINT16_DTYPES: Readonly<Record<string, 'F16' | 'BF16' | null>> = {
  float16: 'F16',
  F16: 'F16',
  bfloat16: 'BF16',
  BF16: 'BF16',
  uint16: null,
  U16: null,
};

export function readPlain(fn: string, name: string, input: unknown, meaning: Meaning = 'numbers'): PlainArray {
  if (isList(input)) return readNested(fn, name, input, meaning);
  if (typedArrayKind(input) !== undefined) fail('shape', fn, `${name} ${RULE}, got ${describe(input)} without a shape`);
  const [given, source] = isPlainObject(input) ? [shapeOf(input), readProperty(input, 'data')] : [undefined, undefined];
  if (given === undefined || source === undefined) return fail('value', fn, `${name} ${RULE}, got ${describe(input)}`);
  const shape = readShape(fn, `${name}.shape`, given);
  const size = sizeOf(shape);
  if (isList(source)) return readList(fn, name, source, shape, size, meaning);
  const kind = typedArrayKind(source);
  if (kind === undefined)
    return fail('value', fn, `${name}.data must be a typed array or an array of numbers, got ${describe(source)}`);
  checkLength(fn, name, typedArrayLength(source), shape, size);
  // A detached array has no numbers either, and throws where it is copied.
  const data: unknown = size === 0 ? zeros(fn, kind, 0) : source;
  if (kind.startsWith('Big') && meaning !== 'stored') return readBigInts(fn, name, data as BigInt64Array, shape, kind, meaning);
  const half =
    kind === 'Uint16Array' && (meaning === 'numbers' || meaning === 'mask') ? halfOf(fn, name, input as object) : null;
  if (half === null) return { shape, data: data as NumberSource, kind };
  return { shape, data: decodeHalves(copyOf(fn, data as NumberSource) as never, half), kind: 'Float16Array' };
}

/** A shape of at most 64 axes. */
export function readShape(fn: string, name: string, shape: unknown): number[] {
  const kind = typedArrayKind(shape);
  if (kind === undefined && !isList(shape)) return refuseShape(fn, name, shape);
  const list = shape as readonly unknown[];
  const length = kind === undefined ? list.length : typedArrayLength(list);
  if (length > MAX_RANK) fail('shape', fn, `${name} must have at most ${MAX_RANK} axes, got ${length}`);
  const own: number[] = [];
  for (let axis = 0; axis < length; axis++) {
    const entry = list[axis];
    if (!Number.isSafeInteger(entry) || (entry as number) < 0) return refuseShape(fn, name, shape);
    own.push((entry as number) + 0); // not -0
  }
  return own;
}

function refuseShape(fn: string, name: string, shape: unknown): never {
  fail('shape', fn, `${name} must be an array of integers of at least 0, got ${describe(shape)}`);
}

/** `shape`, or `dims` as onnxruntime's and transformers.js's tensors have it. */
function shapeOf(input: object): unknown {
  const shape = readProperty(input, 'shape');
  return shape === undefined ? readProperty(input, 'dims') : shape;
}

function checkLength(fn: string, name: string, length: number, shape: readonly number[], size: number): void {
  if (length !== size) fail('shape', fn, `${name}'s data must fill its shape, got ${length} numbers for ${formatShape(shape)}`);
}

/** A copy of a JavaScript array's entries. */
function readList(
  fn: string,
  name: string,
  list: readonly unknown[],
  shape: number[],
  size: number,
  meaning: Meaning,
): PlainArray {
  checkLength(fn, name, list.length, shape, size);
  const first = size === 0 ? 0 : list[0];
  const wanted = mayBeBoolean(meaning) && typeof first === 'boolean' ? 'boolean' : 'number';
  if (typeof first !== wanted) refuseEntry(fn, name, wanted, first);
  const data = zeros(fn, wanted === 'boolean' ? 'Uint8Array' : 'Float64Array', size);
  for (let i = 0; i < size; i++) {
    const entry = i === 0 ? first : list[i];
    if (typeof entry !== wanted) refuseEntry(fn, name, wanted, entry);
    data[i] = entry as number;
  }
  return { shape, data, kind: `${wanted}s` };
}

/** 64-bit integers as numbers, where integers are meant. */
function readBigInts(
  fn: string,
  name: string,
  data: BigInt64Array,
  shape: number[],
  kind: string,
  meaning: Meaning,
): PlainArray {
  if (meaning !== 'integers')
    fail('value', fn, `${name}.data must hold numbers, got a ${kind}; convert its entries with Number()`);
  const numbers = zeros(fn, 'Float64Array', typedArrayLength(data));
  for (let i = 0; i < numbers.length; i++) numbers[i] = Number(data[i]);
  return { shape, data: numbers, kind: 'numbers' };
}

/** Which 16-bit floats a Uint16Array holds, as the object beside it says; null where they are integers. */
function halfOf(fn: string, name: string, input: object): 'F16' | 'BF16' | null {
  const dtype = readProperty(input, 'dtype') ?? readProperty(input, 'type');
  if (typeof dtype === 'string' && Object.hasOwn(UINT16_DTYPES, dtype)) return UINT16_DTYPES[dtype]!;
  return fail(
    'value',
    fn,
    `${name}.data is a Uint16Array, whose numbers are float16 bits or integers: pass dtype: 'float16' or 'uint16' beside it, got ${describe(dtype)}`,
  );
}
