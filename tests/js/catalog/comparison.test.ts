/** The catalog's language models and the nets without attention that others are compared with: figures that their claims rest on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { conv1d } from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { fovea, near, same } from '../support/api.ts';

type Matrix = number[][];

const entry = (id: string) => list().find((one) => one.id === id)!;
const rows = (array: unknown): Matrix => toNested(array as NDArray) as Matrix;

test('key_value_predict: a changed prediction leaves all weights as they are, a changed key does not', () => {
  const { complexity, defaults } = entry('key_value_predict');
  const inputs = defaults.inputs as { hidden: Matrix };
  const result = run(fovea, 'key_value_predict') as unknown as Record<'weights' | 'context' | 'hStar', NDArray>;
  const changed = (first: number) => {
    const hidden = inputs.hidden.map((row) => row.map((x, n) => (n >= first && n < first + 3 ? 1 - x : x)));
    return run(fovea, 'key_value_predict', { hidden }) as unknown as Record<'weights' | 'context' | 'hStar', NDArray>;
  };
  const [key, prediction] = [changed(0), changed(6)];
  same(prediction.weights.data, result.weights.data);
  same(prediction.context.data, result.context.data);
  assert.notDeepEqual(prediction.hStar.data, result.hStar.data);
  assert.notDeepEqual(key.weights.data, result.weights.data);
  const pairs = result.weights.data.filter((weight) => weight > 0).length;
  assert.equal(pairs, complexity.pairs(complexity.sizes));
});

test('key_value_predict: each window from 1 to 6 sees so many words before', () => {
  const { complexity } = entry('key_value_predict');
  for (let L = 1; L <= 6; L++) {
    const { weights } = run(fovea, 'key_value_predict', undefined, undefined, { L }) as unknown as { weights: NDArray };
    rows(weights).forEach((row, t) => assert.equal(row.filter((weight) => weight > 0).length, Math.min(L, t), `L ${L}, ${t}`));
    assert.equal(weights.data.filter((weight) => weight > 0).length, complexity.pairs({ ...complexity.sizes, L }));
  }
});

test('ngram_rnn: the last three words as tanh 1, 1/2 and 1/4, and none before', () => {
  const hStar = rows(run(fovea, 'ngram_rnn')['hStar']);
  hStar.forEach((row, t) => {
    const expected = row.map((_, word) => ([1, 0.5, 0.25][t - word] === undefined ? 0 : Math.tanh([1, 0.5, 0.25][t - word]!)));
    row.forEach((number, word) => assert.ok(Math.abs(number - expected[word]!) < 1e-6, `${t} ${word} ${number}`));
  });
});

test('fully_connected: a window is a convolution; one net for each word alone gives equal words equal bits', () => {
  const { inputs, params, contrast } = entry('fully_connected').defaults as unknown as {
    inputs: { x: Matrix };
    params: { W1: Matrix; b1: number[] };
    contrast: { params: object; options: object };
  };
  const { hidden } = run(fovea, 'fully_connected') as unknown as { hidden: NDArray };
  const D = inputs.x[0]!.length;
  const kernel = params.b1.map((_, unit) =>
    Array.from({ length: D }, (_, axis) => [0, 1, 2].map((tap) => params.W1[tap * D + axis]![unit]!)),
  );
  const convolved = conv1d(fovea, inputs.x, kernel, { bias: params.b1, padding: 1, layout: 'btd' });
  near(
    hidden,
    rows(convolved).map((row) => row.map((x) => Math.max(0, x))),
  );
  const alone = rows(run(fovea, 'fully_connected', undefined, contrast.params as never, contrast.options as never)['output']);
  assert.deepEqual(alone[1], alone[3]);
});

test('xformer_cost: pairs are those that the patterns allow, counted', () => {
  const { n, kinds } = entry('xformer_cost').defaults.options as { n: number; kinds: Record<string, Record<string, number>> };
  const costs = run(fovea, 'xformer_cost') as unknown as Record<string, { pairs: number; multiplyAdds: number }>;
  const allowed = (pairs: (i: number, j: number) => boolean): number => {
    let count = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) count += Number(pairs(i, j));
    return count;
  };
  const { k } = kinds['local'] as { k: number };
  assert.equal(
    costs['full']!.pairs,
    allowed(() => true),
  );
  assert.equal(
    costs['local']!.pairs,
    allowed((i, j) => Math.abs(i - j) <= k),
  );
  assert.equal(
    costs['atrous']!.pairs,
    allowed((i, j) => (i - j) % k === 0),
  );
  assert.equal(
    costs['sparse']!.pairs,
    allowed((i, j) => Math.abs(i - j) <= k || (i - j) % k === 0),
  );
  const half = kinds['longformer']!['window']! / 2;
  assert.equal(
    costs['longformer']!.pairs,
    allowed((i, j) => Math.abs(i - j) <= half || i === 0 || j === 0),
  );
  assert.equal(costs['local']!.pairs, pattern.local(k).pairs(fovea, { queries: n, keys: n }).indices.length);
  const { pairs, multiplyAdds } = run(fovea, 'xformer_cost') as unknown as Record<
    'pairs' | 'multiplyAdds',
    { data: Float64Array }
  >;
  Object.keys(kinds).forEach((kind, at) => {
    assert.deepEqual([pairs.data[at], multiplyAdds.data[at]], [costs[kind]!.pairs, costs[kind]!.multiplyAdds], kind);
  });
});

test('xformer_cost: twice the tokens cost full attention four times, linear attention twice as much', () => {
  const at = (n: number) =>
    run(fovea, 'xformer_cost', undefined, undefined, { n }) as unknown as Record<string, { multiplyAdds: number }>;
  const [one, two] = [at(1024), at(2048)];
  assert.equal(two['full']!.multiplyAdds, 4 * one['full']!.multiplyAdds);
  for (const kind of ['linear', 'performer', 'linformer', 'efficient'])
    assert.equal(two[kind]!.multiplyAdds, 2 * one[kind]!.multiplyAdds, kind);
});
