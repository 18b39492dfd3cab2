/** The trained pointer network sorts numbers that it has never seen together: it points at them in rising order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointerNetwork } from 'fovea/mechanisms';
import { isHeldOut, padded } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, readTrained, type Checkpoint } from '../support/trained_models.ts';

const { checkpoints, examples, chance } = await readTrained<{ numbers: number[] }>('pointer_network');
const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
const orders = examples.map(({ numbers }) => sorted(numbers).map((number) => numbers.indexOf(number)));
const { ids, lengths } = padded(examples.map(({ numbers }) => numbers));
const [count, most] = ids.shape as [number, number];
const points = { data: Float32Array.from(ids.data, (number) => number / 100), shape: [count, most, 1] };

const chosen = ({ params }: Checkpoint): number[][] => {
  const { indices } = pointerNetwork(fovea, { points }, params, { sourceLengths: lengths });
  return lengths.map((length, n) => [...indices.data.subarray(n * most, n * most + length)]);
};

test('no set of numbers of the examples can have been trained on', () => {
  const keys = examples.map(({ numbers }) => sorted(numbers).join(' '));
  assert.ok(keys.length >= 100 && new Set(keys).size === keys.length);
  assert.ok(keys.every(isHeldOut));
});

for (const checkpoint of checkpoints) {
  const { figures, params } = checkpoint;
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, as the JSON says`, () => {
    const decisions = chosen(checkpoint).map((row, n) => row.map((place, t) => place === orders[n]![t]));
    const options = { sourceLengths: lengths, targetLengths: lengths };
    const { loss } = pointerNetwork(fovea, { points, targets: padded(orders).ids }, params, options);
    assertFigures(figures, decisions, loss!.data);
  });
}

test('random weights are near chance; trained ones point in order, and at a number not pointed at before', () => {
  const rising = (checkpoint: Checkpoint): number =>
    mean(
      chosen(checkpoint).flatMap((row, n) => {
        const { numbers } = examples[n]!;
        return row.slice(1).map((place, t) => Number(numbers[place]! > numbers[row[t]!]!));
      }),
    );
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.ok(random.figures.accuracy < 2 * chance);
  assert.ok(trained.figures.accuracy >= 0.95);
  assert.ok(rising(random) < 0.6);
  assert.ok(rising(trained) >= 0.95);
});
