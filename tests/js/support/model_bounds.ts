/**
 * How far a model's numbers may be from its equations in double: 4 times the error of the equations in plain float32 loops (the larger of two
 * orders of summing, and of what the equations in double move when every weight moves by 2^-24 of it) plus 8·2^-24 times the largest number, as
 * tests/golden/FORMAT.md has it.
 */
import assert from 'node:assert/strict';
import { ModelParts } from '../reference/models/parts.ts';
import { DOUBLE, SINGLE, SINGLE_DOWN, type Values } from './transformer_reference.ts';
import { EPS } from './truth_bounds.ts';
import { TestRandom } from './truth_random.ts';

export interface ExpectedNumbers {
  readonly want: Float64Array;
  readonly bound: number;
}

type Weights = ReadonlyMap<string, Values>;
type Evaluate = (parts: ModelParts) => readonly Float64Array[];

/** For each array that `evaluate` gives. `kept`: how a cache rounds keys and values, one more error to be allowed for. */
export function expectedNumbers(weights: Weights, evaluate: Evaluate, kept?: (x: number) => number): ExpectedNumbers[] {
  const want = evaluate(new ModelParts(weights, DOUBLE));
  const random = new TestRandom(7);
  const others = [
    evaluate(new ModelParts(weights, SINGLE)),
    evaluate(new ModelParts(weights, SINGLE_DOWN)),
    ...[1, 2].map(() => evaluate(new ModelParts(moved(weights, random), DOUBLE))),
    ...(kept === undefined ? [] : [evaluate(new ModelParts(weights, DOUBLE, kept))]),
  ];
  return want.map((numbers, n) => {
    const error = Math.max(...others.map((other) => difference(other[n]!, numbers)));
    return { want: numbers, bound: 4 * error + 8 * EPS * largest(numbers) };
  });
}

/** Every weight up or down by 2^-24 of it, as drawn. */
function moved(weights: Weights, random: TestRandom): Weights {
  return new Map(
    [...weights].map(([name, { data, shape }]) => [
      name,
      { data: Float64Array.from(data, (x) => x * (1 + (random.uniform() < 0.5 ? -EPS : EPS))), shape },
    ]),
  );
}

export function assertNear(got: ArrayLike<number>, { want, bound }: ExpectedNumbers, what: string): void {
  assert.equal(got.length, want.length, `${what}: how many numbers`);
  const error = difference(got, want);
  assert.ok(error <= bound, `${what}: error ${error}, bound ${bound}`);
}

function difference(a: ArrayLike<number>, b: Float64Array): number {
  return b.reduce((most, x, n) => (Math.abs(x - a[n]!) <= most ? most : Math.abs(x - a[n]!)), 0);
}

function largest(numbers: Float64Array): number {
  return numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

export const flat = (rows: readonly Float64Array[]): Float64Array => Float64Array.from(rows.flatMap((row) => [...row]));
