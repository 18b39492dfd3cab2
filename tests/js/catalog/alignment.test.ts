/** The catalog's alignments between two texts: figures that their claims rest on, and the calls that they are made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { bahdanau, luongLocal } from 'fovea/mechanisms';
import { score } from 'fovea/score';
import { fovea, near, same } from '../support/api.ts';

type Matrix = number[][];

const entry = (id: string) => list().find((one) => one.id === id)!;
const defaultsOf = (id: string) => entry(id).defaults as { inputs: Record<string, Matrix>; params: Record<string, Matrix> };
const pairsOf = (id: string) => entry(id).complexity.pairs(entry(id).complexity.sizes);
const rows = (array: unknown): Matrix => toNested(array as NDArray) as Matrix;
const largest = (row: readonly number[]): number => row.indexOf(Math.max(...row));

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

test('multi_source: one source leaves a tie, the other breaks it; each weight is local attention to its source', () => {
  const { inputs, params } = entry('multi_source').defaults as unknown as {
    inputs: Record<string, Matrix>;
    params: { attention1: Record<string, Matrix> };
  };
  const result = run(fovea, 'multi_source') as unknown as Record<string, NDArray>;
  const tie = run(fovea, 'multi_source', undefined, undefined, { source2Lengths: 0 })['probability'];
  const [, banque, rive] = rows(tie)[1]!;
  assert.equal(banque, rive);
  for (const n of [1, 2]) {
    const local = luongLocal(
      fovea,
      { source: inputs[`source${n}`]!, decoder: inputs['decoder']! },
      { ...params.attention1, Wc: [[0], [0], [0], [0]] },
      { D: 2 },
    );
    same(result[`weights${n}`]!.data, local.weights.data);
  }
  assert.equal(result['weights1']!.data.length + result['weights2']!.data.length, pairsOf('multi_source'));
});

test('conv_s2s: block l looks l + 1 words back where there are so many; shut gates look at the word itself', () => {
  const weights = (toNested(run(fovea, 'conv_s2s')['weights'] as NDArray) as Matrix[]).map((block) => block.map(largest));
  assert.deepEqual(weights[0]!.slice(1), [0, 1, 2]);
  assert.deepEqual(weights[1]!.slice(2), [0, 1]);
  const shut = run(fovea, 'conv_s2s', undefined, entry('conv_s2s').defaults.contrast.params)['weights'] as NDArray;
  for (const block of toNested(shut) as Matrix[]) assert.deepEqual(block.map(largest), [0, 1, 2, 3]);
  assert.equal(shut.data.length, pairsOf('conv_s2s'));
});

test('task_specific: each task is bahdanau with its own alignment', () => {
  const { inputs, params, options } = entry('task_specific').defaults as unknown as {
    inputs: { source: Matrix; decoderInputs: Matrix };
    params: Record<string, Matrix>;
    options: { initialState: { s: number[] } };
  };
  const { source, decoderInputs } = inputs;
  [
    [0, 1, 2],
    [0, 2, 1],
  ].forEach((order, task) => {
    const result = run(fovea, 'task_specific', { source, decoderInputs, task });
    const { Wa, Ua, va, ba } = params;
    const own = { ...params, Wa: Wa![task], Ua: Ua![task], va: va![task], ba: ba![task] };
    const alone = bahdanau(fovea, { source, decoderInputs }, own as never, options);
    near(result['weights'] as NDArray, rows(alone.weights), 1e-6);
    assert.deepEqual(rows(alone.weights).map(largest), order);
    assert.equal(alone.weights.data.length, pairsOf('task_specific'));
  });
});
