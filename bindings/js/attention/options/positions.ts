/** The options that place queries and keys: `window`, `keyLengths`, `causalAlign` and `causalOffset`. */
import { describe, fail } from '../../errors/errors.ts';
import { checkChoice, checkInteger, isList, readEntries } from '../../errors/options.ts';
import { readIntegers } from '../../tensor/number_lists.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import { hasPairs, type Sizes } from './layout.ts';
import type { AttentionOptions } from '../types/options.ts';

/** Positions stay far enough from 2^31 for the core's 32-bit sums. */
const MAX_POSITION = 2 ** 29;

export function readWindow(fn: string, window: unknown, name = 'window'): [number, number] {
  if (!isList(window) || window.length !== 2) fail('value', fn, `${name} must be [left, right], got ${describe(window)}`);
  return readEntries(fn, name, window, (entry, side) => {
    checkInteger(fn, `${name} ${side === 0 ? 'left' : 'right'}`, entry, -1, Infinity);
    return Math.min(entry, 2 * MAX_POSITION);
  }) as [number, number];
}

export function readKeyLengths(fn: string, keyLengths: unknown, { batch, keys }: Pick<Sizes, 'batch' | 'keys'>): Int32Array {
  return readIntegers(fn, 'keyLengths', keyLengths, 0, keys, { length: batch, per: 'batch entry' });
}

/** offset[b] of p(i) = i + offset[b]; null where it is 0 for all. */
export function readOffsets(
  fn: string,
  options: AttentionOptions,
  keyLengths: Int32Array | null,
  sizes: Sizes,
): Int32Array | null {
  const { batch, queries, keys } = sizes;
  const { causalAlign, causalOffset } = options;
  const filled = (value: number): Int32Array | null =>
    hasPairs(sizes) ? (zeros(fn, 'Int32Array', batch) as unknown as Int32Array).fill(value) : null;
  checkChoice(fn, 'causalAlign', causalAlign, ['top-left', 'bottom-right']);
  if (causalOffset === undefined) {
    if (causalAlign !== 'bottom-right') return null;
    return keyLengths === null ? filled(keys - queries) : keyLengths.map((length) => length - queries);
  }
  if (causalAlign !== undefined)
    fail(
      'option',
      fn,
      `causalAlign and causalOffset both place the queries: pass one of them, got causalAlign '${causalAlign}', causalOffset ${describe(causalOffset)}`,
    );
  if (typeof causalOffset !== 'number') {
    const wanted = { length: batch, per: 'batch entry' };
    return readIntegers(fn, 'causalOffset', causalOffset, -MAX_POSITION, MAX_POSITION, wanted);
  }
  checkInteger(fn, 'causalOffset', causalOffset, -MAX_POSITION, MAX_POSITION);
  return filled(causalOffset);
}
