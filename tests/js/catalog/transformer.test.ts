/** The catalog's transformers: layers written by hand that do what they say on other inputs too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run } from 'fovea/catalog';
import { transformer } from 'fovea/mechanisms';
import { fovea, near } from '../support/api.ts';

type Matrix = number[][];

const entry = (id: string) => list().find((one) => one.id === id)!;
const pairsOf = (id: string) => entry(id).complexity.pairs(entry(id).complexity.sizes);
const integers = (array: unknown): number[] => [...(array as { data: Int32Array }).data];

/** The weights of a layer with one head. */
function layer(weights: unknown, l: number): Matrix {
  return (toNested(weights as NDArray) as unknown as Matrix[][])[l]![0]!;
}

test('transformer: the first layer attends to the word before, with 0.988 or more', () => {
  const first = layer(run(fovea, 'transformer')['decoderWeights'], 0);
  first.slice(1).forEach((row, n) => assert.ok(row[n]! >= 0.988, `word ${n + 1}: ${row[n]}`));
});

test('transformer: it continues other repetitions, and rests on the first token where nothing repeats', () => {
  const phrases = [
    [0, 3, 1, 2, 4, 3, 1],
    [0, 2, 4, 1, 3, 2],
    [0, 1, 1],
    [0, 4, 3, 2, 1, 4, 3, 2],
  ];
  const expected = [2, 4, 1, 1];
  phrases.forEach((target, n) => {
    const result = run(fovea, 'transformer', { source: [1], target });
    assert.deepEqual(integers(result['next']), [expected[n]], `${target}`);
  });
  const unrepeated = layer(run(fovea, 'transformer', { source: [1], target: [0, 2, 1, 4, 3] })['decoderWeights'], 1);
  for (const row of unrepeated) assert.ok(row[0]! > 0.99, `${row}`);
});

test('transformer: without positions nothing is found', () => {
  const { next, decoderWeights } = run(fovea, 'transformer', undefined, undefined, { positions: 'none' });
  assert.ok(layer(decoderWeights, 1)[6]![3]! < 0.5, `${integers(next)[0]}`);
});

test('transformer: pairs are those of its weights, without those that the causal mask forbids', () => {
  const { encoderWeights, decoderWeights, crossWeights } = run(fovea, 'transformer') as unknown as Record<string, NDArray>;
  const [, , T] = decoderWeights!.shape as [number, number, number];
  const forbidden = (2 * T * (T - 1)) / 2;
  const all = encoderWeights!.data.length + decoderWeights!.data.length + crossWeights!.data.length;
  assert.equal(all - forbidden, pairsOf('transformer'));
});

test('transformer_generate: it writes the translation, as one call of the transformer reads it', () => {
  const { generated, length, logits } = run(fovea, 'transformer_generate');
  assert.deepEqual([integers(generated), integers(length)], [[1, 2, 3, 4], [4]]);
  const { inputs, params } = entry('transformer_generate').defaults;
  const form = { heads: 1, normFirst: true, scaleEmbedding: false } as const;
  const whole = transformer(fovea, { ...inputs, target: [0, 1, 2, 3] }, params as never, form);
  near(logits as NDArray, toNested(whole.logits), 1e-4);
  const { encoderWeights, crossWeights } = whole;
  const pairs = encoderWeights!.data.length + crossWeights.data.length + (4 * 5) / 2;
  assert.equal(pairs, pairsOf('transformer_generate'));
});

test('transformer_generate: other texts of the same words are written as they stand', () => {
  for (const source of [
    [0, 3, 2, 1, 4],
    [0, 2, 4],
    [0, 3, 4],
  ]) {
    const { generated } = run(fovea, 'transformer_generate', { source });
    assert.deepEqual(integers(generated), source.slice(1));
  }
});
