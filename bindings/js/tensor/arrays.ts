/**
 * Reading plain array arguments: `{ data, shape }`, also with strides, `{ data, dims }`, nested arrays and lists of typed arrays. Every
 * property and entry is read once. Tensors are read in operands.ts.
 */
import { describe, fail } from '../errors/errors.ts';
import { readProperty, shapeProperty, tagOf } from '../errors/objects.ts';
import { isList, isObject } from '../errors/options.ts';
import { decodeHalves } from './float16.ts';
import { mayBeBoolean, readNested, refuseEntry, type Meaning, type PlainArray } from './nested_arrays.ts';
import { forEachRow, formatShape, isContiguous, MAX_RANK, rowMajor, sizeOf, type Shape } from './shapes.ts';
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
  if (typedArrayKind(input) !== undefined) {
    const without = shapeProperty(input as object) === undefined ? ' without a shape' : '';
    fail('shape', fn, `${name} ${RULE}, got ${describe(input)}${without}`);
  }
  const [given, source] = isObject(input) ? [shapeOf(input), readProperty(input, 'data')] : [undefined, undefined];
  if (given === undefined || source === undefined || typeof source === 'function')
    return fail('value', fn, `${name} ${RULE}, got ${describe(input)}${remedyOf(input)}`);
  const shape = readShape(fn, `${name}.shape`, given);
  const size = sizeOf(shape);
  const walk = readWalk(fn, name, input as object, shape);
  const list = isList(source) ? readList(fn, name, source, shape, walk, meaning) : null;
  const stored: unknown = list === null ? source : list.data;
  const kind = typedArrayKind(stored);
  if (kind === undefined)
    return fail('value', fn, `${name}.data must be a typed array or an array of numbers, got ${describe(source)}`);
  if (list === null) checkReach(fn, name, typedArrayLength(stored), shape, walk);
  // A detached array has no numbers either, and throws where it is copied.
  const data: unknown =
    size === 0 ? zeros(fn, kind, 0) : walk === null ? stored : inRowMajor(fn, stored as NumberSource, kind, shape, walk);
  if (list !== null) return { shape, data: data as NumberSource, kind: list.kind };
  if (kind.startsWith('Big') && meaning !== 'stored') return readBigInts(fn, name, data as BigInt64Array, shape, kind, meaning);
  const half =
    kind === 'Uint16Array' && (meaning === 'numbers' || meaning === 'mask') ? halfOf(fn, name, input as object) : null;
  if (half === null) return { shape, data: data as NumberSource, kind };
  return { shape, data: decodeHalves(copyOf(fn, data as NumberSource) as never, half), kind: 'Float16Array' };
}

/** Says what to pass in place of an object of the package's own that is no array here. */
function remedyOf(input: unknown): string {
  const tag = tagOf(input);
  if (tag === 'RemoteTensor') return ' (it lives in a worker: pass await x.toArray())';
  return tag === 'KvCache' ? ' (it stands for keys and values: attention(q, cache, options))' : '';
}

/** A shape of at most 64 axes. */
export function readShape(fn: string, name: string, shape: unknown): number[] {
  return readAxes(fn, name, shape, 0, 'integers of at least 0');
}

/** One integer, not less than `least`, for each of at most 64 axes. */
function readAxes(fn: string, name: string, given: unknown, least: number, rule: string): number[] {
  const refuse = (): never => fail('shape', fn, `${name} must be an array of ${rule}, got ${describe(given)}`);
  const kind = typedArrayKind(given);
  if (kind === undefined && !isList(given)) return refuse();
  const list = given as readonly unknown[];
  const length = kind === undefined ? list.length : typedArrayLength(list);
  if (length > MAX_RANK) fail('shape', fn, `${name} must have at most ${MAX_RANK} axes, got ${length}`);
  const own: number[] = [];
  for (let axis = 0; axis < length; axis++) {
    const entry = list[axis];
    if (!Number.isSafeInteger(entry) || (entry as number) < least) return refuse();
    own.push((entry as number) + 0); // not -0
  }
  return own;
}

/** How an array walks its data, in elements: entry [i, j, …] is at offset + i·strides[0] + j·strides[1] + …. */
interface Walk {
  readonly strides: Shape;
  readonly offset: number;
}

