/** sentenceEmbedding: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { fullyConnected, saliency, sentenceEmbedding } from 'fovea/mechanisms';
import { gru, maxPool } from 'fovea/ops';
import { random, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/sentence_embedding.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const [H, D, K] = [random([5, 4], 1), 4, 3];
const ngram = (m: number, seed: number): { W: Matrix; b: Row } => ({ W: random([m * D, K], seed), b: random([K], seed + 1) });
const params = { ngram: { 1: ngram(1, 2), 2: ngram(2, 4), 4: ngram(4, 6) } };
const run = nested(sentenceEmbedding);
const property = properties<Wrong>(run, reference);

test('sentenceEmbedding agrees with its definition in double', () => {
  assertAgree(run, reference(''), { H }, {}, {});
  assertAgree(run, reference(''), { H }, params, { bidirectional: true, activation: 'tanh' });
  assertAgree(run, reference(''), { H }, params, { lengths: 3, activation: 'none' });
});

agreesOnDrawnCalls(
  run,
  reference,
  ['last of the padding', 'both halves from the last token', 'mean over T', 'n-grams averaged'],
  (draw): DrawnCall => {
    const [T, width, input, isGiven, isTwoWays] = [draw.length(), draw.width(), draw.width(), draw.maybe(), draw.maybe()];
    const D = isTwoWays ? 2 * width : width;
    const sizes = [1, 2, 3, 5].filter(() => draw.maybe());
    const K = draw.width();
    const ngrams = sizes.flatMap((m) => [
      [`ngram.${m}.W`, draw.numbers([m * D, K])],
      [`ngram.${m}.b`, draw.numbers([K])],
    ]);
    const gates = (isTwoWays ? ['', '_reverse'] : ['']).flatMap((way) => [
      [`gru.weight_ih_l0${way}`, draw.numbers([3 * width, input], 2)],
      [`gru.weight_hh_l0${way}`, draw.numbers([3 * width, width])],
    ]);
    return {
      inputs: isGiven ? { H: draw.numbers([T, D]) } : { x: draw.numbers([T, input]) },
      params: Object.fromEntries([...ngrams, ...(isGiven ? [] : gates)]) as Record<string, unknown>,
      options: {
        ...(isGiven && { bidirectional: isTwoWays }),
        ...(draw.maybe() && { activation: draw.one('relu', 'tanh', 'none') }),
        ...(draw.maybe() && { lengths: draw.integer(0, T) }),
      },
    };
  },
);

property('the last state is that of the last token', 'last of the padding', (system) =>
  close(system({ H }, {}, { lengths: 3 })['last'], H[2], 0),
);

property("a backward half's last state is at the first token", 'both halves from the last token', (system) =>
  close(system({ H }, {}, { bidirectional: true })['last'], [...H[4]!.slice(0, 2), ...H[0]!.slice(2)], 0),
);

property('the mean is attention with a query of zeros', 'mean over T', (system) => {
  const { output } = fovea.attention([zeros(D)], H, H, { mask: [[true, true, true, false, false]] });
  return close([system({ H }, {}, { lengths: 3 })['mean']], toNested(output));
});

property('n-grams of size 1 are a fully connected layer and its maximum', 'n-grams averaged', (system) => {
  const { W: W1, b: b1 } = params.ngram[1];
  const { output } = fullyConnected(fovea, { x: H }, { W1, b1 });
  return close(system({ H }, { ngram: { 1: params.ngram[1] } }, {})['ngrams'], toNested(maxPool(fovea, output)));
});

test('maxima are those of saliency, and the order of rows does not matter to them, to means and to n-grams of size 1', () => {
  const { max, maxIndex } = run({ H }, {}, { lengths: 4 });
  const salient = saliency(fovea, { x: H }, {}, { lengths: 4 });
  assert.deepEqual([max, maxIndex], [toNested(salient.maxPooled), [...salient.maxIndex.data]]);
  const shuffled = [3, 0, 4, 1, 2].map((n) => H[n]);
  const [one, other] = [H, shuffled].map((H) => run({ H }, { ngram: { 1: params.ngram[1] } }, {})) as [
    Record<string, Row>,
    Record<string, Row>,
  ];
  for (const name of ['max', 'mean', 'ngrams']) assert.ok(close(other[name], one[name]), name);
  assert.ok(!close(run({ H: shuffled }, params, {})['ngrams'], run({ H }, params, {})['ngrams'], 1e-3));
});

test('x goes through the recurrent layers of the params, which say whether they have two directions', () => {
  const x = random([2, 5, 3], 11);
  const state = Object.fromEntries(
    ['', '_reverse'].flatMap((way, n) => [
      [`weight_ih_l0${way}`, random([6, 3], 12 + n)],
      [`weight_hh_l0${way}`, random([6, 2], 14 + n)],
    ]),
  );
  const states = toNested(gru(fovea, x, state, { lengths: [5, 2] }).output);
  const want = run({ H: states }, params, { lengths: [5, 2], bidirectional: true });
  assert.deepEqual(run({ x }, { ...params, gru: state }, { lengths: [5, 2] }), want);
});

test('no token: zeros and -1; one token is all there is; n-grams that do not fit are 0', () => {
  const none = run({ H: { data: new Float32Array(0), shape: [0, D] } }, params, { bidirectional: true });
  for (const results of [none, run({ H }, params, { lengths: 0 })]) {
    for (const name of ['last', 'mean', 'max']) assert.deepEqual(results[name], zeros(D));
    assert.deepEqual([results['maxIndex'], results['ngrams']], [zeros(D).map(() => -1), zeros(3 * K)]);
  }
  const one = run({ H }, params, { lengths: 1 });
  for (const name of ['last', 'mean', 'max']) assert.ok(close(one[name], H[0], 0), name);
  assert.deepEqual((one['ngrams'] as Row).slice(K), zeros(2 * K));
});

test('a batch is its entries one by one, whatever finite numbers pad them; the states are a copy; nothing else is left', () => {
  const padded = H.map((row, t) => (t < 2 ? row : row.map(() => 3e38)));
  const together = run({ H: [H, padded] }, params, { lengths: [5, 2] });
  const alone = run({ H: H.slice(0, 2) }, params, {});
  for (const name of ['last', 'mean', 'max', 'maxIndex', 'ngrams'])
    assert.ok(close((together[name] as Matrix)[1], alone[name], 0), name);
  leavesNothing(() => {
    const kept = fovea.tensor(H);
    const { H: states, last, mean, max } = sentenceEmbedding(fovea, { H: kept });
    states.dispose();
    assert.deepEqual(toNested(kept), H);
    [kept, last, mean, max].forEach((tensor) => tensor.dispose());
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (inputs: object, given: object, options = {}) =>
    () =>
      sentenceEmbedding(fovea, inputs as never, given as never, options as never);
  fails('option', /exactly one of H, x, got 2/, call({ H, x: H }, {}));
  fails(
    'value',
    /missing ngram.2.b; unexpected ngram.0.W, ngrams/,
    call({ H }, { ngram: { 0: { W: H }, 2: { W: params.ngram[2].W } }, ngrams: H }),
  );
  fails('value', /either lstm or gru with x, got neither/, call({ x: H }, {}));
  fails('option', /bidirectional goes with H/, call({ x: H }, {}, { bidirectional: true }));
  fails('shape', /H must have an even width, got 3/, call({ H: [[1, 2, 3]] }, {}, { bidirectional: true }));
  fails('shape', /ngram.2.W must be \[2D, K\]/, call({ H }, { ngram: { 2: ngram(3, 1) } }));
  fails('option', /activation must be 'relu' or 'tanh' or 'none'/, call({ H }, params, { activation: 'elu' }));
});
