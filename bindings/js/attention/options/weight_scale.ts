/** The option `weightScale`: an array of factors, a Gaussian, or a number for each head. */
import { fail } from '../../errors/errors.ts';
import { isPlainObject } from '../../errors/options.ts';
import { formatShape, sameShape } from '../../tensor/shapes.ts';
import { readOperand } from '../../tensor/operands.ts';
import type { Sizes } from './layout.ts';
import { addBroadcast, addTable, readEntries, readGaussian, readTable, type Tables } from './tables.ts';
import type { VariantPart } from './variant_part.ts';

export interface WeightScaleSpec {
  readonly parts: readonly VariantPart[];
  /** LaTeX of the factor of a pair. */
  readonly factor: string;
}

/** Operands are added to the tables of `spec`. */
export function readWeightScale(spec: Tables, given: unknown, sizes: Sizes): WeightScaleSpec {
  const to: Tables = { ...spec, parts: [] };
  return { parts: to.parts, factor: readFactor(to, given, sizes) };
}

function readFactor(to: Tables, given: unknown, { batch, heads, queries, keys }: Sizes): string {
  const { instance, fn } = to;
  const has = (name: string): boolean => isPlainObject(given) && Object.hasOwn(given, name);
  if (has('gaussian')) {
    const { gaussian } = readEntries<{ gaussian: unknown }>(fn, 'weightScale', given, ['gaussian']);
    readGaussian(to, 'weightScale.gaussian', ['weightCenter', 'weightSigma'], gaussian, { batch, heads, queries });
    return '\\exp\\!\\left(-\\frac{(j - \\mu_i)^2}{2 \\sigma_i^2}\\right)';
  }
  if (has('heads')) {
    const table = readTable(
      to,
      'weightScale.heads',
      readEntries<{ heads: unknown }>(fn, 'weightScale', given, ['heads']).heads,
    );
    if (!sameShape(table.shape, [heads]))
      fail('shape', fn, `weightScale.heads must be [H] = [${heads}], got ${formatShape(table.shape)}`);
    addTable(to, 'weightScale', table, { Head: 1, Appended: 1 });
    return 'g_h';
  }
  const operand = readOperand(instance, fn, 'weightScale', given);
  to.tables.push(operand);
  addBroadcast(
    to,
    'weightScale',
    operand,
    { Batch: batch, Head: heads, Query: queries, Key: keys },
    'broadcast to [B, H, Tq, Tk]',
  );
  return '\\omega_{ij}';
}
