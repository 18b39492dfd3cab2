/**
 * A mechanism on drawn calls: small sizes of every kind, lengths, options. Each result is held against the definition in double. The bound
 * is 4 times what the definition moves when each given number, and what each step of the reference computes, moves at random by up to four
 * units in its last place of float32; and 8·2^-24 of the largest number or 1 (what is rounded on the way may be larger than what
 * comes out). A loss is -ln of a probability in float32: where that is 0, it is Infinity.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { leavesNothing } from './api.ts';
import type { Run } from './mechanism_properties.ts';
import { withRounding, type Matrix, type Row } from '../reference/equations/rows.ts';
import { RUNS, SEED } from './truth_problems.ts';
import { TestRandom } from './truth_random.ts';

type Named = Record<string, unknown>;

export interface DrawnCall {
  readonly inputs: Named;
  readonly params: Named;
  readonly options?: Named;
}

/** Options of lengths: the inputs that they count the tokens of, and along which axis. */
const PADDED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  lengths: { x: 0, H: 0, S: 0, signal: 0 },
  sourceLengths: { source: 0, encoder: 0, points: 0, z: 0, e: 0 },
  targetLengths: { decoder: 0, decoderInputs: 0, g: 0, hidden: 0 },
  aLengths: { a: 0 },
  bLengths: { b: 0 },
  source1Lengths: { source1: 0 },
  source2Lengths: { source2: 0 },
  memoryLengths: { keys: 0, values: 0 },
  candidateLengths: { candidates: 0 },
  documentLengths: { words: 0 },
  wordLengths: { words: 1 },
};
const POISONS = [NaN, Infinity, -Infinity, 1e38] as const;

const EPS = 2 ** -24;
/** -ln of float32's smallest normal number. */
const LARGEST_LOSS = 126 * Math.LN2;
const DRAWN_CALLS = 40;
/** How often the numbers are moved to learn what the definition makes of it. */
const MOVES = 3;

type Numbers<Count extends number, Sofar extends number[] = []> = Sofar['length'] extends Count
  ? Sofar
  : Numbers<Count, [...Sofar, number]>;

/** Draws the sizes, options and numbers of a call. */
export class Draw {
  readonly #random: TestRandom;

  constructor(seed: number) {
    this.#random = new TestRandom(seed);
  }

  /** A number of tokens, steps, rows. */
  length(): number {
    return this.one(1, 2, 3, 4, 5, 7, 9, 17);
  }

  /** A number of features. */
  width(): number {
    return this.one(1, 2, 3, 4, 5, 8, 9, 17);
  }

  lengths<Count extends number>(count: Count): Numbers<Count> {
    return Array.from({ length: count }, () => this.length()) as Numbers<Count>;
  }

  widths<Count extends number>(count: Count): Numbers<Count> {
    return Array.from({ length: count }, () => this.width()) as Numbers<Count>;
  }

  one<Choice>(...choices: readonly Choice[]): Choice {
    return choices[this.integer(0, choices.length - 1)]!;
  }

  /** From lo to hi, both included. */
  integer(lo: number, hi: number): number {
    return this.#random.integer(lo, hi);
  }

  integers(count: number, lo: number, hi: number): Row {
    return Array.from({ length: count }, () => this.integer(lo, hi));
  }

  maybe(): boolean {
    return this.integer(0, 1) === 1;
  }

  /** Numbers of float32 from -scale to scale, nested. */
  numbers(shape: readonly [number], scale?: number): Row;
  numbers(shape: readonly [number, number], scale?: number): Matrix;
  numbers(shape: readonly [number, number, number], scale?: number): Matrix[];
  numbers(shape: readonly number[], scale?: number): unknown;
  numbers([length, ...rest]: readonly number[], scale = 1): unknown {
    if (length === undefined) return Math.fround(scale * (2 * this.#random.uniform() - 1));
    return Array.from({ length }, () => this.numbers(rest, scale));
  }
}

/**
 * Declares the test. Each of the wrong variants of the reference must be told apart by one of the usual calls at least, else they
 * would not find such a mistake.
 */
export function agreesOnDrawnCalls<Wrong extends string>(
  mechanism: Run,
  reference: (wrong: Wrong | '') => Run,
  wrongs: readonly Wrong[],
  make: (draw: Draw) => DrawnCall,
): void {
  test('drawn calls agree with the definition in double, and tell it from every wrong variant', () => {
    const unseen = new Set(wrongs);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 30 }), (seed) => {
        const { inputs, params, options = {} } = make(new Draw(seed));
        const want = reference('')(inputs, params, options);
        const random = new TestRandom(seed);
        const round = (x: number): number => x * (1 + 4 * EPS * (2 * random.uniform() - 1));
        const moved = Array.from({ length: MOVES }, () => {
          const [near, by] = [move(inputs, random) as Named, move(params, random) as Named];
          return withRounding(round, () => reference('')(near, by, options));
        });
        fc.pre(moved.every((other) => sameIntegers(want, other)));
        const differs = (got: Named): string => difference(want, got, moved, '');
        assert.equal(
          differs(leavesNothing(() => mechanism(inputs, params, options))),
          '',
          describe({ inputs, params, options }),
        );
        ignoresPadding(mechanism, { inputs, params, options }, POISONS[seed % POISONS.length]!);
        for (const wrong of unseen) if (differs(reference(wrong)(inputs, params, options)) !== '') unseen.delete(wrong);
      }),
      { seed: SEED, numRuns: Math.ceil(DRAWN_CALLS * RUNS), endOnFailure: true, includeErrorInReport: true },
    );
    // Few or other calls may miss one.
    if (RUNS >= 1 && process.env['FOVEA_SEED'] === undefined)
      assert.deepEqual([...unseen], [], 'wrong variants that no drawn call tells apart');
  });
}

