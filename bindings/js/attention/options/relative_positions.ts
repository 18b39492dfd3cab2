/** The options `relativeKeys` and `relativeValues` (Shaw, Uszkoreit, Vaswani 2018, arXiv:1803.02155 §3). */
import type { Sizes } from './layout.ts';
import { readRelativeTable, type Tables } from './tables.ts';
import type { AttentionOptions } from '../types/options.ts';

/** LaTeX of what is added to k_j and v_j, '' for nothing. */
export interface RelativeTerms {
  readonly key: string;
  readonly value: string;
}

const NO_TERMS: RelativeTerms = { key: '', value: '' };

export function readRelativePositions(
  to: Tables,
  options: Pick<AttentionOptions, 'relativeKeys' | 'relativeValues'>,
  { heads, width, valueWidth }: Sizes,
): RelativeTerms {
  if (options.relativeKeys === undefined && options.relativeValues === undefined) return NO_TERMS;
  const read = (name: keyof typeof options, letter: string, row: number): string => {
    if (options[name] === undefined) return '';
    return ` + r^${letter}_{${readRelativeTable(to, name, name, options[name], heads, [row], `, D${letter.toLowerCase()}`)}}`;
  };
  return { key: read('relativeKeys', 'K', width), value: read('relativeValues', 'V', valueWidth) };
}
