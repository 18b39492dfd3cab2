/** The trained encoder-decoder reverses words that it has never seen, and its alignment is the anti-diagonal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { bahdanau, type BahdanauResult } from 'fovea/mechanisms';
import { argmax, embedding, gru } from 'fovea/ops';
import { isHeldOut, padded } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, part, readTrained, type Checkpoint } from '../support/trained_models.ts';

interface Measures {
  readonly antiDiagonal: number;
}

const { checkpoints, examples, vocabulary, chance } = await readTrained<{ word: string }, Measures>('bahdanau');
const words = examples.map(({ word }) => [...word].map((letter) => vocabulary.indexOf(letter)));
const targets = words.map((word) => [...[...word].reverse(), vocabulary.indexOf('end')]);
const start = vocabulary.indexOf('start');

function encode({ network }: Checkpoint): { source: NDArray; sourceLengths: number[] } {
  const { ids, lengths } = padded(words);
  const x = embedding(fovea, ids, network.get('embedding.weight')!);
  const { output } = gru(fovea, x, Object.fromEntries(part(network, 'encoder.')), { lengths });
  return { source: output, sourceLengths: lengths };
}

/** Word by word, each letter read by the next step: the letters, and the weights of each step. */
function reverse(checkpoint: Checkpoint): { letters: Int32Array[]; weights: NDArray[] } {
  const { source, sourceLengths } = encode(checkpoint);
  const [letters, weights]: [Int32Array[], NDArray[]] = [[], []];
  let [last, state]: [Int32Array, { s: NDArray } | undefined] = [new Int32Array(words.length).fill(start), undefined];
  for (let t = 0; t < 9; t++) {
    const y = embedding(fovea, { data: last, shape: [words.length, 1] }, checkpoint.network.get('embedding.weight')!);
    const options = { sourceLengths, initialState: state };
    const step: BahdanauResult<NDArray> = bahdanau(fovea, { source, decoderInputs: y }, checkpoint.params, options);
    last = argmax(fovea, step.probability!).data;
    state = step.state;
    letters.push(last);
    weights.push(step.weights);
  }
  return { letters, weights };
}

function losses(checkpoint: Checkpoint): NDArray {
  const { source, sourceLengths } = encode(checkpoint);
  const { ids, lengths } = padded(targets);
  const read = padded(targets.map((row) => [start, ...row.slice(0, -1)])).ids;
  const decoderInputs = embedding(fovea, read, checkpoint.network.get('embedding.weight')!);
  const inputs = { source, decoderInputs, targets: ids };
  return bahdanau(fovea, inputs, checkpoint.params, { sourceLengths, targetLengths: lengths }).loss!;
}

test('no word of the examples can have been trained on', () => {
  assert.ok(examples.length >= 100 && new Set(examples.map(({ word }) => word)).size === examples.length);
  assert.ok(examples.every(({ word }) => isHeldOut(word)));
});

for (const checkpoint of checkpoints) {
  const { figures } = checkpoint;
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, as the JSON says`, () => {
    const { letters } = reverse(checkpoint);
    const decisions = targets.map((row, n) => row.map((letter, t) => letters[t]![n] === letter));
    assertFigures(figures, decisions, losses(checkpoint).data);
  });
}

test('random weights are near chance, trained ones reverse words, and the alignment becomes the anti-diagonal', () => {
  const antiDiagonal = (checkpoint: Checkpoint): number => {
    const { weights } = reverse(checkpoint);
    const rows = words.flatMap(({ length }, n) =>
      Array.from({ length }, (_, t) => {
        const row = weights[t]!.data.subarray(n * 8, n * 8 + 8);
        return Number(row.indexOf(Math.max(...row)) === length - 1 - t);
      }),
    );
    return mean(rows);
  };
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.ok(random.figures.accuracy < 3 * chance);
  assert.ok(trained.figures.accuracy >= 0.95);
  assert.ok(antiDiagonal(random) < 0.5);
  assert.ok(antiDiagonal(trained) >= 0.95);
  assert.ok(Math.abs(antiDiagonal(trained) - trained.figures.antiDiagonal) < 0.005);
});
