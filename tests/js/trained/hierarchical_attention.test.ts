/** The trained hierarchical attention network judges documents that it has never seen by the sentence, and the word, that decide. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { hierarchicalAttention, type HierarchicalAttentionResult } from 'fovea/mechanisms';
import { argmax, embedding } from 'fovea/ops';
import { isHeldOut } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, readTrained, type Checkpoint } from '../support/trained_models.ts';

interface Example {
  /** [sentences][words]. */
  readonly words: readonly (readonly number[])[];
  readonly positive: 0 | 1;
  readonly deciding: number;
}

interface Measures {
  readonly decidingWeight: number;
}

const { checkpoints, examples, vocabulary } = await readTrained<Example, Measures>('hierarchical_attention');
const [sentences, words] = [examples[0]!.words.length, examples[0]!.words[0]!.length];
/** The vocabulary begins with 8 words that praise and 8 that blame. */
const isJudgment = (word: number): boolean => word < 16;

const run = ({ params, network }: Checkpoint): HierarchicalAttentionResult<NDArray> => {
  const ids = examples.map((example) => example.words);
  const x = embedding(fovea, ids, network.get('embedding.weight')!);
  return hierarchicalAttention(fovea, { words: x, target: Int32Array.from(examples, ({ positive }) => positive) }, params);
};

test('no document of the examples can have been trained on', () => {
  assert.ok(examples.length >= 100);
  const key = (example: Example) =>
    example.words
      .flat()
      .map((id) => vocabulary[id])
      .join(' ');
  assert.ok(examples.every((example) => isHeldOut(key(example))));
});

for (const checkpoint of checkpoints) {
  const { figures } = checkpoint;
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, as the JSON says`, () => {
    const { probability, loss } = run(checkpoint);
    const best = argmax(fovea, probability).data;
    assertFigures(
      figures,
      examples.map(({ positive }, n) => [best[n] === positive]),
      loss!.data,
    );
  });
}

test('random weights are near chance; trained ones weigh the sentence with `overall`, and in it the word that judges', () => {
  const weights = (checkpoint: Checkpoint): { sentence: number; word: number } => {
    const { sentenceWeights, wordWeights } = run(checkpoint);
    const sentence = mean(examples.map(({ deciding }, n) => sentenceWeights.data[n * sentences + deciding]!));
    const judging = examples.map((example, n) => {
      const row = (n * sentences + example.deciding) * words;
      return wordWeights.data[row + example.words[example.deciding]!.findIndex(isJudgment)]!;
    });
    return { sentence, word: mean(judging) };
  };
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.ok(random.figures.accuracy < 0.62);
  assert.ok(trained.figures.accuracy >= 0.95);
  assert.ok(Math.abs(weights(trained).sentence - trained.figures.decidingWeight) < 1e-5);
  assert.ok(weights(random).sentence < 0.4 && weights(random).word < 0.3);
  assert.ok(weights(trained).sentence > 0.8, String(weights(trained).sentence));
});
