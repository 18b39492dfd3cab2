/** Positions in the catalog: what holds beyond the claims. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { learnedPositions, sinusoidalPositions } from 'fovea/position';
import { fails, fovea, near } from '../support/api.ts';

const defaultsOf = (id: string) => list().find((entry) => entry.id === id)!.defaults;
const weightsOf = (id: string) => toNested(run(fovea, id)['weights'] as NDArray) as number[][];

test('sinusoids that are rotated by one step weigh the token before by 0.9885 at least, over 24 tokens', () => {
  const least = Math.min(
    ...weightsOf('sinusoidal')
      .slice(1)
      .map((row, i) => row[i]!),
  );
  assert.ok(Math.abs(least - 0.988515) < 1e-5, `${least}`);
});

test('the product of two sinusoidal positions depends on their distance alone', () => {
  const rows = toNested(sinusoidalPositions(fovea, { tokens: 24, width: 16 })) as number[][];
  const product = (i: number, j: number) => rows[i]!.reduce((sum, x, n) => sum + x * rows[j]![n]!, 0);
  for (let distance = 0; distance < 12; distance++)
    for (let i = 0; i + distance < 24; i++)
      assert.ok(Math.abs(product(i, i + distance) - product(0, distance)) < 1e-5, `${i} ${distance}`);
});

test('rotating queries and keys gives the weights of rotated sinusoids, from any start', () => {
  near(run(fovea, 'rope')['weights'] as NDArray, weightsOf('sinusoidal'), 2e-5);
  near(run(fovea, 'rope', undefined, undefined, { start: 1000 })['weights'] as NDArray, weightsOf('rope'), 2e-5);
  const { v, ...unrotated } = defaultsOf('rope').inputs as Record<'q' | 'k' | 'v', number[][]>;
  const plain = fovea.attention(unrotated.q!, unrotated.k!, v!, { scale: 10, returnWeights: true });
  assert.throws(() => near(plain.weights, weightsOf('rope'), 0.1), 'not rotated');
});

test('a learned table has no row for a position beyond it', () => {
  const { inputs, params } = defaultsOf('learned_positions');
  const x = inputs['x'] as number[][];
  fails('value', /^learnedPositions: tokens must be an integer from 0 to the 4 rows of the table, got 5$/, () =>
    run(fovea, 'learned_positions', { x: [...x, x[0]!] }, params),
  );
  const table = Array.from({ length: 128 }, (_, place) => [place]);
  assert.equal(learnedPositions(fovea, table, { tokens: 128 }).shape[0], 128);
  fails('value', /128/, () => learnedPositions(fovea, table, { tokens: 129 }));
});

test('I saw a saw: without positions the two outputs are exactly equal, with positions they differ', () => {
  const { inputs, params } = defaultsOf('learned_positions');
  const none = { ...params, table: (params['table'] as number[][]).map((row) => row.map(() => 0)) };
  const outputs = [none, params].map(
    (given) => toNested(run(fovea, 'learned_positions', inputs, given)['output'] as NDArray) as number[][],
  );
  assert.deepEqual(outputs[0]![1], outputs[0]![3]);
  assert.notDeepEqual(outputs[1]![1], outputs[1]![3]);
});

test('a recurrent cell makes positions for any number of tokens, a period of three apart equal', () => {
  const x = Array.from({ length: 300 }, () => [0, 0, 0]);
  const positions = toNested(run(fovea, 'recurrent_positions', { x })['positions'] as NDArray) as number[][];
  positions.slice(3).forEach((row, t) => assert.deepEqual(row, positions[t]));
});
