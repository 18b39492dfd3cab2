/** Whether the cases that a test runs are all that the repository must hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedNames, type TruthCase } from './truth_files.ts';

/** Declares the test that the cases of a torch kind are those that cases.json lists, at least one. */
export function testsAllCases(kind: string, cases: readonly TruthCase[]): void {
  const expected = expectedNames(kind);
  test(`all ${kind} cases are there`, { skip: expected === undefined }, () => {
    assert.ok(cases.length > 0);
    assert.deepEqual(cases.map(({ name }) => name).sort(), expected);
  });
}
