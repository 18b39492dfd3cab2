/** Pooling in the catalog: saliency, hierarchical attention, and sentences without attention. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fovea, near } from '../support/api.ts';
import { countWeights, entryOf, stagesOf } from '../support/catalog_stages.ts';
import { softmax, type Matrix, type Row } from '../reference/equations/rows.ts';

const vector = (row: Row) => ({ data: Float32Array.from(row), shape: [row.length] });

test('saliency: the gates are the weights of one query, Wg, with a bias and a sigmoid in place of softmax', () => {
  const { inputs, params } = entryOf('saliency').defaults;
  const x = inputs['x'] as Matrix;
  const query = [(params['Wg'] as Matrix).flat()];
  const mask = [x.map(() => -4)];
  const { weights } = fovea.attention(query, x, x, { scale: 1, mask, normalizer: 'sigmoid', returnWeights: true });
  const { gate } = stagesOf('saliency') as { gate: Matrix };
  near(weights, gate.flat(), 1e-6);
  near(
    vector(gate.flat()),
    [-4, 4, 4, -4, 4].map((score) => 1 / (1 + Math.exp(-score))),
    1e-6,
  );
  assert.ok(Math.abs(gate.flat().reduce((sum, one) => sum + one, 0) - 1) > 1, 'gates are no distribution');
});

test('hierarchical_attention: weights of words and of sentences are softmax of 5 where a mood is, of 0 elsewhere', () => {
  const { wordWeights, sentenceWeights } = stagesOf('hierarchical_attention') as { wordWeights: Matrix; sentenceWeights: Row };
  wordWeights.forEach((row, i) => near(vector(row), softmax(i === 1 ? [0, 0, 0, 0, 5] : [0, 0, 0, 0, 0]), 1e-5));
  near(vector(sentenceWeights), softmax([0, 5, 0]), 1e-4);
});

test('hierarchical_attention: words that change places take their weights along', () => {
  const { words } = entryOf('hierarchical_attention').defaults.inputs as { words: Matrix[] };
  const turned = words.map((rows) => [...rows].reverse()).reverse();
  const stages = stagesOf('hierarchical_attention', { inputs: { words: turned } }) as Record<string, Matrix & Row>;
  const original = stagesOf('hierarchical_attention') as Record<string, Matrix & Row>;
  near(vector(stages['wordWeights']![1]!), [...original['wordWeights']![1]!].reverse(), 1e-6);
  near(vector(stages['probability']!), original['probability'], 1e-6);
});

test('sentence_embedding: another order has the same mean and maximum, and no bigram', () => {
  const { H } = entryOf('sentence_embedding').defaults.inputs as { H: Matrix };
  const orders = [H, [H[3]!, H[0]!, H[1]!, H[2]!]].map(
    (rows) => stagesOf('sentence_embedding', { inputs: { H: rows } }) as Record<'mean' | 'max' | 'ngrams', Row>,
  );
  assert.deepEqual(orders[1]!.mean, orders[0]!.mean);
  assert.deepEqual(orders[1]!.max, orders[0]!.max);
  assert.deepEqual(
    orders.map(({ ngrams }) => ngrams),
    [[1], [0]],
  );
});

test('sentence_embedding: the mean is attention with a query of zeros', () => {
  const { H } = entryOf('sentence_embedding').defaults.inputs as { H: Matrix };
  near(fovea.attention([H[0]!.map(() => 0)], H, H).output, (stagesOf('sentence_embedding') as { mean: Row }).mean, 1e-7);
});

test('as many pairs are counted as there are weights', () => {
  const stages = stagesOf('hierarchical_attention') as Record<string, unknown>;
  const counted = (id: string): number => entryOf(id).complexity.pairs(entryOf(id).complexity.sizes);
  assert.equal(counted('hierarchical_attention'), countWeights([stages['wordWeights'], stages['sentenceWeights']]));
  assert.equal(counted('saliency'), countWeights((stagesOf('saliency') as { gate: Matrix }).gate));
  assert.equal(counted('sentence_embedding'), 0);
});
