/** Attention of the catalog that leaves pairs out: to neighbors, to bases, within buckets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pattern } from 'fovea/pattern';
import { fovea, near } from '../support/api.ts';
import { countWeights, entryOf, stagesOf } from '../support/catalog_stages.ts';
import { softmax, type Matrix, type Row } from '../reference/equations/rows.ts';

const vector = (row: Row) => ({ data: Float32Array.from(row), shape: [row.length] });

test('graph_attention: as only the source is scored, it is attention with one query over a pattern of its edges', () => {
  const { h, edges } = entryOf('graph_attention').defaults.inputs as { h: Matrix; edges: [number, number][] };
  const all = [...edges, ...h.map((_, n): [number, number] => [n, n])];
  const query = h.map(() => [4, 0]);
  const { output } = fovea.attention(query, h, h, { scale: 1, pattern: pattern.graph({ edges: all }) });
  // elu leaves what is above 0.
  near(output, (stagesOf('graph_attention') as { output: Matrix }).output, 1e-6);
});

test('graph_attention: a score of 0 where there is no edge would give those nodes weight', () => {
  const { h, edges } = entryOf('graph_attention').defaults.inputs as { h: Matrix; edges: [number, number][] };
  const neighbors = [0, ...edges.filter(([target]) => target === 0).map(([, source]) => source)];
  const scores = h.map(([red], node) => (neighbors.includes(node) ? 4 * red! : 0));
  const outside = (weights: Row): number => weights.reduce((sum, weight, n) => sum + (neighbors.includes(n) ? 0 : weight), 0);
  const { weights } = stagesOf('graph_attention') as { weights: Matrix };
  const row = [...edges, ...h.map((_, n) => [n, n])].flatMap(([target], e) => (target === 0 ? weights[e]! : []));
  near(vector([row.reduce((sum, weight) => sum + weight, 0)]), [1], 1e-6);
  assert.equal(outside(softmax(scores, (node) => neighbors.includes(node))), 0);
  assert.ok(outside(softmax(scores)) > 0.06);
});

test('em_attention: iterations are those of the definition in double', () => {
  const { inputs, params, options } = entryOf('em_attention').defaults;
  const X = inputs['X'] as Matrix;
  let mu = params['mu'] as Matrix;
  let Z: Matrix = [];
  for (let n = 0; n < (options['iterations'] as number); n++) {
    Z = X.map((x) => softmax(mu.map((base) => 10 * x.reduce((sum, one, c) => sum + one * base[c]!, 0))));
    mu = mu.map((base, k) => {
      const mass = Z.reduce((sum, row) => sum + row[k]!, 0);
      return base.map((_, c) => X.reduce((sum, x, i) => sum + Z[i]![k]! * x[c]!, 0) / mass);
    });
  }
  const stages = stagesOf('em_attention') as Record<'Z' | 'mu', Matrix>;
  stages.Z.forEach((row, n) => near(vector(row), Z[n], 1e-5));
  stages.mu.forEach((row, k) => near(vector(row), mu[k], 1e-5));
});

test('em_attention: its weights are attention to the bases of the iteration before', () => {
  const { inputs, params } = entryOf('em_attention').defaults;
  const { Z } = stagesOf('em_attention', { options: { iterations: 1 } }) as { Z: Matrix };
  const [X, mu] = [inputs['X'] as Matrix, params['mu'] as Matrix];
  near(fovea.attention(X, mu, mu, { scale: 10, returnWeights: true }).weights, Z, 1e-6);
});

test('reformer: both rounds together are attention over the pairs of both', () => {
  const x = entryOf('reformer').defaults.inputs['x'] as Matrix;
  const { weights, output } = stagesOf('reformer') as { weights: Matrix[]; output: Matrix };
  const keys = x.map((row) => row.map((one) => one / Math.hypot(...row)));
  const mask = weights[0]!.map((row) => row.map((weight) => weight > 0));
  const want = fovea.attention(x, keys, x, { scale: 1, mask, returnWeights: true });
  near(want.weights, weights[0], 1e-6);
  near(want.output, output, 1e-5);
});

test('reformer: after one round, twins are missed', () => {
  const { contrast } = entryOf('reformer').defaults;
  const { weights } = stagesOf('reformer', contrast) as { weights: Matrix[] };
  const missed = weights[0]!.filter((row, i) => row[i % 2 === 0 ? i + 1 : i - 1] === 0);
  assert.equal(missed.length, 4);
});

test('as many pairs are counted as there are weights', () => {
  const counted = (id: string): number => entryOf(id).complexity.pairs(entryOf(id).complexity.sizes);
  assert.equal(counted('graph_attention'), countWeights((stagesOf('graph_attention') as { weights: Matrix }).weights));
  assert.equal(counted('em_attention'), 3 * countWeights((stagesOf('em_attention') as { Z: Matrix }).Z));
  // Buckets of two tokens each, and a token itself, whose score is computed and left out.
  const x = entryOf('reformer').defaults.inputs['x'] as Matrix;
  const buckets = [
    [0, 0, 1, 1, 2, 2, 3, 3],
    [0, 1, 1, 2, 2, 3, 3, 0],
  ];
  const { roundWeights } = stagesOf('reformer', { inputs: { x, buckets }, options: { lsh: undefined } }) as {
    roundWeights: unknown;
  };
  assert.equal(counted('reformer'), countWeights(roundWeights) + 2 * x.length);
});
