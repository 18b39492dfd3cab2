/** Numbers that convolution and pooling share: padding before and after the tokens, and how many windows there are. */
import { describe, fail } from '../errors/errors.ts';
import { checkInteger, isList, readEntries } from '../errors/options.ts';

/** Zeros (conv1d) or nothing (pooling) before and after the tokens: the same number, or [before, after]. */
export type Padding = number | readonly [number, number];

const MOST = 2 ** 20;

export function readPositive(fn: string, name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  checkInteger(fn, name, value, 1, MOST);
  return value;
}

export function readPadding(fn: string, padding: Padding, most = MOST): readonly [number, number] {
  const pair: unknown = typeof padding === 'number' ? [padding, padding] : padding;
  if (!isList(pair) || pair.length !== 2)
    return fail('value', fn, `padding must be a number or [before, after], got ${describe(padding)}`);
  return readEntries(fn, 'padding', pair, (one) => {
    checkInteger(fn, 'padding', one, 0, most);
    return one;
  }) as [number, number];
}

/** Windows of `reach` positions, `stride` apart, that fit into `positions`; an error where none does. */
export function countWindows(fn: string, positions: number, reach: number, stride: number): number {
  if (positions < reach)
    fail('shape', fn, `the kernel must fit into the padded tokens, got one that reaches over ${reach} of ${positions}`);
  return Math.floor((positions - reach) / stride) + 1;
}
