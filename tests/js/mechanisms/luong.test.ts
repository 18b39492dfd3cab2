/** luong: its properties, each beside the wrong variant that it catches, empty sources, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { luong } from 'fovea/mechanisms';
import { score } from 'fovea/score';
import { random, zeros, type Matrix } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/luong.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(luong);
const property = properties<Wrong>(run, reference);
const [E, S, V] = [3, 4, 5];
const lstm = (input: number) => ({
  weight_ih_l0: random([4 * S, input], 21),
  weight_hh_l0: random([4 * S, S], 22),
  bias_ih_l0: random([4 * S], 23),
  bias_hh_l0: random([4 * S], 24),
});
const identity = random([S, S], 1).map((row, i) => row.map((_, j) => Number(i === j)));
const source = random([6, S], 2);
const decoder = random([5, S], 3);
const decoderInputs = random([5, E], 4);
const Wc = random([2 * S, S], 5);
const Ws = random([S, V], 6);
const Wa = random([S, S], 7);
const fed = { Wa, Wc, Ws, decoder: lstm(E + S) };
const additive = { Wa: random([2 * S, 3], 8), va: random([3], 9, 2) };

test('luong agrees with the equations in double', () => {
  const targets = [1, 0, 4, 2, 2];
  assertAgree(run, reference(''), { source, decoder, targets }, { Wa, Wc, Ws }, { sourceLengths: 4 });
  assertAgree(run, reference(''), { source, decoder }, { ...additive, Wc }, { score: 'concat' });
  assertAgree(run, reference(''), { source, decoderInputs }, { Wc, decoder: lstm(E) }, { score: 'dot' });
  assertAgree(run, reference(''), { source, decoderInputs, targets }, fed, { inputFeeding: true });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'softmax over the padding',
    'dot divided by √S',
    '[h̄; h_t]',
    'h_{t-1} is the query',
    '[h_t; c_t]',
    'state.attentional lost',
    'c_t is fed',
  ],
  (draw) => {
    const [Ts, Tt] = draw.lengths(2);
    const [Hs, E, D, A, V] = draw.widths(5);
    const score = draw.one('dot', 'general', 'concat');
    const S = score === 'dot' ? Hs : draw.width();
    const [given, inputFeeding] = [draw.maybe(), draw.maybe()];
    const feeds = !given && inputFeeding;
    const input = feeds ? E + D : E;
    const biases = { bias_ih_l0: draw.numbers([4 * S]), bias_hh_l0: draw.numbers([4 * S]) };
    const lstm = {
      weight_ih_l0: draw.numbers([4 * S, input]),
      weight_hh_l0: draw.numbers([4 * S, S]),
      ...(draw.maybe() && biases),
    };
    const state = { h: draw.numbers([1, S]), c: draw.numbers([1, S]), ...(feeds && { attentional: draw.numbers([D]) }) };
    const words = draw.maybe();
    return {
      inputs: {
        source: draw.numbers([Ts, Hs]),
        ...(given ? { decoder: draw.numbers([Tt, S]) } : { decoderInputs: draw.numbers([Tt, E]) }),
        ...(words && draw.maybe() && { targets: draw.integers(Tt, 0, V - 1) }),
      },
      params: {
        ...(score === 'general' && { Wa: draw.numbers([S, Hs]) }),
        ...(score === 'concat' && { Wa: draw.numbers([S + Hs, A]), va: draw.numbers([A], 2) }),
        Wc: draw.numbers([Hs + S, D]),
        ...(words && { Ws: draw.numbers([D, V]) }),
        ...(!given && { decoder: lstm }),
      },
      options: {
        ...{ score, inputFeeding: feeds },
        ...(draw.maybe() && { sourceLengths: draw.integer(0, Ts) }),
        ...(!given && draw.maybe() && { initialState: state }),
      },
    };
  },
);

property('rows of weights sum to 1, padding is 0 and never shows', 'softmax over the padding', (luong) => {
  const params = { Wa, Wc };
  const padded = luong({ source, decoder }, params, { sourceLengths: 4 });
  const cut = luong({ source: source.slice(0, 4), decoder }, params, {});
  const weights = padded['weights'] as Matrix;
  const paddingIsZero = weights.every((row) => row[4] === 0 && row[5] === 0);
  return rowsSumToOne(weights) && paddingIsZero && close(padded['attentional'], cut['attentional'], 1e-6);
});

property("'dot' is 'general' with the identity", 'dot divided by √S', (luong) =>
  close(
    luong({ source, decoder }, { Wc }, { score: 'dot' })['weights'],
    luong({ source, decoder }, { Wa: identity, Wc }, {})['weights'],
  ),
);

property("'concat' is the additive score with the halves of Wa", '[h̄; h_t]', (luong) => {
  const { weights } = luong({ source, decoder }, { ...additive, Wc }, { score: 'concat' });
  const { Wa, va } = additive;
  const one = score.additive({ Wq: Wa.slice(0, S), Wk: Wa.slice(S), w: va });
  const asked = fovea.attention(decoder, source, source, { score: one, returnWeights: true });
  return close(weights, toNested(asked.weights), 1e-5);
});

property('weights are plain attention of the states over the source', 'h_{t-1} is the query', (luong) => {
  const { weights, context, states } = luong({ source, decoderInputs }, { Wc, decoder: lstm(E) }, { score: 'dot' });
  const asked = fovea.attention(states as Matrix, source, source, { scale: 1, returnWeights: true });
  return close(weights, toNested(asked.weights)) && close(context, toNested(asked.output));
});

property('with the first Hs rows of Wc at 0 the source does not matter', '[h_t; c_t]', (luong) => {
  const params = { Wa, Wc: Wc.map((row, i) => (i < S ? zeros(S) : row)) };
  const [one, other] = [source, random([6, S], 10)].map((source) => luong({ source, decoder }, params, {}));
  return close(one!['attentional'], other!['attentional'], 0);
});

property('T steps in one call are T calls of one step, bit for bit', 'state.attentional lost', (luong) => {
  const options = { inputFeeding: true, sourceLengths: 5 };
  const whole = luong({ source, decoderInputs }, fed, options);
  let initialState = {};
  return decoderInputs.every((row, t) => {
    const { state, ...step } = luong({ source, decoderInputs: [row] }, fed, { ...options, initialState });
    initialState = state as object;
    const isLast = t === decoderInputs.length - 1;
    const names = ['weights', 'context', 'attentional', 'states', 'probability'];
    return (
      (!isLast || close(state, whole['state'], 0)) &&
      names.every((name) => close((step[name] as Matrix)[0], (whole[name] as Matrix)[t], 0))
    );
  });
});

property('with input feeding step 1 reads row 0 of attentional', 'c_t is fed', (luong) => {
  const whole = luong({ source, decoderInputs }, fed, { inputFeeding: true });
  const first = luong({ source, decoderInputs: decoderInputs.slice(0, 1) }, fed, { inputFeeding: true });
  const initialState = { ...(first['state'] as object), attentional: (whole['attentional'] as Matrix)[0] };
  const second = luong({ source, decoderInputs: [decoderInputs[1]!] }, fed, { inputFeeding: true, initialState });
  return close((second['attentional'] as Matrix)[0], (whole['attentional'] as Matrix)[1]);
});

test('an empty source: weights and context 0, attentional tanh([0; h_t] Wc); no step at all: empty results', () => {
  const none = { data: new Float32Array(0), shape: [0, S] };
  const want = reference('')({ source: [zeros(S)], decoder }, { Wc }, { score: 'dot', sourceLengths: 0 });
  for (const results of [
    luong(fovea, { source: none, decoder }, { Wc }, { score: 'dot' }),
    luong(fovea, { source, decoder }, { Wc }, { score: 'dot', sourceLengths: 0 }),
  ]) {
    assert.ok([...results.weights.data, ...results.context.data].every((value) => value === 0));
    assert.ok(close(toNested(results.attentional), want['attentional']));
  }
  const start = { h: [decoder[0]!], c: [decoder[1]!], attentional: decoder[2]! };
  const empty = { data: new Float32Array(0), shape: [0, E] };
  const rest = luong(fovea, { source, decoderInputs: empty, targets: Int32Array.of() }, fed, {
    inputFeeding: true,
    initialState: start,
  });
  assert.deepEqual([rest.weights.shape, rest.probability!.shape, toNested(rest.loss!)], [[0, 6], [0, V], 0]);
  assert.deepEqual(
    Object.values(rest.state!).map((state) => toNested(state)),
    Object.values(start),
  );
});

test('a batch is its entries one by one', () => {
  const batch = { source: random([3, 6, S], 11), decoderInputs: random([3, 5, E], 12) };
  const together = run(batch, fed, { inputFeeding: true, sourceLengths: [6, 0, 3] });
  [6, 0, 3].forEach((sourceLengths, b) => {
    const alone = run({ source: batch.source[b], decoderInputs: batch.decoderInputs[b] }, fed, {
      inputFeeding: true,
      sourceLengths,
    });
    const { h } = alone['state'] as { h: Matrix };
    assert.ok(close((together['probability'] as Matrix[])[b], alone['probability']));
    assert.ok(close((together['state'] as { h: Matrix[] }).h[b], h));
  });
  leavesNothing(() => luong(fovea, { source, decoderInputs }, fed, { inputFeeding: true, trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call = (inputs: object, params: object, options?: object) => () =>
    luong(fovea, { source, ...inputs }, params as never, options);
  fails(
    'option',
    /luong: inputs must have exactly one of decoder, decoderInputs, got 2 of them/,
    call({ decoder, decoderInputs }, { Wa, Wc }),
  );
  fails('option', /luong: inputs must have exactly one of decoder, decoderInputs, got none/, call({}, { Wa, Wc }));
  fails('option', /luong: inputFeeding cannot be combined with decoder/, call({ decoder }, { Wa, Wc }, { inputFeeding: true }));
  fails('option', /luong: score must be/, call({ decoder }, { Wa, Wc }, { score: 'cosine' }));
  fails(
    'value',
    /luong: params must have .*missing Wa, va, Wc; unexpected W, v/,
    call({ decoder }, { W: 1, v: 2 }, { score: 'concat' }),
  );
  fails(
    'value',
    /luong: params must have .*missing decoder.weight_ih_l0, decoder.weight_hh_l0/,
    call({ decoderInputs }, { Wa, Wc }),
  );
  fails(
    'shape',
    /luong: decoder.weight_ih_l0 must be \[4S, E\+D\] = \[16, 7\], got \[16, 3\]/,
    call({ decoderInputs }, { ...fed, decoder: lstm(E) }, { inputFeeding: true }),
  );
  fails(
    'shape',
    /luong: the score 'dot' needs S = Hs, got S = 3/,
    call({ decoder: random([2, 3], 1) }, { Wc: random([7, 2], 1) }, { score: 'dot' }),
  );
  fails(
    'shape',
    /luong: Wa must be \[S\+Hs, A\], got \[4, 4\]/,
    call({ decoder }, { Wa, va: [1, 2, 3, 4], Wc }, { score: 'concat' }),
  );
  fails(
    'value',
    /luong: targets must be ids from 0 to 4, got 5 at step 1/,
    call({ decoder, targets: [0, 5, 0, 0, 0] }, { Wa, Wc, Ws }),
  );
  fails('value', /luong: targetLengths/, call({ decoder }, { Wa, Wc }, { targetLengths: 6 }));
  fails('option', /luong: unknown state 'h'/, call({ decoder }, { Wa, Wc }, { initialState: { h: [zeros(S)] } }));
  fails(
    'shape',
    /luong: initialState.h must be \[1, 4\], got \[2, 4\]/,
    call({ decoderInputs }, fed, { inputFeeding: true, initialState: { h: [zeros(S), zeros(S)] } }),
  );
});
