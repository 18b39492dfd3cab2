/** The catalog's alignments between two texts: figures that their claims rest on, and the calls that they are made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { score } from 'fovea/score';
import { fovea, near, same } from '../support/api.ts';

type Matrix = number[][];

const entry = (id: string) => list().find((one) => one.id === id)!;
const defaultsOf = (id: string) => entry(id).defaults as { inputs: Record<string, Matrix>; params: Record<string, Matrix> };
const pairsOf = (id: string) => entry(id).complexity.pairs(entry(id).complexity.sizes);
const rows = (array: unknown): Matrix => toNested(array as NDArray) as Matrix;

test('bahdanau: each weight is the additive score of the state before, and a pair each', () => {
  const { inputs, params } = defaultsOf('bahdanau');
  const { weights, states } = run(fovea, 'bahdanau') as unknown as Record<'weights' | 'states', NDArray>;
  const before = [[0], ...rows(states).slice(0, -1)];
  const additive = score.additive({ Wq: params['Wa']!, Wk: params['Ua']!, w: params['va']!, bias: params['ba']! });
  const asked = { score: additive, returnWeights: true } as const;
  near(weights, rows(fovea.attention(before, inputs['source']!, inputs['source']!, asked).weights), 1e-6);
  assert.equal(weights.data.length, pairsOf('bahdanau'));
});

test('bahdanau: without a score every step has the mean of the source, the one fixed vector', () => {
  const { inputs, params } = defaultsOf('bahdanau');
  const source = inputs['source']!;
  const mean = source[0]!.map((_, n) => source.reduce((sum, row) => sum + row[n]! / source.length, 0));
  const { context } = run(fovea, 'bahdanau', undefined, { ...params, va: [0, 0] });
  near(context as NDArray, [mean, mean, mean, mean], 1e-6);
});

test('luong: attention with a bilinear score; general with Wa = I is dot', () => {
  const { inputs, params } = defaultsOf('luong');
  const { source, decoder } = inputs as { source: Matrix; decoder: Matrix };
  const { weights, context } = run(fovea, 'luong') as unknown as Record<'weights' | 'context', NDArray>;
  const call = fovea.attention(decoder, source, source, { score: score.bilinear(params['Wa']!), returnWeights: true });
  same(weights.data, call.weights.data);
  same(context.data, call.output.data);
  assert.equal(weights.data.length, pairsOf('luong'));

  const unit = source.map((_, row) => source.map((_, column) => Number(row === column)));
  const general = run(fovea, 'luong', undefined, { ...params, Wa: unit })['weights'] as NDArray;
  const dot = run(fovea, 'luong', undefined, { Wc: params['Wc'] }, { score: 'dot' })['weights'] as NDArray;
  near(general, rows(dot));
  assert.notDeepEqual(rows(dot), rows(weights));
});

test('luong_local: weights of equal scores sum to 0.50 at D = 2, and fall to e⁻² of the center at the edge', () => {
  const { weights, alignment } = run(fovea, 'luong_local') as unknown as Record<'weights' | 'alignment', NDArray>;
  const step = rows(weights)[1]!;
  const total = (1 + 2 * Math.exp(-0.5) + 2 * Math.exp(-2)) / 5;
  assert.ok(Math.abs(step.reduce((sum, weight) => sum + weight, 0) - total) < 1e-6);
  assert.equal(total.toFixed(2), '0.50');
  assert.ok(Math.abs(step[2]! / step[4]! - Math.exp(-2)) < 1e-6);
  assert.deepEqual([step[1], step[7]], [0, 0]);
  const inWindow = alignment.data.filter((weight) => weight > 0).length;
  assert.ok(inWindow <= pairsOf('luong_local') && inWindow > 10, 'windows are cut at the ends of the source');
});

test('luong_local: local-m has its center at the step itself, and weights that sum to 1', () => {
  const { weights } = run(fovea, 'luong_local', undefined, undefined, { variant: 'monotonic', D: 1 });
  near(weights as NDArray, [
    [1 / 2, 1 / 2, 0, 0, 0, 0, 0, 0],
    [1 / 3, 1 / 3, 1 / 3, 0, 0, 0, 0, 0],
    [0, 1 / 3, 1 / 3, 1 / 3, 0, 0, 0, 0],
  ]);
});
