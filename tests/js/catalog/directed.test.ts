/** Directed self-attention in the catalog: DiSAN, distances, and samples. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bias } from 'fovea/score';
import { fovea, near } from '../support/api.ts';
import { countWeights, entryOf, stagesOf } from '../support/catalog_stages.ts';
import { softmax, type Matrix, type Row } from '../reference/equations/rows.ts';

const vector = (row: Row) => ({ data: Float32Array.from(row), shape: [row.length] });

test('disan: the weights of each feature are softmax of c tanh(10 / c) where it is, of 0 elsewhere', () => {
  const stages = stagesOf('disan') as Record<'forwardWeights' | 'backwardWeights', Matrix[]>;
  const has = [
    [1, 7],
    [4, 7],
  ];
  const largest = 5 * Math.tanh(2);
  for (const [name, isSeen] of [
    ['forwardWeights', (query: number, key: number) => key < query],
    ['backwardWeights', (query: number, key: number) => key > query],
  ] as const)
    stages[name].forEach((keys, query) =>
      has.forEach((words, feature) => {
        const scores = keys.map((_, key) => (words.includes(key) ? largest : 0));
        near(
          vector(keys.map((features) => features[feature]!)),
          softmax(scores, (key) => isSeen(query, key)),
          1e-5,
        );
      }),
    );
});

test('disan: with one score for all features, both share themselves between both words', () => {
  const { forwardWeights } = stagesOf('disan', entryOf('disan').defaults.contrast) as { forwardWeights: Matrix[] };
  const half = Math.exp(5 * Math.tanh(2)) / (2 * Math.exp(5 * Math.tanh(2)) + 5);
  for (const key of [1, 4]) near(vector(forwardWeights[7]![key]!), [half, half], 1e-5);
});

test('distance_self_attention: each direction is attention with a directional bias and a distance bias', () => {
  const { inputs, params, options } = entryOf('distance_self_attention').defaults;
  const x = inputs['x'] as Matrix;
  const { forward, backward } = params as unknown as Record<'forward' | 'backward', { Wq: Matrix }>;
  for (const [direction, { Wq }] of [
    ['forward', forward],
    ['backward', backward],
  ] as const) {
    const q = x.map((row) => row.map((one) => one * Wq[0]![0]!));
    const biases = [bias.direction(direction), bias.distance(options['alpha'] as number)];
    const { weights } = fovea.attention(q, x, x, { bias: biases, returnWeights: true });
    near(weights, (stagesOf('distance_self_attention') as Record<string, unknown>)[`${direction}Weights`], 1e-6);
  }
});

test('distance_self_attention: a copy that is three further back has e⁻⁴·⁵ of the weight', () => {
  const { forwardWeights } = stagesOf('distance_self_attention') as { forwardWeights: Matrix[] };
  const [far, near3] = [forwardWeights[0]![7]![1]!, forwardWeights[0]![7]![4]!];
  near(vector([far / near3]), [Math.exp(-4.5)], 1e-6);
  const without = stagesOf('distance_self_attention', { options: { alpha: 0 } }) as { forwardWeights: Matrix[] };
  near(vector([1, 4].map((key) => without.forwardWeights[0]![7]![key]!)), [0.5, 0.5], 1e-5);
});

test('resa: another seed gives other samples, with the same probabilities', () => {
  const drawn = [0, 1, 2, 3].map(
    (seed) => stagesOf('resa', { options: { seed } }) as Record<'headProbability' | 's', Matrix & Row>,
  );
  for (const { headProbability } of drawn) assert.deepEqual(headProbability, drawn[0]!.headProbability);
  const { params } = entryOf('resa').defaults;
  const even = { ...(params['head'] as object), b: -6, w: { data: [6], shape: [1] } };
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (seed) => (stagesOf('resa', { params: { ...params, head: even }, options: { seed } }) as { s: Matrix }).s,
  );
  assert.ok(new Set(rows.map((row) => JSON.stringify(row))).size > 2, 'a probability of 1/2');
});

test('resa: a token that was not kept has a row of zeros', () => {
  const { s } = stagesOf('resa') as { s: Matrix };
  for (const token of [0, 3]) assert.ok(s[token]!.every((one) => one === 0));
});

test('as many pairs are counted as there are weights', () => {
  const counts = {
    disan: ['forwardWeights', 'backwardWeights'],
    distance_self_attention: ['forwardWeights', 'backwardWeights'],
    resa: ['weights'],
  };
  for (const [id, names] of Object.entries(counts)) {
    const { pairs, sizes } = entryOf(id).complexity;
    const stages = stagesOf(id, id === 'distance_self_attention' ? { options: { alpha: 0.1 } } : {}) as Record<string, unknown>;
    assert.equal(pairs(sizes), countWeights(names.map((name) => stages[name])), id);
  }
});
