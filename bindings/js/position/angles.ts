/** The angles of rotary positions: which positions there are, and how fast each pair turns, or tables that tell it. */
import { describe, fail } from '../errors.ts';
import type { HeadsShape } from '../layout.ts';
import type { Operand } from '../operands.ts';
import { checkFinite, readOptions } from '../options.ts';
import { readContiguous } from '../recurrent/tools.ts';
import { formatShape, sameShape } from '../shapes.ts';
import { checkPositive, readPositions, readStart, type Positions, type Tools } from './tools.ts';
import type { Llama3Scaling, RotaryOptions } from './types.ts';

export interface Angles {
  readonly start: number;
  /** Null: from `start` on. */
  readonly positions: Positions | null;
  /** base, scale, ntk; factor, low, high and original of Llama 3. */
  readonly parameters: readonly number[];
  /** cos and sin, or none. */
  readonly tables: readonly Operand[];
  readonly rows: number;
  /** Columns of the tables; null without. */
  readonly pairs: number | null;
}

export function readAngles(tools: Tools, fn: string, options: RotaryOptions, x: HeadsShape): Angles {
  const { cos, sin, positions, start } = options;
  if (positions !== undefined && start !== undefined)
    fail('option', fn, 'positions and start both place the tokens: pass one of them, got both');
  if ((cos === undefined) !== (sin === undefined))
    fail('option', fn, `cos and sin must go together, got ${cos === undefined ? 'sin' : 'cos'} alone`);
  if (cos !== undefined) return readTables(tools, fn, options, x);
  const read = positions === undefined ? null : checkPlaces(fn, readPositions(fn, positions), x);
  const { base = 10_000, scale = 1, ntk = 1, llama3 } = options;
  checkPositive(fn, 'base', base);
  checkFinite(fn, 'scale', scale);
  checkPositive(fn, 'ntk', ntk);
  if (options.ntk !== undefined && llama3 !== undefined)
    fail('option', fn, 'ntk and llama3 both slow the pairs: pass one of them, got both');
  return {
    start: readStart(fn, start, x.tokens),
    positions: read,
    parameters: [base, scale, ntk, ...readLlama3(fn, llama3)],
    tables: [],
    rows: 0,
    pairs: null,
  };
}

function readLlama3(fn: string, llama3: Llama3Scaling | undefined): number[] {
  if (llama3 === undefined) return [1, 1, 4, 0];
  const names = ['factor', 'lowFrequency', 'highFrequency', 'originalTokens'] as const;
  const { factor, lowFrequency = 1, highFrequency = 4, originalTokens } = readOptions(fn, llama3, names);
  checkPositive(fn, 'llama3.factor', factor);
  checkPositive(fn, 'llama3.originalTokens', originalTokens);
  checkPositive(fn, 'llama3.lowFrequency', lowFrequency);
  checkPositive(fn, 'llama3.highFrequency', highFrequency);
  if (highFrequency <= lowFrequency)
    fail('value', fn, `llama3.highFrequency must be above lowFrequency, got ${highFrequency} and ${lowFrequency}`);
  return [factor, lowFrequency, highFrequency, originalTokens];
}

function readTables(tools: Tools, fn: string, options: RotaryOptions, x: HeadsShape): Angles {
  for (const name of ['base', 'scale', 'ntk', 'llama3'] as const)
    if (options[name] !== undefined)
      fail('option', fn, `cos and sin take the place of ${name}, got ${name} ${describe(options[name])}`);
  const cos = readContiguous(tools, fn, 'cos', options.cos);
  const sin = readContiguous(tools, fn, 'sin', options.sin);
  if (!sameShape(cos.shape, sin.shape))
    fail('shape', fn, `cos and sin must have one shape, got ${formatShape(cos.shape)} and ${formatShape(sin.shape)}`);
  const pairs = cos.shape.at(-1) ?? 0;
  const parameters = [1, 1, 1, 1, 1, 4, 0];
  const tables = [cos, sin];
  if (cos.shape.length === 3) {
    if (options.positions !== undefined || options.start !== undefined)
      fail('option', fn, 'cos and sin of every token take the place of positions and start, got one of them');
    tools.checkShape(fn, cos, [x.batch, x.tokens, pairs], '[B, T, R/2]');
    const rows = x.batch * x.tokens;
    const ids = Int32Array.from({ length: rows }, (_, n) => n);
    return { start: 0, positions: { ids, shape: [x.batch, x.tokens] }, parameters, tables, rows, pairs };
  }
  const rows = cos.shape[0]!;
  if (cos.shape.length !== 2) fail('shape', fn, `cos must be [rows, R/2] or [B, T, R/2], got ${formatShape(cos.shape)}`);
  const given = options.positions;
  if (given === undefined && x.tokens > rows)
    fail('value', fn, `cos and sin must have a row for each of the ${x.tokens} tokens, got ${rows}`);
  const positions = given === undefined ? null : checkPlaces(fn, readPositions(fn, given, 0, rows - 1), x);
  const start = positions === null ? readStart(fn, options.start, x.tokens, 0, rows - 1) : 0;
  return { start, positions, parameters, tables, rows, pairs };
}

function checkPlaces(fn: string, positions: Positions, { batch, tokens }: HeadsShape): Positions {
  const { shape } = positions;
  if (sameShape(shape, [tokens]) || sameShape(shape, [batch, tokens]) || sameShape(shape, [1, tokens])) {
    const isShared = shape.length === 1 || shape[0] === 1;
    return isShared ? { ids: positions.ids, shape: [tokens] } : positions;
  }
  return fail('shape', fn, `positions must be [T] = [${tokens}] or [B, T] = [${batch}, ${tokens}], got ${formatShape(shape)}`);
}