/** `stride` and `offset` as ndarray has them, or `strides`; null where there is neither. */
function readWalk(fn: string, name: string, input: object, shape: Shape): Walk | null {
  const stride = readProperty(input, 'stride');
  const given = stride === undefined ? readProperty(input, 'strides') : stride;
  const offset = readProperty(input, 'offset');
  if (given === undefined && offset === undefined) return null;
  const property = `${name}.${stride === undefined ? 'strides' : 'stride'}`;
  const strides = given === undefined ? rowMajor(shape) : readAxes(fn, property, given, -Infinity, 'integers');
  if (strides.length !== shape.length)
    fail('shape', fn, `${property} must have one entry per axis of ${formatShape(shape)}, got ${formatShape(strides)}`);
  if (offset !== undefined && !Number.isSafeInteger(offset))
    fail('shape', fn, `${name}.offset must be an integer, got ${describe(offset)}`);
  return { strides, offset: (offset as number | undefined) ?? 0 };
}

/** A `shape` error for an array whose entries would not be where they are written: in row-major order from the first on. */
export function checkUnstrided(fn: string, name: string, target: object, shape: Shape): void {
  const walk = readWalk(fn, name, target, shape);
  if (walk !== null && (walk.offset !== 0 || !isContiguous(shape, walk.strides)))
    fail(
      'shape',
      fn,
      `${name} must be row-major from its first number on, got strides ${formatShape(walk.strides)} and offset ${walk.offset}`,
    );
}

/** A copy of the entries in row-major order; the data itself where it has them so. */
function inRowMajor(fn: string, data: NumberSource, kind: string, shape: Shape, { strides, offset }: Walk): NumberSource {
  if (offset === 0 && typedArrayLength(data) === sizeOf(shape) && isContiguous(shape, strides)) return data;
  const rows = zeros(fn, kind, sizeOf(shape));
  const width = shape.at(-1) ?? 1;
  const step = strides.at(-1) ?? 0;
  forEachRow(shape, strides, (from, row) => {
    for (let i = 0; i < width; i++) rows[row * width + i] = data[offset + from + i * step]!;
  });
  return rows;
}

/** `shape`, or `dims` as onnxruntime's and transformers.js's tensors have it. */
function shapeOf(input: object): unknown {
  const shape = readProperty(input, 'shape');
  return shape === undefined ? readProperty(input, 'dims') : shape;
}

/** Without strides the data fills the shape; with them every entry lies in it. */
function checkReach(fn: string, name: string, length: number, shape: Shape, walk: Walk | null): void {
  const size = sizeOf(shape);
  if (walk === null) {
    if (length !== size)
      fail('shape', fn, `${name}'s data must fill its shape, got ${length} numbers for ${formatShape(shape)}`);
    return;
  }
  if (size === 0) return;
  const { strides, offset } = walk;
  let [first, last] = [offset, offset];
  shape.forEach((axis, n) => {
    const reach = (axis - 1) * strides[n]!;
    if (reach < 0) first += reach;
    else last += reach;
  });
  if (first >= 0 && last < length) return;
  fail(
    'shape',
    fn,
    `${name}'s strides must stay within its ${length} numbers, got strides ${formatShape(strides)} and offset ${offset} for ${formatShape(shape)}, which reach from ${first} to ${last}`,
  );
}

/** A copy of a JavaScript array's entries. */
function readList(
  fn: string,
  name: string,
  list: readonly unknown[],
  shape: Shape,
  walk: Walk | null,
  meaning: Meaning,
): Pick<PlainArray, 'data' | 'kind'> {
  const size = list.length;
  checkReach(fn, name, size, shape, walk);
  const first = size === 0 ? 0 : list[0];
  const wanted = mayBeBoolean(meaning) && typeof first === 'boolean' ? 'boolean' : 'number';
  if (typeof first !== wanted) refuseEntry(fn, name, wanted, first);
  const data = zeros(fn, wanted === 'boolean' ? 'Uint8Array' : 'Float64Array', size);
  for (let i = 0; i < size; i++) {
    const entry = i === 0 ? first : list[i];
    if (typeof entry !== wanted) refuseEntry(fn, name, wanted, entry);
    data[i] = entry as number;
  }
  return { data, kind: `${wanted}s` };
}

/** 64-bit integers as numbers, where integers are meant; a mask of them is refused by its reader, who knows what booleans mean there. */
function readBigInts(
  fn: string,
  name: string,
  data: BigInt64Array,
  shape: number[],
  kind: string,
  meaning: Meaning,
): PlainArray {
  if (meaning === 'numbers')
    fail('value', fn, `${name}.data must hold numbers, got a ${kind}; convert its entries with Number()`);
  const numbers = zeros(fn, 'Float64Array', typedArrayLength(data));
  for (let i = 0; i < numbers.length; i++) numbers[i] = Number(data[i]);
  return { shape, data: numbers, kind: meaning === 'integers' ? 'numbers' : kind };
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
