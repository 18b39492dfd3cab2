/** Learned tables and numbers in options: read whole and checked, as they are small beside what they are used on. */
import type { VariantBlock } from '../../../../build/generated/blocks/variant.ts';
import { describe, fail } from '../../errors/errors.ts';
import type { Instance } from '../../runtime/instance.ts';
import { plainOperand, readOperand, type Operand } from '../../tensor/operands.ts';
import { checkInteger, isPlainObject, readOptions } from '../../errors/options.ts';
import type { Sizes } from './layout.ts';
import type { VariantPart } from './variant_part.ts';
import type { GaussianFactor } from '../types/weight_scale.ts';
import { broadcastStrides, formatShape, sameShape, sizeOf, type Shape } from '../../tensor/shapes.ts';
import { gather } from '../../tensor/strided.ts';
import { isTensor } from '../../tensor/tensor.ts';
import { copyInto, zeros } from '../../tensor/typed_arrays.ts';

/** Collects the tables of a call, and the fields of the block that point to them. */
export interface Tables {
  readonly instance: Instance;
  readonly fn: string;
  readonly parts: VariantPart[];
  readonly tables: Operand[];
}

/** Finite float32 numbers in row-major order: an operand to be placed, which occupies what was given. */
export function readTable(
  { instance, fn, tables }: Pick<Tables, 'instance' | 'fn' | 'tables'>,
  name: string,
  input: unknown,
): Operand {
  const { recorder } = instance;
  // A recorded copy leads gradients to the Tensor.
  const source = recorder && isTensor(input) ? input.clone() : input;
  const { shape, strides, address, data, occupies } = readOperand(instance, fn, name, source);
  const numbers = zeros(fn, 'Float32Array', sizeOf(shape));
  if (address === null) copyInto(fn, numbers, data);
  else gather(instance.heap, address, shape, strides, numbers);
  const broken = numbers.findIndex((x) => !Number.isFinite(x));
  if (broken >= 0)
    fail('value', fn, `${name} must hold finite numbers (in float32), got ${numbers[broken]} at index ${broken}`);
  const table = { ...plainOperand(name, shape, numbers, 'Float32Array', occupies), address: recorder && address };
  tables.push(table);
  return table;
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

/** The block's field `field` is where the table is; those of `others` are `field` and their own name. */
export function addTable(
  { parts }: Tables,
  field: keyof VariantBlock,
  table: Operand,
  others: Readonly<Record<string, number>>,
): void {
  parts.push((arena) => {
    const ptr = arena.place(table);
    return () => ({
      [field]: ptr.address,
      ...Object.fromEntries(Object.entries(others).map(([name, value]) => [field + name, value])),
    });
  });
}

/** Like `addTable`, for an array that broadcasts to the axes of `lengths`: its strides are the fields, and `rule` ends the message. */
export function addBroadcast(
  to: Tables,
  field: keyof VariantBlock,
  table: Operand,
  lengths: Readonly<Record<string, number>>,
  rule: string,
): void {
  const target = Object.values(lengths);
  const strides = broadcastStrides(table.shape, table.strides, target);
  if (strides === null)
    fail('shape', to.fn, `${table.name} must ${rule} = ${formatShape(target)}, got ${formatShape(table.shape)}`);
  addTable(to, field, table, Object.fromEntries(Object.keys(lengths).map((axis, n) => [axis, strides[n]!])));
}

/** Reads { center, sigma }: numbers, or arrays that broadcast to [B, H, Tq]; the block's fields are `fields`. */
export function readGaussian(
  to: Tables,
  name: string,
  fields: readonly [keyof VariantBlock, keyof VariantBlock],
  given: unknown,
  { batch, heads, queries }: Pick<Sizes, 'batch' | 'heads' | 'queries'>,
): void {
  const names = ['center', 'sigma'] as const;
  const read = readEntries<GaussianFactor>(to.fn, name, given, names);
  for (const [n, entry] of names.entries()) {
    const value: unknown = read[entry];
    const table = readTable(to, `${name}.${entry}`, typeof value === 'number' ? [value] : value);
    const lengths = { Batch: batch, Head: heads, Query: queries };
    addBroadcast(to, fields[n]!, table, lengths, 'be a number or broadcast to [B, H, Tq]');
    const broken = n === 0 ? undefined : (Array.prototype.find.call(table.data, (x: number) => !(x > 0)) as number | undefined);
    if (broken !== undefined) fail('value', to.fn, `${name}.sigma must be greater than 0 (in float32), got ${broken}`);
  }
}

/**
 * Reads { table, clip }: a row of the shape `row`, which `letters` spell, for each distance clip(j - p, -clip, clip), of all
 * query heads or of each. Returns the distance in LaTeX.
 */
export function readRelativeTable(
  to: Tables,
  name: string,
  field: 'relativeBias' | 'relativeKeys' | 'relativeValues',
  given: unknown,
  heads: number,
  row: Shape,
  letters: string,
): string {
  const { table: input, clip } = readEntries<{ table: unknown; clip: unknown }>(to.fn, name, given, ['table', 'clip']);
  checkInteger(to.fn, `${name}.clip`, clip, 0, Infinity);
  const table = readTable(to, `${name}.table`, input);
  const shared = [2 * clip + 1, ...row];
  const perHead = sameShape(table.shape, [heads, ...shared]);
  if (!perHead && !sameShape(table.shape, shared)) {
    const wanted = `[2·clip + 1${letters}] = ${formatShape(shared)}, or [H, 2·clip + 1${letters}] = ${formatShape([heads, ...shared])}`;
    fail('shape', to.fn, `${name}.table must be ${wanted}, got ${formatShape(table.shape)}`);
  }
  addTable(to, field, table, { Head: perHead ? sizeOf(shared) : 0, Clip: clip });
  return `\\operatorname{clip}(j - p_i, \\pm ${clip})`;
}
