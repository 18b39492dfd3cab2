/** The options `relativeKeys` and `relativeValues` (Shaw, Uszkoreit, Vaswani 2018, arXiv:1803.02155 §3). */
import type { Instance } from './instance.ts';
import type { Sizes } from './layout.ts';
import type { Operand } from './operands.ts';
import type { AxisPart } from './rules.ts';
import { readRelativeTable } from './tables.ts';
import type { AttentionOptions } from './types.ts';

export interface RelativePositions {
  readonly parts: readonly AxisPart[];
  readonly tables: readonly Operand[];
  /** LaTeX of what is added to k_j and v_j, '' for nothing. */
  readonly key: string;
  readonly value: string;
}

export function readRelativePositions(
  instance: Instance,
  fn: string,
  { relativeKeys, relativeValues }: Pick<AttentionOptions, 'relativeKeys' | 'relativeValues'>,
  { heads, width, valueWidth }: Sizes,
): RelativePositions {
  const parts: AxisPart[] = [];
  const tables: Operand[] = [];
  let key = '';
  let value = '';
  if (relativeKeys !== undefined) {
    const { table, head, clip } = readRelativeTable(instance, fn, 'relativeKeys', relativeKeys, heads, [width], ', Dk');
    tables.push(table);
    key = ` + r^K_{${clippedDistance(clip)}}`;
    parts.push((frame) => {
      const span = frame.place(table);
      return () => ({ relativeKeys: span.address, relativeKeysHead: head, relativeKeysClip: clip });
    });
  }
  if (relativeValues !== undefined) {
    const { table, head, clip } = readRelativeTable(
      instance,
      fn,
      'relativeValues',
      relativeValues,
      heads,
      [valueWidth],
      ', Dv',
    );
    tables.push(table);
    value = ` + r^V_{${clippedDistance(clip)}}`;
    parts.push((frame) => {
      const span = frame.place(table);
      return () => ({ relativeValues: span.address, relativeValuesHead: head, relativeValuesClip: clip });
    });
  }
  return { parts, tables, key, value };
}

/** LaTeX of the distance cut to [-clip, clip]. */
export function clippedDistance(clip: number): string {
  return `\\operatorname{clip}(j - p_i, \\pm ${clip})`;
}
