/**
 * Properties of a mechanism. Each holds for the function and for a reference in double written from the paper, and fails for that
 * reference with one deliberate mistake: the wrong variant that the property is there to catch.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { fovea } from './api.ts';

type Named = Record<string, unknown>;

/** Inputs, params and options to results, all of them nested numbers. */
export type Run = (inputs: Named, params: Named, options: Named) => Named;

/** Every NDArray among the results as nested numbers. */
function nestResults(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(nestResults);
  if ('data' in value && 'shape' in value) return toNested(value as NDArray);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nestResults(one)]));
}

/** A function of fovea/mechanisms on plain arrays. */
export function nested(mechanism: (...args: never[]) => unknown): Run {
  const call = mechanism as unknown as (fovea: unknown, inputs: Named, params: Named, options: Named) => unknown;
  return (inputs, params, options) => nestResults(call(fovea, inputs, params, options)) as Named;
}

/** Declares a test for each property: a predicate of a run. `reference('')` is the paper's, any other name a wrong variant. */
export function properties<Wrong extends string>(
  mechanism: Run,
  reference: (wrong: Wrong | '') => Run,
): (claim: string, wrong: Wrong, holds: (run: Run) => boolean) => void {
  return (claim, wrong, holds) => {
    test(`${claim}; not so with: ${wrong}`, () => {
      assert.ok(holds(reference('')), 'the property holds for the reference');
      assert.ok(holds(mechanism), 'the property holds for the function');
      assert.ok(!holds(reference(wrong)), 'the property fails for the wrong variant');
    });
  };
}

/** Whether nested numbers, or objects of them, have the same form and differ by at most `tolerance` relative to the larger of 1 and the expected. */
export function close(got: unknown, want: unknown, tolerance = 2e-6): boolean {
  if (Array.isArray(want))
    return (
      Array.isArray(got) && got.length === want.length && want.every((one, n) => close((got as unknown[])[n], one, tolerance))
    );
  if (typeof want === 'object' && want !== null)
    return Object.entries(want).every(([name, one]) => close((got as Named | undefined)?.[name], one, tolerance));
  if (typeof got !== 'number' || typeof want !== 'number') return false;
  return Object.is(got, want) || Math.abs(got - want) <= tolerance * Math.max(1, Math.abs(want));
}

/** Whether every row of a matrix sums to 1. */
export const rowsSumToOne = (rows: unknown): boolean => {
  const sums = (rows as number[][]).map((row) => row.reduce((sum, x) => sum + x, 0));
  return close(
    sums,
    sums.map(() => 1),
  );
};

/** Asserts that the function and the reference agree on every result that the reference gives. */
export function assertAgree(mechanism: Run, reference: Run, inputs: Named, params: Named, options: Named): void {
  const got = mechanism(inputs, params, options);
  for (const [name, want] of Object.entries(reference(inputs, params, options)))
    assert.ok(close(got[name], want), `${name}: ${JSON.stringify(got[name])} is not ${JSON.stringify(want)}`);
}
