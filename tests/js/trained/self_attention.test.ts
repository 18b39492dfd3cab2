/** Two trained layers of self-attention continue a repeated phrase: induction, a head that finds what followed the time before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { MultiHeadAttention } from 'fovea/nn';
import { add, argmax, embedding, matmul, softmax } from 'fovea/ops';
import { isHeldOut, padded } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, part, readTrained, type Checkpoint } from '../support/trained_models.ts';

interface Example {
  readonly words: readonly number[];
  readonly repeated: number;
}

const { checkpoints, examples, chance } = await readTrained<Example>('self_attention');
const HEADS = 2;
const read = examples.map(({ words }) => words.slice(0, -1));
const { ids } = padded(read);
const tokens = ids.shape[1]!;

/** The probabilities of the next word at each place, and the weights of both layers [B, heads, T, T]; causal, so padding is not seen. */
function run({ params }: Checkpoint): { probability: NDArray; weights: NDArray[] } {
  const table = params.get('embedding')!;
  const places = embedding(
    fovea,
    Int32Array.from({ length: tokens }, (_, t) => t),
    params.get('positions')!,
  );
  let x = add(fovea, embedding(fovea, ids, table), places);
  const weights = [0, 1].map((layer) => {
    const attention = new MultiHeadAttention(fovea, { embedDim: table.shape[1]!, numHeads: HEADS, bias: false });
    attention.loadStateDict(part(params, `layers.${layer}.`));
    const options = { causal: true, returnWeights: true, averageAttnWeights: false } as const;
    const result = attention.forward(x, options);
    attention.dispose();
    x = add(fovea, x, result.output as NDArray);
    return result.weights as NDArray;
  });
  return { probability: softmax(fovea, matmul(fovea, x, params.get('head')!)), weights };
}

test('no sequence of the examples can have been trained on', () => {
  const keys = examples.map(({ words, repeated }) => words.slice(0, words.length - repeated).join(' '));
  assert.ok(keys.length >= 100 && keys.every(isHeldOut));
});

for (const checkpoint of checkpoints) {
  const { figures } = checkpoint;
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, as the JSON says`, () => {
    const { probability } = run(checkpoint);
    const best = argmax(fovea, probability).data;
    const words = probability.shape[2]!;
    const decisions = examples.map((example, n) => [best[n * tokens + read[n]!.length - 1] === example.words.at(-1)]);
    const losses = examples.map((example, n) =>
      mean(
        Array.from({ length: example.repeated - 1 }, (_, back) => {
          const t = read[n]!.length - 1 - back;
          return -Math.log(probability.data[(n * tokens + t) * words + example.words[t + 1]!]!);
        }),
      ),
    );
    assertFigures(figures, decisions, losses);
  });
}

test('random weights are near chance; of the trained ones a head of layer 1 looks back one word, one of layer 2 at what followed', () => {
  /** Where the last word was the time before. */
  const before = read.map((words) => words.indexOf(words.at(-1)!));
  /** The largest mean weight that a head of the layer has from one place of each example to another. */
  const weight = ({ data }: NDArray, places: (n: number) => readonly [from: number, to: number]): number => {
    const heads = Array.from({ length: HEADS }, (_, head) =>
      mean(
        examples.map((_, n) => {
          const [from, to] = places(n);
          return data[((n * HEADS + head) * tokens + from) * tokens + to]!;
        }),
      ),
    );
    return Math.max(...heads);
  };
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.ok(random.figures.accuracy < 3 * chance);
  assert.ok(trained.figures.accuracy >= 0.95);
  const weightsOf = (checkpoint: Checkpoint): [previous: number, followed: number] => {
    const [first, second] = run(checkpoint).weights as [NDArray, NDArray];
    return [weight(first, (n) => [before[n]! + 1, before[n]!]), weight(second, (n) => [read[n]!.length - 1, before[n]! + 1])];
  };
  assert.ok(
    weightsOf(random).every((one) => one < 0.4),
    weightsOf(random).join(),
  );
  assert.ok(
    weightsOf(trained).every((one) => one > 0.6),
    weightsOf(trained).join(),
  );
});
