/** Patterns of places alone: bands, blocks, and positions that see all. Documented in builders.ts. */
import { readIntegers } from '../tensor/number_lists.ts';
import { MAX_DIM } from './limits.ts';
import { concat, leaf, listText, OP, type Node } from './nodes.ts';
import { checkInteger } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';

export function all(): Node {
  return leaf(OP.all, [], 'all', ['all']);
}

export function causal(): Node {
  return leaf(OP.band, [-1, 0], 'causal', ['causal']);
}

/** -1 = unbounded on that side; `name` where one number stands for both. */
export function window(fn: string, left: number, right: number, name?: string): Node {
  checkInteger(fn, name ?? 'left', left, -1, Infinity);
  checkInteger(fn, name ?? 'right', right, -1, Infinity);
  const operands = [Math.min(left, 2 * MAX_DIM), Math.min(right, 2 * MAX_DIM)];
  return leaf(OP.band, operands, `window(${left}, ${right})`, ['window', left, right]);
}

export function atrous(fn: string, k: number): Node {
  checkInteger(fn, 'k', k, 1, MAX_DIM);
  return leaf(OP.atrous, [k], `atrous(${k})`, ['atrous', k]);
}

/** Keys of the query's own block, of `left` blocks before it and of `right` after it. */
export function blocks(fn: string, size: number, left: number, right: number): Node {
  checkInteger(fn, 'size', size, 1, MAX_DIM);
  checkInteger(fn, 'left', left, -1, MAX_DIM);
  checkInteger(fn, 'right', right, -1, MAX_DIM);
  const alone = left === 0 && right === 0;
  const text = alone ? `block(${size})` : `blocks(${size}, ${left}, ${right})`;
  return leaf(OP.blocks, [size, left, right], text, alone ? ['block', size] : ['blocks', size, left, right]);
}

/** Keys from `from` up to `to` of every `period`, for all queries. */
export function columns(fn: string, period: number, from: number, to: number): Node {
  checkInteger(fn, 'period', period, 1, MAX_DIM);
  checkInteger(fn, 'to', to, 1, period);
  checkInteger(fn, 'from', from, 0, to - 1);
  return leaf(OP.periodicKeys, [period, from, to], `columns(${period}, ${from}, ${to})`, ['columns', period, from, to]);
}

export function blockDiagonal(fn: string, given: unknown): Node {
  const lengths = readIntegers(fn, 'lengths', given, 0, MAX_DIM);
  if (lengths.length === 0) fail('value', fn, 'lengths must be at least one, got none');
  const bounds = [0];
  for (const length of lengths) bounds.push(bounds.at(-1)! + length);
  const whole = bounds.at(-1)!;
  checkInteger(fn, 'the sum of the lengths', whole, 0, MAX_DIM);
  const constraint = { part: 'pattern.blockDiagonal', rows: whole, keys: whole };
  const operands = [lengths.length, ...bounds];
  return leaf(OP.segments, operands, `blockDiagonal(${listText(lengths)})`, ['blockDiagonal', lengths], { constraint });
}

export function globalTokens(fn: string, given: unknown): Node {
  const indices = Int32Array.from(new Set(readIntegers(fn, 'indices', given, 0, MAX_DIM))).sort();
  const text = `globalTokens(${listText(indices)})`;
  return leaf(OP.global, concat([indices.length], indices), text, ['globalTokens', indices]);
}
