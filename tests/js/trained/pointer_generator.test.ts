/** The trained pointer-generator copies names that it cannot know; fine-tuned with coverage, it repeats none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { pointerGenerator, type PointerGeneratorResult } from 'fovea/mechanisms';
import { argmax, embedding, gru } from 'fovea/ops';
import { isHeldOut, padded } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, part, readTrained, type Checkpoint } from '../support/trained_models.ts';

interface Example {
  readonly text: readonly string[];
  readonly report: readonly string[];
}

interface Measures {
  readonly coverageLoss: number;
  readonly repeats: number;
}

const { checkpoints, examples, vocabulary, chance } = await readTrained<Example, Measures>('pointer_generator');
const V = vocabulary.length;
const [unknown, start, end] = ['unknown', 'start', 'end'].map((word) => vocabulary.indexOf(word)) as [number, number, number];

/** Words that the vocabulary lacks are V, V + 1, … in the order of the text. */
const ids = examples.map(({ text, report }) => {
  const strangers = text.filter((word) => !vocabulary.includes(word));
  const id = (word: string) => (vocabulary.includes(word) ? vocabulary.indexOf(word) : V + strangers.indexOf(word));
  return { source: text.map(id), target: report.map(id) };
});
const sources = padded(ids.map(({ source }) => source));
const targets = padded(ids.map(({ target }) => target));
const [count, steps] = targets.ids.shape as [number, number];
const oovCount = Math.max(...sources.ids.data) + 1 - V;

const read = ({ network }: Checkpoint, words: { data: Int32Array; shape: number[] }): NDArray =>
  embedding(fovea, { ...words, data: words.data.map((id) => (id < V ? id : unknown)) }, network.get('embedding.weight')!);

function layer({ network }: Checkpoint, name: string, x: NDArray, options: object): { output: NDArray; hidden: NDArray } {
  return gru(fovea, x, Object.fromEntries(part(network, `${name}.`)), options);
}

/** The states of the source, and the decoder's first: the last ones of both directions. */
function encode(checkpoint: Checkpoint): { source: NDArray; first: NDArray } {
  const { output, hidden } = layer(checkpoint, 'encoder', read(checkpoint, sources.ids), { lengths: sources.lengths });
  const width = hidden.shape[2]!;
  const data = new Float32Array(count * 2 * width);
  for (const direction of [0, 1])
    for (let n = 0; n < count; n++) {
      const from = (direction * count + n) * width;
      data.set(hidden.data.subarray(from, from + width), (2 * n + direction) * width);
    }
  return { source: output, first: { data, shape: [1, count, 2 * width] } };
}

/** Greedy: each word is read by the next step. */
function report(checkpoint: Checkpoint): { words: number[][]; pGen: number[][] } {
  const { source, first } = encode(checkpoint);
  let [hidden, coverage, last] = [first, undefined as NDArray | undefined, new Int32Array(count).fill(start)];
  const rows: { words: Int32Array; pGen: NDArray }[] = [];
  for (let t = 0; t < steps; t++) {
    const x = read(checkpoint, { data: last, shape: [count, 1] });
    const state = layer(checkpoint, 'decoder', x, { initialState: { hidden } });
    const inputs = { source, sourceIds: sources.ids, decoder: state.output, decoderInputs: x };
    const options = { sourceLengths: sources.lengths, oovCount, ...(coverage && { initialState: { coverage } }) };
    const step: PointerGeneratorResult<NDArray> = pointerGenerator(fovea, inputs, checkpoint.params, options);
    [hidden, coverage] = [state.hidden, step.state?.coverage];
    last = Int32Array.from(argmax(fovea, step.distribution).data);
    rows.push({ words: last, pGen: step.pGen! });
  }
  const ofExample = (n: number) => rows.slice(0, targets.lengths[n]);
  return {
    words: examples.map((_, n) => ofExample(n).map(({ words }) => words[n]!)),
    pGen: examples.map((_, n) => ofExample(n).map(({ pGen }) => pGen.data[n]!)),
  };
}

/** Teacher forcing: -ln P(target), the mean of each report's steps. lambda 0 leaves the coverage loss out. */
function forced(checkpoint: Checkpoint, lambda = 0): PointerGeneratorResult<NDArray> {
  const { source, first } = encode(checkpoint);
  const shifted = padded(ids.map(({ target }) => [start, ...target.slice(0, -1)])).ids;
  const x = read(checkpoint, shifted);
  const decoder = layer(checkpoint, 'decoder', x, { initialState: { hidden: first } }).output;
  const inputs = { source, sourceIds: sources.ids, decoder, decoderInputs: x, targets: targets.ids };
  const options = { sourceLengths: sources.lengths, targetLengths: targets.lengths, oovCount, lambda };
  return pointerGenerator(fovea, inputs, checkpoint.params, options);
}

/** The share of words, the end left out, that the report has already. */
const repeats = (words: readonly (readonly number[])[]): number =>
  mean(words.flatMap((row) => row.map((word, t) => Number(word !== end && row.indexOf(word) < t))));

test('no text of the examples can have been trained on, and most of their names are unknown', () => {
  assert.ok(examples.length >= 100 && examples.every(({ text }) => isHeldOut(text.join(' '))));
  const names = ids.flatMap(({ target }) => target.slice(1, -1));
  assert.ok(names.filter((id) => id >= V).length > names.length / 2);
});

for (const checkpoint of checkpoints) {
  const { figures } = checkpoint;
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, repeats ${figures.repeats}, as the JSON says`, () => {
    const { words } = report(checkpoint);
    const decisions = words.map((row, n) => row.map((word, t) => word === ids[n]!.target[t]));
    assertFigures(figures, decisions, forced(checkpoint).loss!.data);
    const all = targets.lengths.reduce((sum, length) => sum + length, 0);
    assert.ok(Math.abs(repeats(words) - figures.repeats) * all <= figures.close * steps + 1e-3);
  });
}

test('random weights are near chance; trained ones generate the first word and copy names', () => {
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.ok(random.figures.accuracy < 2 * chance);
  assert.ok(trained.figures.accuracy >= 0.95);
  const { pGen } = report(trained);
  assert.ok(mean(pGen.map((row) => row[0]!)) > 0.9);
  const copied = pGen.flatMap((row, n) => row.filter((_, t) => ids[n]!.target[t]! >= V));
  assert.ok(mean(copied) < 0.1);
});

test('coverage lowers repeats and the coverage loss', () => {
  const [before, after] = [checkpoints.at(-2)!, checkpoints.at(-1)!];
  assert.ok(!before.params.has('wc') && after.params.has('wc'));
  assert.ok(repeats(report(after).words) < repeats(report(before).words) / 2);
  assert.ok(after.figures.coverageLoss < before.figures.coverageLoss);

  const covered = forced(after).coverageLoss!.data;
  const steps = targets.lengths.flatMap((length, n) => [...covered.subarray(n * targets.ids.shape[1]!).subarray(0, length)]);
  assert.ok(Math.abs(mean(steps) - after.figures.coverageLoss) < 1e-5);
});