/**
 * Asserts that no result, to the last bit, depends on what stands in the padding: NaN, an infinity or 1e38 in place of 0. Behind
 * `targetLengths`, which limit the loss alone, the loss does not.
 */
function ignoresPadding(mechanism: Run, { inputs, params, options = {} }: DrawnCall, poison: number): void {
  for (const [option, axes] of Object.entries(PADDED)) {
    if (options[option] === undefined) continue;
    const filled = (by: number): Named => {
      const padded = Object.entries(inputs).map(([name, value]) => {
        const axis = axes[name];
        return [
          name,
          axis === undefined || isIds(name, value) ? value : fillPadding(value, axis, options[option], by),
        ] as const;
      });
      const results = mechanism(Object.fromEntries(padded), params, { ...options, trace: true });
      return option === 'targetLengths' ? { loss: results['loss'] } : results;
    };
    assert.deepEqual(filled(poison), filled(0), `${poison} behind ${option}: ${describe({ inputs, params, options })}`);
  }
}

/** A transformer's sequence may be ids or vectors. */
const isIds = (name: string, value: unknown): boolean => name !== 'signal' && !Array.isArray((value as unknown[])[0]);

/** A copy with a number in place of all behind the length, or the length of each part, along an axis. */
function fillPadding(value: unknown, axis: number, length: unknown, by: number): unknown {
  const all = value as unknown[];
  if (axis > 0) return all.map((one, n) => fillPadding(one, axis - 1, Array.isArray(length) ? length[n] : length, by));
  const fill = (one: unknown): unknown => (Array.isArray(one) ? one.map(fill) : by);
  return all.map((one, n) => (n < (length as number) ? one : fill(one)));
}

/** Each number but the integers (indices, lengths) moved up or down. */
function move(value: unknown, random: TestRandom): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : value * (1 + (random.uniform() < 0.5 ? -4 : 4) * EPS);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => move(one, random));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, move(one, random)]));
}

/** Whether no choice (the largest, a bucket) has become another. */
function sameIntegers(a: unknown, b: unknown): boolean {
  const [x, y] = [leaves(a), leaves(b)];
  return x.length === y.length && x.every((one, n) => one === y[n] || !(Number.isInteger(one) && Number.isInteger(y[n])));
}

function leaves(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
}

/** The first result that is not within its bound, or ''. */
function difference(want: unknown, got: unknown, moved: readonly unknown[], path: string): string {
  if (typeof want === 'object' && want !== null && !Array.isArray(want)) {
    for (const [name, one] of Object.entries(want)) {
      const at = (other: unknown): unknown => (other as Named | undefined)?.[name];
      const found = difference(one, at(got), moved.map(at), `${path}.${name}`);
      if (found !== '') return found;
    }
    return '';
  }
  const [expected, computed] = [leaves(want) as number[], leaves(got) as number[]];
  if (computed.length !== expected.length) return `${path}: ${computed.length} numbers, not ${expected.length}`;
  const finite = expected.filter(Number.isFinite);
  const largest = finite.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const apart = moved.map((other) => furthest(expected, leaves(other) as number[]));
  const bound = 4 * Math.max(...apart) + 8 * EPS * Math.max(1, largest);
  const isNone = (x: number, i: number): boolean => path === '.loss' && x > LARGEST_LOSS && computed[i] === Infinity;
  const n = expected.findIndex((x, i) => !(Object.is(x, computed[i]) || Math.abs(x - computed[i]!) <= bound || isNone(x, i)));
  return n === -1 ? '' : `${path}[${n}]: ${computed[n]} is not ${expected[n]}, bound ${bound}`;
}

function furthest(a: readonly number[], b: readonly number[]): number {
  return a.reduce((most, x, n) => (Number.isFinite(x) ? Math.max(most, Math.abs(x - b[n]!)) : most), 0);
}

/** The shapes of a call. */
function describe(value: unknown): string {
  if (Array.isArray(value)) {
    const shape: number[] = [];
    for (let at: unknown = value; Array.isArray(at); at = at[0]) shape.push(at.length);
    return value.length > 0 && value.every(Number.isInteger) ? JSON.stringify(value) : `[${shape.join(' × ')}]`;
  }
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, one]) => `${name}: ${describe(one)}`)
      .join(', ')} }`;
  return JSON.stringify(value) ?? 'undefined';
}
