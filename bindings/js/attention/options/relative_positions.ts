/** The options `relativeKeys` and `relativeValues` (Shaw, Uszkoreit, Vaswani 2018, arXiv:1803.02155 §3). */
import { fail } from '../../errors/errors.ts';
import type { Biases } from './biases.ts';
import type { ReadScore } from './scores.ts';
import { readRelativeTable } from './tables.ts';
import type { RelativeRows } from '../types/options.ts';

/** LaTeX of what is added to k_j and v_j, '' for nothing. */
export interface RelativeTerms {
  readonly key: string;
  readonly value: string;
}

export const NO_TERMS: RelativeTerms = { key: '', value: '' };

export function readRelativePositions(
  to: Biases,
  keys: RelativeRows | undefined,
  values: RelativeRows | undefined,
  score: ReadScore | null,
): RelativeTerms {
  const { heads, width, valueWidth } = to.sizes;
  if (score !== null && score.variantPart !== null && keys !== undefined)
    fail('option', to.fn, 'relativeKeys go with scores that are products of q and k, got an additive score');
  const read = (name: 'relativeKeys' | 'relativeValues', letter: string, rows: unknown, row: number): string => {
    if (rows === undefined) return '';
    return ` + r^${letter}_{${readRelativeTable(to, name, name, rows, heads, [row], `, D${letter.toLowerCase()}`)}}`;
  };
  return { key: read('relativeKeys', 'K', keys, width), value: read('relativeValues', 'V', values, valueWidth) };
}
