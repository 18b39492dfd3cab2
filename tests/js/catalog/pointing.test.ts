/** The catalog's mechanisms that point and copy: figures that their claims rest on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { fovea } from '../support/api.ts';

type Matrix = number[][];

const entry = (id: string) => list().find((one) => one.id === id)!;
const pairsOf = (id: string) => entry(id).complexity.pairs(entry(id).complexity.sizes);
const rows = (array: unknown): Matrix => toNested(array as NDArray) as Matrix;
const integers = (array: unknown): number[] => [...(array as { data: Int32Array }).data];
const largest = (row: readonly number[]): number => row.indexOf(Math.max(...row));
const sum = (row: readonly number[]): number => row.reduce((total, x) => total + x, 0);

test('pointer_network: sorts other numbers too, also when they change their places', () => {
  for (const numbers of [[0.6, 0.1, 0.9, 0.35, 0.75], [0.2, 0.4, 0.6, 0.8], [0.95, 0.8, 0.6, 0.3, 0.15, 0], [0.5]]) {
    const { indices, weights } = run(fovea, 'pointer_network', { points: numbers.map((number) => [number]) });
    const inOrder = [...numbers].sort((a, b) => a - b);
    assert.deepEqual(
      integers(indices).map((place) => numbers[place]),
      inOrder,
    );
    for (const row of rows(weights)) assert.ok(Math.max(...row) >= 0.936, `${row}`);
  }
  assert.equal((run(fovea, 'pointer_network')['weights'] as NDArray).data.length, pairsOf('pointer_network'));
});

test('pointer_network: without the step it takes the smallest number at every step', () => {
  const { indices } = run(fovea, 'pointer_network', undefined, entry('pointer_network').defaults.contrast.params);
  assert.deepEqual(integers(indices), [1, 1, 1, 1, 1]);
});

test('pointer_generator: coverage turns the picks 0, 0, 0, 0 with a loss of 3 into 0, 1, 2, 3 with 0.46', () => {
  const picks = (result: Record<string, unknown>) => rows(result['weights']).map(largest);
  const loss = (result: Record<string, unknown>) => sum([...(result['coverageLoss'] as NDArray).data]);
  const covered = run(fovea, 'pointer_generator');
  assert.deepEqual(picks(covered), [0, 1, 2, 3]);
  assert.ok(Math.abs(loss(covered) - 0.4621) < 1e-3, `${loss(covered)}`);
  assert.equal((covered['weights'] as NDArray).data.length, pairsOf('pointer_generator'));
  const uncovered = run(fovea, 'pointer_generator', undefined, entry('pointer_generator').defaults.contrast.params);
  assert.deepEqual(picks(uncovered), [0, 0, 0, 0]);
  assert.ok(Math.abs(loss(uncovered) - 3) < 1e-5, `${loss(uncovered)}`);
});

test('pointer_generator: its weights are those of v·tanh(preference + w_c·coverage), step by step', () => {
  const preference = [1.25, 0.5, -0.25, -1];
  let coverage = [0, 0, 0, 0];
  for (const row of rows(run(fovea, 'pointer_generator')['weights'])) {
    const parts = preference.map((x, i) => Math.exp(8 * Math.tanh(x - 4 * coverage[i]!)));
    row.forEach((weight, i) => assert.ok(Math.abs(weight - parts[i]! / sum(parts)) < 1e-5, `${weight}`));
    coverage = coverage.map((c, i) => c + row[i]!);
  }
});

test('copy_net: the selective read walks the name; without it the name starts again', () => {
  const words = (result: Record<string, unknown>) => rows(result['distribution']).map(largest);
  const result = run(fovea, 'copy_net');
  assert.deepEqual(words(result), [4, 7, 8, 9, 10]);
  assert.deepEqual(rows(result['selectiveWeights']).slice(2).map(largest), [4, 5, 6]);
  const read = run(fovea, 'copy_net', undefined, entry('copy_net').defaults.contrast.params);
  assert.deepEqual(words(read), [4, 7, 7, 7, 7]);
  const three = ['weights', 'selectiveWeights', 'copy'].map((name) => (result[name] as NDArray).data.length);
  assert.equal(sum(three), pairsOf('copy_net'));
});
