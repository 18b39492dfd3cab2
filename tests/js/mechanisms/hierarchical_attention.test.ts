/** hierarchicalAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { hierarchicalAttention } from 'fovea/mechanisms';
import { softmax as softmaxRow } from 'fovea/ops';
import { mix, random, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type State, type Wrong } from '../reference/hierarchical_attention.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type Draw, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(hierarchicalAttention);
const property = properties<Wrong>(run, reference);
const gru = (width: number, hidden: number, seed: number): State =>
  Object.fromEntries(
    ['', '_reverse'].flatMap((way, n) => [
      [`weight_ih_l0${way}`, random([3 * hidden, width], seed + n)],
      [`weight_hh_l0${way}`, random([3 * hidden, hidden], seed + n + 2)],
    ]),
  );
// The projections are as wide as the states, so that a sum of the wrong ones has the right shape.
const params = {
  word: { gru: gru(3, 2, 1), Ww: random([4, 4], 5, 2), bw: random([4], 6), uw: random([4], 7, 3) },
  sentence: { gru: gru(4, 2, 8), Ws: random([4, 4], 12, 2), bs: random([4], 13), us: random([4], 14, 3) },
  ...{ Wc: random([4, 3], 15, 2), bc: random([3], 16) },
};
const words = random([3, 4, 3], 17);
const inputs = { words, target: 1 };

test('hierarchicalAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), inputs, params, {});
  assertAgree(run, reference(''), inputs, params, { wordLengths: [4, 0, 2] });
});

function drawnLevel(draw: Draw, width: number): { level: [gru: State, W: Matrix, b: Row, u: Row]; states: number } {
  const hidden = draw.width();
  const states = 2 * hidden;
  const ways = ['', '_reverse'].flatMap((way) => [
    [`weight_ih_l0${way}`, draw.numbers([3 * hidden, width])],
    [`weight_hh_l0${way}`, draw.numbers([3 * hidden, hidden])],
  ]);
  const W = draw.numbers([states, states]);
  return { level: [Object.fromEntries(ways) as State, W, draw.numbers([states]), draw.numbers([states], 3)], states };
}

agreesOnDrawnCalls(
  run,
  reference,
  ['padding attended', 'sums the projection', 'backward begins in the padding'],
  (draw): DrawnCall => {
    const [sentences, words] = draw.lengths(2);
    const [width, classes] = draw.widths(2);
    const word = drawnLevel(draw, width);
    const sentence = drawnLevel(draw, word.states);
    const [[wordGru, Ww, bw, uw], [sentenceGru, Ws, bs, us]] = [word.level, sentence.level];
    return {
      inputs: { words: draw.numbers([sentences, words, width]), target: draw.integer(0, classes - 1) },
      params: {
        word: { gru: wordGru, Ww, bw, uw },
        sentence: { gru: sentenceGru, Ws, bs, us },
        ...{ Wc: draw.numbers([sentence.states, classes]), bc: draw.numbers([classes]) },
      },
      options: draw.maybe() ? { wordLengths: draw.integers(sentences, 0, words) } : {},
    };
  },
);

property('weights of words and of sentences sum to 1, and are 0 in the padding', 'padding attended', (system) => {
  const { wordWeights, sentenceWeights, probability } = system(inputs, params, { wordLengths: [4, 0, 2] });
  const [first, empty, third] = wordWeights as Matrix;
  const zero = close(empty, zeros(4), 0) && close(third!.slice(2), zeros(2), 0);
  return zero && rowsSumToOne([first, third, sentenceWeights, probability]);
});

property('a sentence is a sum of states', 'sums the projection', (system) => {
  const { wordWeights, wordStates, sentences } = system(inputs, params, {});
  return close(
    sentences,
    (wordWeights as Matrix).map((weights, i) => mix(weights, (wordStates as Matrix[])[i]!, 4)),
  );
});

property('the backward GRU begins at the last word', 'backward begins in the padding', (system) => {
  const padded = system(inputs, params, { wordLengths: [2, 2, 2] });
  const cut = system({ ...inputs, words: words.map((rows) => rows.slice(0, 2)) }, params, {});
  return ['sentences', 'document', 'loss'].every((name) => close(padded[name], cut[name], 1e-12));
});

test('one sentence of one word is its own state', () => {
  const { wordWeights, sentenceWeights, document, sentenceStates } = run({ words: [[words[0]![0]!]] }, params, {});
  assert.deepEqual([wordWeights, sentenceWeights, [document]], [[[1]], [1], sentenceStates]);
});

test('an empty sentence is a step like any other; a document without sentences has the probability of the bias', () => {
  const { sentences, sentenceStates, sentenceWeights } = run(inputs, params, { wordLengths: [4, 0, 2] }) as Record<
    string,
    Matrix
  >;
  assert.deepEqual(sentences![1], zeros(4));
  assert.ok(sentenceStates![1]!.some((x) => x !== 0) && Number(sentenceWeights![1]) > 0);
  const bias = toNested(softmaxRow(fovea, params.bc));
  for (const none of [
    run({ words: { data: new Float32Array(0), shape: [0, 4, 3] } }, params, {}),
    run(inputs, params, { documentLengths: 0 }),
  ]) {
    assert.deepEqual(none['document'], zeros(4));
    assert.deepEqual(none['probability'], bias);
  }
  assert.deepEqual(run({ words: { data: new Float32Array(0), shape: [2, 0, 3] } }, params, {})['wordWeights'], [[], []]);
});

test('a batch is its documents one by one; what stands in their padding changes nothing; nothing else is left', () => {
  const [wordLengths, documentLengths] = [[[4, 2, 3], [1, 0, 4]], [3, 2]]; // prettier-ignore
  const other = random([3, 4, 3], 18);
  const together = run({ words: [words, other], target: [0, 2] }, params, { wordLengths, documentLengths });
  const far = other.map((rows, i) => rows.map((row, t) => (i < 2 && t < wordLengths[1]![i]! ? row : row.map(() => 3e38))));
  [words, far].forEach((words, b) => {
    const options = { wordLengths: wordLengths[b], documentLengths: documentLengths[b] };
    for (const [name, value] of Object.entries(run({ words, target: [0, 2][b] }, params, options)))
      assert.ok(close((together[name] as unknown[])[b], value, 0), name);
  });
  assert.deepEqual((together['wordWeights'] as Matrix[])[1]![2], zeros(4));
  leavesNothing(() => {
    const kept = fovea.tensor(words);
    const results = hierarchicalAttention(fovea, { words: kept }, params);
    Object.values(results).forEach((tensor) => (tensor as { dispose(): void }).dispose());
    kept.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (given: object, own: object = params, options = {}) =>
    () =>
      hierarchicalAttention(fovea, given as never, own as never, options);
  fails('value', /missing Wc; unexpected V/, call(inputs, { ...params, Wc: undefined, V: words }));
  fails('value', /target must be a class from 0 to 2, got 3/, call({ words, target: 3 }));
  fails('shape', /wordLengths must be a number or \[3\], got \[2\]/, call(inputs, params, { wordLengths: [1, 2] }));
  fails('value', /wordLengths/, call(inputs, params, { wordLengths: [1, 2, 5] }));
  fails('shape', /bc must be \[C\] = \[3\], got \[2\]/, call(inputs, { ...params, bc: [1, 2] }));
  fails('value', /hierarchicalAttention: .*weight_hh_l0/, call(inputs, { ...params, word: { ...params.word, gru: {} } }));
});
