/** The trained key-value memory network answers from two facts of stories that it has never seen: the first hop finds who, the second where. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { keyValueMemory, type KeyValueMemoryResult } from 'fovea/mechanisms';
import { argmax } from 'fovea/ops';
import { isHeldOut } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, readTrained, type Checkpoint, type TrainedModel } from '../support/trained_models.ts';

interface Example {
  /** `ball with Mary` · `Mary in kitchen`. */
  readonly facts: readonly (readonly [string, string, string])[];
  readonly thing: string;
  readonly answer: number;
}

type Model = TrainedModel<Example> & { readonly features: readonly string[]; readonly candidates: readonly string[] };
const { checkpoints, examples, features, candidates, chance } = (await readTrained<Example>('key_value_memory')) as Model;

/** A bag of words for each of the lists, padded with empty ones to `rows` an example. */
function bags(lists: readonly (readonly (readonly string[])[])[], rows: number): NDArray {
  const data = new Float32Array(lists.length * rows * features.length);
  const mark = (n: number, m: number, word: string) => (data[(n * rows + m) * features.length + features.indexOf(word)] = 1);
  lists.forEach((list, n) => list.forEach((bag, m) => bag.forEach((word) => mark(n, m, word))));
  return { data, shape: [lists.length, rows, features.length] };
}

const most = Math.max(...examples.map(({ facts }) => facts.length));
const question = bags(
  examples.map(({ thing }) => [['where', thing]]),
  1,
);
const inputs = {
  question: { data: question.data, shape: [examples.length, features.length] },
  keys: bags(
    examples.map(({ facts }) => facts.map(([subject, relation]) => [subject, relation])),
    most,
  ),
  values: bags(
    examples.map(({ facts }) => facts.map(([, , value]) => [value])),
    most,
  ),
  candidates: bags(
    examples.map(() => candidates.map((place) => [place])),
    candidates.length,
  ),
  answer: Int32Array.from(examples, ({ answer }) => answer),
};
const run = ({ params }: Checkpoint): KeyValueMemoryResult<NDArray> =>
  keyValueMemory(fovea, inputs, params, { memoryLengths: examples.map(({ facts }) => facts.length) });

test('no story of the examples can have been trained on', () => {
  assert.ok(examples.length >= 100);
  assert.ok(examples.every(({ facts }) => isHeldOut(facts.flat().join(' '))));
});

for (const checkpoint of checkpoints) {
  const { figures } = checkpoint;
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, as the JSON says`, () => {
    const { probability, loss } = run(checkpoint);
    const best = argmax(fovea, probability).data;
    assertFigures(
      figures,
      examples.map(({ answer }, n) => [best[n] === answer]),
      loss!.data,
    );
  });
}

test('random weights are near chance; with trained ones hop 1 reads who has the thing, hop 2 where they are', () => {
  /** The mean weight of the fact whose subject is the thing, at hop 1, and of the one of its person, at hop 2. */
  const onFacts = (checkpoint: Checkpoint): [number, number] => {
    const { data } = run(checkpoint).weights;
    const places = examples.map(({ facts, thing }) => {
      const first = facts.findIndex(([subject]) => subject === thing);
      return [first, facts.findIndex(([subject]) => subject === facts[first]![2])] as const;
    });
    const weight = (hop: 0 | 1) => mean(places.map((place, n) => data[(n * 2 + hop) * most + place[hop]]!));
    return [weight(0), weight(1)];
  };
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.ok(random.figures.accuracy < 2 * chance);
  assert.ok(trained.figures.accuracy >= 0.95);
  const weights = onFacts(trained);
  assert.ok(
    weights.every((weight) => weight > 0.8),
    weights.join(),
  );
  assert.ok(onFacts(random).every((weight) => weight < 0.6));
});
