/** Readers of the catalog, and two sentences compared: their figures in double, and calls with options that give the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fovea, near } from '../support/api.ts';
import { countWeights, entryOf, stagesOf } from '../support/catalog_stages.ts';
import { columns, softmax, type Matrix, type Row } from '../reference/equations/rows.ts';

interface Reading {
  readonly match: Matrix;
  readonly alpha: Matrix;
  readonly averageBeta: Row;
  readonly probability: Row;
  readonly documentStates: Matrix;
  readonly queryState: Row;
  readonly weights: Row;
}

const vector = (row: Row) => ({ data: Float32Array.from(row), shape: [row.length] });

test('attention_over_attention: Tom gets 0.43 and the next word 0.22, by the definition in double', () => {
  const { match, averageBeta, probability } = stagesOf('attention_over_attention') as Reading;
  // Two for a name, one for each of the two words that follow as they follow the blank.
  const counted = [[3, 0, 0], [0, 0, 0], [0, 0, 0], [4, 0, 0], [0, 1, 0], [0, 0, 0]]; // prettier-ignore
  match.forEach((row, i) => near(vector(row), counted[i]!, 0.002));
  const beta = counted.map((row) => softmax(row));
  const mean = columns(beta).map((column) => column.reduce((sum, x) => sum + x, 0) / beta.length);
  const alpha = columns(counted).map((column) => softmax(column));
  const s = counted.map((_, i) => mean.reduce((sum, one, j) => sum + one * alpha[j]![i]!, 0));
  near(vector(averageBeta), mean, 0.001);
  // “saw” stands at the second place and at the fifth.
  const want = [s[0]!, s[1]! + s[4]!, s[2]!, s[3]!, s[5]!];
  assert.deepEqual([want[3]!.toFixed(2), want[1]!.toFixed(2)], ['0.43', '0.22']);
  near(vector(probability), want, 0.001);
});

test('attention_over_attention: if every word of the query counted alike, Tom would get 0.33', () => {
  const { alpha } = stagesOf('attention_over_attention') as Reading;
  const mean = alpha[3]!.reduce((sum, x) => sum + x, 0) / alpha[3]!.length;
  assert.equal(mean.toFixed(2), '0.33');
});

test('attention_over_attention: without the words that follow, the two names tie', () => {
  const { contrast } = entryOf('attention_over_attention').defaults;
  const { probability } = stagesOf('attention_over_attention', contrast) as Reading;
  near(vector([probability[0]!]), [probability[3]!], 1e-6);
});

test('attention_sum_reader: its weights are attention of one query, unscaled', () => {
  const { weights, documentStates, queryState } = stagesOf('attention_sum_reader') as Reading;
  const asked = fovea.attention([queryState], documentStates, documentStates, { scale: 1, returnWeights: true });
  near(asked.weights, weights, 1e-7);
  // Three places score 4, the six others 0.
  const place = Math.exp(4) / (3 * Math.exp(4) + 6);
  near(vector([weights[1]!, weights[4]!, weights[7]!]), [place, place, place], 1e-6);
});

test('decomposable_attention: both alignments are attention between F(a) and F(b)', () => {
  const { a, b } = entryOf('decomposable_attention').defaults.inputs as Record<'a' | 'b', Matrix>;
  const stages = stagesOf('decomposable_attention') as Record<string, Matrix>;
  for (const [name, q, k] of [
    ['betaWeights', a, b],
    ['alphaWeights', b, a],
  ] as const)
    near(fovea.attention(q, k, k, { scale: 9, returnWeights: true }).weights, stages[name], 1e-6);
});

test('decomposable_attention: the order of words changes nothing, a word of another kind does', () => {
  const { a, b } = entryOf('decomposable_attention').defaults.inputs as Record<'a' | 'b', Matrix>;
  const logits = (inputs: object): Row =>
    (stagesOf('decomposable_attention', { inputs: { a, b, ...inputs } }) as { logits: Row }).logits;
  near(vector(logits({ b: [...b].reverse() })), logits({}), 1e-5);
  assert.ok(logits({ b: [b[0]!, b[1]!, a[2]!] })[1]! < 1, 'cats are there');
  assert.ok(logits({ a: [a[0]!, a[1]!, a[1]!] })[1]! > 7, 'no animals are there');
});

test('as many pairs are counted as there are weights', () => {
  for (const [id, name] of [
    ['attention_over_attention', 'alpha'],
    ['attention_sum_reader', 'weights'],
    ['decomposable_attention', 'betaWeights'],
  ] as const) {
    const { pairs, sizes } = entryOf(id).complexity;
    assert.equal(pairs(sizes), countWeights((stagesOf(id) as Record<string, Matrix>)[name]), id);
  }
});
