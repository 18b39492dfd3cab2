/** Reading of options shared by the functions of `fovea/position`. */
import { fail } from '../errors/errors.ts';
import { checkFinite, checkInteger } from '../errors/options.ts';
import { readIntegerArray, type IntegerOperand } from '../tensor/integer_arrays.ts';

/** Positions stay far enough from 2^31 for the core's 32-bit sums. */
const MAX_POSITION = 2 ** 29;

export function checkPositive(fn: string, name: string, value: unknown): asserts value is number {
  checkFinite(fn, name, value);
  if (value <= 0) fail('value', fn, `${name} must be above 0, got ${value}`);
}

export function readCount(fn: string, name: string, count: unknown, least: number): number {
  checkInteger(fn, name, count, least, MAX_POSITION);
  return count;
}

/** The first position; `to` is the last that may be, where `tokens` follow each other. */
export function readStart(fn: string, start: unknown, tokens: number, from = -MAX_POSITION, to = 2 * MAX_POSITION): number {
  if (start === undefined) start = 0;
  checkInteger(fn, 'start', start, from, Math.max(from, Math.min(MAX_POSITION, to - tokens + 1)));
  return start;
}

/** Integers [T] or [B, T] from `from` to `to`. */
export function readPositions(fn: string, positions: unknown, from = -MAX_POSITION, to = MAX_POSITION): IntegerOperand {
  const read = readIntegerArray(fn, 'positions', positions, from, to);
  const rank = read.shape.length;
  if (rank !== 1 && rank !== 2) fail('shape', fn, `positions must be [T] or [B, T], got ${rank} axes`);
  return read;
}
