/** What the functions of `fovea/position` share. */
import { POSITION_BLOCKS } from './abi.ts';
import { readPlain, typedArrayKind } from '../arrays.ts';
import { fail } from '../errors.ts';
import type { Frame, Span } from '../frame.ts';
import { checkFinite, checkInteger } from '../options.ts';
import { checkedTools, type Tools } from '../recurrent/tools.ts';

export type { Tools } from '../recurrent/tools.ts';

/** Positions stay far enough from 2^31 for the core's 32-bit sums. */
const FARTHEST = 2 ** 29;

export function positionTools(fn: string, fovea: unknown): Tools {
  return checkedTools(fn, fovea, 'positionAbiHash', POSITION_BLOCKS, 'fovea/position');
}

/** Numbers as doubles: what float32 would round. */
export function placeDoubles(frame: Frame, numbers: readonly number[]): Span {
  return frame.placeIntegers(new Int32Array(Float64Array.from(numbers).buffer));
}

export function checkPositive(fn: string, name: string, value: unknown): asserts value is number {
  checkFinite(fn, name, value);
  if (value <= 0) fail('value', fn, `${name} must be above 0, got ${value}`);
}

export function readCount(fn: string, name: string, count: unknown, least: number): number {
  checkInteger(fn, name, count, least, FARTHEST);
  return count;
}

/** The first position; `to` is the last that may be, where `tokens` follow each other. */
export function readStart(fn: string, start: unknown, tokens: number, from = -FARTHEST, to = 2 * FARTHEST): number {
  if (start === undefined) start = 0;
  checkInteger(fn, 'start', start, from, Math.max(from, Math.min(FARTHEST, to - tokens + 1)));
  return start;
}

/** Positions of each token, for all sequences or of each. */
export interface Positions {
  readonly ids: Int32Array;
  readonly shape: readonly number[];
}

/** Integers [T] or [B, T] from `from` to `to`. */
export function readPositions(fn: string, positions: unknown, from = -FARTHEST, to = FARTHEST): Positions {
  const bare = typedArrayKind(positions) !== undefined;
  const { data, shape } = readPlain(
    fn,
    'positions',
    bare ? { data: positions, shape: [(positions as Int32Array).length] } : positions,
  );
  if (shape.length !== 1 && shape.length !== 2) fail('shape', fn, `positions must be [T] or [B, T], got ${shape.length} axes`);
  for (let n = 0; n < data.length; n++) checkInteger(fn, `positions[${n}]`, data[n], from, to);
  return { ids: Int32Array.from(data), shape };
}
