/** Learned tables and numbers in options: read whole and checked, as they are small beside what they are used on. */
import { describe, fail } from './errors.ts';
import type { Instance } from './instance.ts';
import { plainOperand, readOperand, type Operand } from './operands.ts';
import { checkInteger, isPlainObject, readOptions } from './options.ts';
import { formatShape, sameShape, sizeOf, type Shape } from './shapes.ts';
import { gather } from './strided.ts';

/** Finite float32 numbers in row-major order: an operand to be placed, which occupies what was given. */
export function readTable(instance: Instance, fn: string, name: string, input: unknown): Operand {
  const { shape, strides, address, data, occupies } = readOperand(instance, fn, name, input);
  const numbers = address === null ? Float32Array.from(data) : new Float32Array(sizeOf(shape));
  if (address !== null) gather(instance.heap, address, shape, strides, numbers);
  const broken = numbers.findIndex((x) => !Number.isFinite(x));
  if (broken >= 0)
    fail('value', fn, `${name} must hold finite numbers (in float32), got ${numbers[broken]} at place ${broken}`);
  return plainOperand(name, shape, numbers, 'Float32Array', occupies);
}

/** The entries of an option that is an object, such as { table, clip }. */
export function readEntries<T extends object>(
  fn: string,
  name: string,
  given: unknown,
  names: readonly (keyof T & string)[],
): T {
  if (isPlainObject(given)) return readOptions<T>(fn, given as T, names);
  return fail('option', fn, `${name} must be { ${names.join(', ')} }, got ${describe(given)}`);
}

/** A table by clipped distance: row clip(j - p, -clip, clip) + clip of it is that of key j for a query at position p. */
export interface RelativeTable {
  readonly table: Operand;
  /** Floats from one query head's table to the next; 0 where they share one. */
  readonly head: number;
  readonly clip: number;
}

/** Reads { table, clip } with rows of the shape `row`, which `letters` spell: '' or ', Dk'. */
export function readRelativeTable(
  instance: Instance,
  fn: string,
  name: string,
  given: unknown,
  heads: number,
  row: Shape,
  letters: string,
): RelativeTable {
  const { table: input, clip } = readEntries<{ table: unknown; clip: unknown }>(fn, name, given, ['table', 'clip']);
  checkInteger(fn, `${name}.clip`, clip, 0, Infinity);
  const table = readTable(instance, fn, `${name}.table`, input);
  const shared = [2 * clip + 1, ...row];
  const perHead = sameShape(table.shape, [heads, ...shared]);
  if (!perHead && !sameShape(table.shape, shared)) {
    const wanted = `[2·clip + 1${letters}] = ${formatShape(shared)}, or [H, 2·clip + 1${letters}] = ${formatShape([heads, ...shared])}`;
    fail('shape', fn, `${name}.table must be ${wanted}, got ${formatShape(table.shape)}`);
  }
  return { table, head: perHead ? sizeOf(shared) : 0, clip };
}
