/** Nested JavaScript arrays, and lists of equally long typed arrays, as shape and numbers. */
import { describe, fail } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';
import { shapeProperty } from '../errors/objects.ts';
import { MAX_RANK, sizeOf } from './shapes.ts';
import { copyInto, typedArrayKind, typedArrayLength, zeros, type NumberSource } from './typed_arrays.ts';

export interface PlainArray {
  readonly shape: number[];
  /** The shape's numbers: a list of our own, or the caller's typed array. */
  readonly data: NumberSource;
  /** 'Float32Array', 'Uint8Array', ... or 'numbers' or 'booleans' for what came as a JavaScript array. */
  readonly kind: string;
}

/**
 * The purpose of the numbers. 'mask': booleans, too. 'integers': ids and lengths, which a BigInt64Array or a Uint16Array may hold.
 * 'stored': what a file may hold, its 16-bit floats as bits.
 */
export type Meaning = 'numbers' | 'mask' | 'integers' | 'stored';

/** The part of a nested array read so far. */
interface Reading {
  readonly fn: string;
  readonly name: string;
  readonly meaning: Meaning;
  readonly shape: number[];
  /** Whether the first entry of all levels has been reached: from there on the shape only repeats. */
  known: boolean;
  /** The array's leaves; both stay empty where an axis is. */
  readonly leaves: (number | boolean)[];
  readonly rows: NumberSource[];
}

export function readNested(fn: string, name: string, input: readonly unknown[], meaning: Meaning): PlainArray {
  const reading: Reading = { fn, name, meaning, shape: [], known: false, leaves: [], rows: [] };
  readLevel(reading, input, 0);
  const { shape, leaves, rows } = reading;
  if (rows.length > 0) return joinRows(reading);
  if (typeof leaves[0] !== 'boolean') return { shape, data: leaves as number[], kind: 'numbers' };
  const data = zeros(fn, 'Uint8Array', leaves.length);
  for (let i = 0; i < data.length; i++) data[i] = Number(leaves[i]);
  return { shape, data, kind: 'booleans' };
}

function readLevel(reading: Reading, level: readonly unknown[], depth: number): void {
  const { fn, name, shape } = reading;
  if (depth === MAX_RANK) fail('shape', fn, `${name} must have at most ${MAX_RANK} axes, got arrays nested deeper`);
  const length = level.length;
  matchLength(reading, depth, length);
  if (length === 0) reading.known = true;
  for (let i = 0; i < length; i++) {
    const entry = level[i];
    const isLevel = isList(entry);
    const isInner = isLevel || typedArrayKind(entry) !== undefined;
    if (reading.known && isInner !== depth + 1 < shape.length)
      ragged(reading, depth + 1, `arrays beside ${describe(isInner ? (reading.leaves[0] ?? reading.rows[0]) : entry)}`);
    if (isLevel) readLevel(reading, entry, depth + 1);
    else if (isInner) readRow(reading, entry as NumberSource, depth + 1);
    else readLeaf(reading, entry);
  }
}

function matchLength(reading: Reading, depth: number, length: number): void {
  const { shape } = reading;
  if (!reading.known) shape.push(length);
  else if (shape[depth] !== length) ragged(reading, depth, `${shape[depth]} and ${length} entries`);
}

function readLeaf(reading: Reading, entry: unknown): void {
  const { leaves } = reading;
  const type = typeof (leaves.length === 0 ? entry : leaves[0]);
  const wanted = type === 'boolean' && mayBeBoolean(reading.meaning) ? 'boolean' : 'number';
  if (typeof entry !== wanted) refuseEntry(reading.fn, reading.name, wanted, entry);
  reading.known = true;
  leaves.push(entry as number | boolean);
}

/** A copy of a row at once, as nothing keeps the caller from shortening it later. */
function readRow(reading: Reading, row: NumberSource, depth: number): void {
  const { fn, name, shape, rows } = reading;
  if (shapeProperty(row) !== undefined) fail('shape', fn, `${name} must be a list of rows, got ${describe(row)}`);
  const length = typedArrayLength(row);
  matchLength(reading, depth, length);
  if (reading.known && depth + 1 < shape.length) ragged(reading, depth + 1, `arrays beside ${describe(row)}`);
  reading.known = true;
  const kind = typedArrayKind(row)!;
  if (kind.startsWith('Big') || kind === 'Uint16Array')
    fail(
      'value',
      fn,
      `${name} must be a list of typed arrays of floats or small integers, got ${describe(row)}; pass { data, shape }`,
    );
  const copy = zeros(fn, kind, length);
  copyInto(fn, copy, row);
  rows.push(copy);
}

function joinRows({ fn, shape, rows }: Reading): PlainArray {
  const kinds = new Set(rows.map(typedArrayKind));
  const kind = kinds.size === 1 ? typedArrayKind(rows[0])! : 'Float64Array';
  const data = zeros(fn, kind, sizeOf(shape));
  const width = shape.at(-1)!;
  rows.forEach((row, n) => data.set(row, n * width));
  return { shape, data, kind };
}

export function mayBeBoolean(meaning: Meaning): boolean {
  return meaning === 'mask' || meaning === 'stored';
}

export function refuseEntry(fn: string, name: string, wanted: string, entry: unknown): never {
  fail('value', fn, `${name} must hold ${wanted}s only, got ${describe(entry)}`);
}

function ragged({ fn, name }: Reading, depth: number, got: string): never {
  fail('shape', fn, `${name} must not be ragged: arrays at one depth have one length, got ${got} at depth ${depth}`);
}
