/** The angles of rotary positions: which positions there are, and how fast each pair turns, or tables that tell it. */
import type { RotaryBlock } from '../../../build/generated/blocks/rotary.ts';
import { describe, fail } from '../errors/errors.ts';
import type { HeadsShape } from '../attention/options/layout.ts';
import { checkShape, type Operand } from '../tensor/operands.ts';
import { checkFinite, readOptions } from '../errors/options.ts';
import { readContiguous } from '../ops/recurrent/tools.ts';
import { formatShape, sameShape } from '../tensor/shapes.ts';
import type { IntegerOperand } from '../tensor/integer_arrays.ts';
import { checkPositive, readPositions, readStart } from './read.ts';
import type { Llama3Scaling, RotaryOptions } from './types.ts';
import type { Instance } from '../runtime/instance.ts';

type Frequencies = Pick<RotaryBlock, 'base' | 'scale' | 'ntk' | keyof Llama3Scaling>;

const NO_LLAMA3 = { factor: 1, lowFrequency: 1, highFrequency: 4, originalTokens: 0 };

export interface Angles {
  readonly start: number;
  /** Null: from `start` on. */
  readonly positions: IntegerOperand | null;
  readonly frequencies: Frequencies;
  /** cos and sin, or none. */
  readonly tables: readonly Operand[];
  readonly rows: number;
  /** Columns of the tables; null without. */
  readonly pairs: number | null;
}

export function readAngles(instance: Instance, fn: string, options: RotaryOptions, x: HeadsShape): Angles {
  const { cos, sin, positions, start } = options;
  if (positions !== undefined && start !== undefined)
    fail('option', fn, 'positions and start both place the tokens: pass one of them, got both');
  if ((cos === undefined) !== (sin === undefined))
    fail('option', fn, `cos and sin must go together, got ${cos === undefined ? 'sin' : 'cos'} alone`);
  if (cos !== undefined) return readTables(instance, fn, options, x);
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
    frequencies: { base, scale, ntk, ...readLlama3(fn, llama3) },
    tables: [],
    rows: 0,
    pairs: null,
  };
}

function readLlama3(fn: string, llama3: Llama3Scaling | undefined): Pick<RotaryBlock, keyof Llama3Scaling> {
  if (llama3 === undefined) return NO_LLAMA3;
  const names = ['factor', 'lowFrequency', 'highFrequency', 'originalTokens'] as const;
  const { factor, lowFrequency = 1, highFrequency = 4, originalTokens } = readOptions(fn, llama3, names);
  checkPositive(fn, 'llama3.factor', factor);
  checkPositive(fn, 'llama3.originalTokens', originalTokens);
  checkPositive(fn, 'llama3.lowFrequency', lowFrequency);
  checkPositive(fn, 'llama3.highFrequency', highFrequency);
  if (highFrequency <= lowFrequency)
    fail('value', fn, `llama3.highFrequency must be above lowFrequency, got ${highFrequency} and ${lowFrequency}`);
  return { factor, lowFrequency, highFrequency, originalTokens };
}

function readTables(instance: Instance, fn: string, options: RotaryOptions, x: HeadsShape): Angles {
  for (const name of ['base', 'scale', 'ntk', 'llama3'] as const)
    if (options[name] !== undefined)
      fail('option', fn, `cos and sin take the place of ${name}, got ${name} ${describe(options[name])}`);
  const cos = readContiguous(instance, fn, 'cos', options.cos);
  const sin = readContiguous(instance, fn, 'sin', options.sin);
  if (!sameShape(cos.shape, sin.shape))
    fail('shape', fn, `cos and sin must have one shape, got ${formatShape(cos.shape)} and ${formatShape(sin.shape)}`);
  const pairs = cos.shape.at(-1) ?? 0;
  const frequencies = { base: 1, scale: 1, ntk: 1, ...NO_LLAMA3 };
  const tables = [cos, sin];
  if (cos.shape.length === 3) {
    if (options.positions !== undefined || options.start !== undefined)
      fail('option', fn, 'cos and sin of every token take the place of positions and start, got one of them');
    checkShape(fn, cos, [x.batch, x.tokens, pairs], '[B, T, R/2]');
    const rows = x.batch * x.tokens;
    const ids = Int32Array.from({ length: rows }, (_, n) => n);
    return { start: 0, positions: { ids, shape: [x.batch, x.tokens] }, frequencies, tables, rows, pairs };
  }
  const rows = cos.shape[0]!;
  if (cos.shape.length !== 2) fail('shape', fn, `cos must be [rows, R/2] or [B, T, R/2], got ${formatShape(cos.shape)}`);
  const given = options.positions;
  if (given === undefined && x.tokens > rows)
    fail('value', fn, `cos and sin must have a row for each of the ${x.tokens} tokens, got ${rows}`);
  const positions = given === undefined ? null : checkPlaces(fn, readPositions(fn, given, 0, rows - 1), x);
  const start = positions === null ? readStart(fn, options.start, x.tokens, 0, rows - 1) : 0;
  return { start, positions, frequencies, tables, rows, pairs };
}

function checkPlaces(fn: string, positions: IntegerOperand, { batch, tokens }: HeadsShape): IntegerOperand {
  const { shape } = positions;
  if (sameShape(shape, [tokens]) || sameShape(shape, [batch, tokens]) || sameShape(shape, [1, tokens])) {
    const isShared = shape.length === 1 || shape[0] === 1;
    return isShared ? { ids: positions.ids, shape: [tokens] } : positions;
  }
  return fail('shape', fn, `positions must be [T] = [${tokens}] or [B, T] = [${batch}, ${tokens}], got ${formatShape(shape)}`);
}
