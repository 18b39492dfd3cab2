/** The trained attention-over-attention reader fills blanks in documents that it has never seen, and β counts the words that tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionOverAttention, type AttentionOverAttentionResult } from 'fovea/mechanisms';
import { isHeldOut, padded } from '../../../scripts/train/examples.ts';
import { fovea } from '../support/api.ts';
import { assertFigures, mean, readTrained, type Checkpoint } from '../support/trained_models.ts';

interface Example {
  readonly document: readonly number[];
  readonly query: readonly number[];
  readonly answer: number;
}

interface Measures {
  readonly uniformBetaLoss: number;
  readonly blankBeta: number;
}

const { checkpoints, examples, vocabulary, chance } = await readTrained<Example, Measures>('attention_over_attention');
const documents = padded(examples.map(({ document }) => document));
const query = examples.map((example) => [...example.query]);
const answers = examples.map(({ answer }) => answer);
const [count, length] = documents.ids.shape as [number, number];
const asked = query[0]!.length;

const run = ({ params }: Checkpoint): AttentionOverAttentionResult =>
  attentionOverAttention(fovea, { document: documents.ids, query, answer: Int32Array.from(answers) }, params, {
    documentLengths: documents.lengths,
  });

test('no document of the examples can have been trained on', () => {
  assert.ok(examples.length >= 100);
  assert.ok(examples.every(({ document }) => isHeldOut(document.map((id) => vocabulary[id]).join(' '))));
});

for (const checkpoint of checkpoints) {
  const { figures } = checkpoint;
  test(`after ${figures.steps} steps: accuracy ${figures.accuracy}, as the JSON says`, () => {
    const { words, probability, loss } = run(checkpoint);
    const most = words.shape[1]!;
    const decisions = answers.map((answer, n) => {
      const row = probability.data.subarray(n * most, n * most + most);
      return [words.data[n * most + row.indexOf(Math.max(...row))] === answer];
    });
    assertFigures(figures, decisions, loss!.data);
  });
}

test('random weights are near chance; with trained ones β matters: query words counted alike make the answer less likely', () => {
  /** -ln P(answer) with β = 1/|Q|, from the same α. */
  const uniformLoss = (checkpoint: Checkpoint): number => {
    const { data } = run(checkpoint).alpha;
    const losses = answers.map((answer, n) => {
      const places = examples[n]!.document.flatMap((word, i) => (word === answer ? [i] : []));
      const sum = places.flatMap((i) => [...data.subarray((n * length + i) * asked, (n * length + i + 1) * asked)]);
      return -Math.log(sum.reduce((total, value) => total + value, 0) / asked);
    });
    return mean(losses);
  };
  const [random, trained] = [checkpoints[0]!, checkpoints.at(-1)!];
  assert.equal(count, examples.length);
  assert.ok(random.figures.accuracy < 2 * chance);
  assert.ok(trained.figures.accuracy >= 0.95);
  const loss = uniformLoss(trained);
  assert.ok(Math.abs(loss - trained.figures.uniformBetaLoss) < 1e-4 * loss);
  assert.ok(loss > 2 * trained.figures.loss, `${loss} with β = 1/|Q|, ${trained.figures.loss} with β`);
});
