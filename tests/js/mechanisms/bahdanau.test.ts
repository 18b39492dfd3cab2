/** bahdanau: its properties, each beside the wrong variant that it catches, empty sources, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { bahdanau } from 'fovea/mechanisms';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { reference, type Wrong } from '../reference/bahdanau.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';
import { hadamard, plus, random, sigmoid, tanh, times, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';

const run = nested(bahdanau);
const property = properties<Wrong>(run, reference);
const [Hs, S, A, E, l, V] = [5, 4, 3, 3, 3, 6];
const source = random([6, Hs], 1);
const decoderInputs = random([5, E], 2);
const s = random([S], 3);
const alignment = { Wa: random([S, A], 4), Ua: random([Hs, A], 5), va: random([A], 6, 2) };
const cell = {
  ...{ W: random([E, S], 7), Wz: random([E, S], 8), Wr: random([E, S], 9) },
  ...{ U: random([S, S], 10), Uz: random([S, S], 11), Ur: random([S, S], 12) },
  ...{ C: random([Hs, S], 13), Cz: random([Hs, S], 14), Cr: random([Hs, S], 15) },
};
const words = { Uo: random([S, 2 * l], 16), Vo: random([E, 2 * l], 17), Co: random([Hs, 2 * l], 18), Wo: random([l, V], 19) };
const params = { ...alignment, ...cell, ...words };

test('bahdanau agrees with the equations in double', () => {
  const biases = {
    ba: random([A], 20),
    b: random([S], 21),
    bz: random([S], 22),
    br: random([S], 23),
    bt: random([2 * l], 24),
    bo: random([V], 25),
  };
  assertAgree(run, reference(''), { source, decoderInputs }, params, {});
  const first = { Ws: random([Hs - Math.floor(Hs / 2), S], 26), bs: random([S], 27) };
  assertAgree(
    run,
    reference(''),
    { source, decoderInputs },
    { ...params, ...biases, ...first },
    { readout: 'current', sourceLengths: 4 },
  );
  assertAgree(run, reference(''), { source, decoderInputs }, { ...params, ...first }, { initialState: { s } });
});

agreesOnDrawnCalls<Wrong>(
  run,
  reference,
  [
    'softmax over the padding',
    'state is s_{T-1}',
    'the query has read y_{t-1}',
    'z and 1 - z exchanged',
    'r multiplies the finished product',
    'maxout of the two halves',
    's_t is read',
  ],
  (draw) => {
    const [Ts, Tt] = draw.lengths(2);
    const [Hs, S, A, E, l, V] = draw.widths(6);
    const gates = ['', 'z', 'r'];
    const named = (letter: string, shape: readonly number[]) =>
      Object.fromEntries(gates.map((gate) => [`${letter}${gate}`, draw.numbers(shape)]));
    const bias = (name: string, width: number) => draw.maybe() && { [name]: draw.numbers([width]) };
    const readout = () => ({
      ...{ Uo: draw.numbers([S, 2 * l]), Vo: draw.numbers([E, 2 * l]), Co: draw.numbers([Hs, 2 * l]) },
      ...{ Wo: draw.numbers([l, V]), ...bias('bt', 2 * l), ...bias('bo', V) },
    });
    return {
      inputs: { source: draw.numbers([Ts, Hs]), decoderInputs: draw.numbers([Tt, E]) },
      params: {
        ...{ Wa: draw.numbers([S, A]), Ua: draw.numbers([Hs, A]), va: draw.numbers([A], 2) },
        ...{ ...named('W', [E, S]), ...named('U', [S, S]), ...named('C', [Hs, S]) },
        ...{ ...bias('ba', A), ...bias('b', S), ...bias('bz', S), ...bias('br', S) },
        ...(draw.maybe() && readout()),
        ...(draw.maybe() && { Ws: draw.numbers([Hs - Math.floor(Hs / 2), S]), ...bias('bs', S) }),
      },
      options: {
        readout: draw.one('previous', 'current'),
        ...(draw.maybe() && { sourceLengths: draw.integer(0, Ts) }),
        ...(draw.maybe() && { initialState: { s: draw.numbers([S]) } }),
      },
    };
  },
);

property('rows of weights sum to 1, padding is 0 and never shows', 'softmax over the padding', (bahdanau) => {
  const padded = bahdanau({ source, decoderInputs }, params, { sourceLengths: 4 });
  const cut = bahdanau({ source: source.slice(0, 4), decoderInputs }, params, {});
  const weights = padded['weights'] as Matrix;
  return (
    rowsSumToOne(weights) && weights.every((row) => row[4] === 0 && row[5] === 0) && close(padded['states'], cut['states'])
  );
});

property('T steps in one call are T calls of one step, bit for bit', 'state is s_{T-1}', (bahdanau) => {
  const whole = bahdanau({ source, decoderInputs }, params, {});
  let initialState = {};
  return (
    decoderInputs.every((y, t) => {
      const step = bahdanau({ source, decoderInputs: [y] }, params, { initialState });
      initialState = step['state'] as object;
      const names = ['weights', 'context', 'states', 'probability'];
      return names.every((name) => close((step[name] as Matrix)[0], (whole[name] as Matrix)[t], 0));
    }) && close(initialState, whole['state'], 0)
  );
});

property('row t of weights does not depend on row t of decoderInputs', 'the query has read y_{t-1}', (bahdanau) => {
  const changed = decoderInputs.map((row, t) => (t === 2 ? row.map((x) => x + 1) : row));
  const [one, other] = [decoderInputs, changed].map(
    (decoderInputs) => bahdanau({ source, decoderInputs }, params, {})['weights'] as Matrix,
  );
  return close(one![2], other![2], 0) && !close(one![3], other![3], 1e-4);
});

property('z = 0 keeps the state', 'z and 1 - z exchanged', (bahdanau) => {
  const { states } = bahdanau({ source, decoderInputs }, { ...params, bz: zeros(S).map(() => -1000) }, { initialState: { s } });
  return (states as Matrix).every((row) => close(row, s, 0));
});

property('s_1 is the equation of the reset before the product', 'r multiplies the finished product', (bahdanau) => {
  const { states, context } = bahdanau({ source, decoderInputs }, params, { initialState: { s } });
  const [y, c] = [decoderInputs[0]!, (context as Matrix)[0]!];
  const from = (W: Matrix, U: Matrix, C: Matrix, state: Row): Row => plus(times(y, W), times(state, U), times(c, C));
  const [z, r] = [sigmoid(from(cell.Wz, cell.Uz, cell.Cz, s)), sigmoid(from(cell.Wr, cell.Ur, cell.Cr, s))];
  const candidate = tanh(from(cell.W, cell.U, cell.C, hadamard(r, s)));
  return close(
    (states as Matrix)[0],
    s.map((old, n) => (1 - z[n]!) * old + z[n]! * candidate[n]!),
  );
});

property('exchanging columns 2j and 2j + 1 changes no probability', 'maxout of the two halves', (bahdanau) => {
  const exchange = (W: Matrix): Matrix => W.map((row) => row.map((_, n) => row[n ^ 1]!));
  const exchanged = { ...params, Uo: exchange(words.Uo), Vo: exchange(words.Vo), Co: exchange(words.Co) };
  const [one, other] = [params, exchanged].map((params) => bahdanau({ source, decoderInputs }, params, {}));
  return close(one!['probability'], other!['probability'], 1e-6);
});

property("with the readout 'previous' row 0 of probability does not depend on W", 's_t is read', (bahdanau) => {
  const [one, other] = [cell.W, random([E, S], 28)].map(
    (W) => bahdanau({ source, decoderInputs }, { ...params, W }, {})['probability'] as Matrix,
  );
  return close(one![0], other![0], 0) && !close(one![1], other![1], 1e-4);
});

test('an empty source: weights and context 0, s_0 = tanh(bs) or 0, and the decoder runs on', () => {
  const none = { data: new Float32Array(0), shape: [0, Hs] };
  const first = { Ws: random([3, S], 29), bs: random([S], 30) };
  for (const extra of [{}, first]) {
    const want = reference('')({ source: [zeros(Hs)], decoderInputs }, { ...params, ...extra }, { sourceLengths: 0 });
    for (const results of [
      bahdanau(fovea, { source: none, decoderInputs }, { ...params, ...extra }),
      bahdanau(fovea, { source, decoderInputs }, { ...params, ...extra }, { sourceLengths: 0 }),
    ]) {
      assert.ok([...results.weights.data, ...results.context.data].every((value) => value === 0));
      assert.ok(close(toNested(results.states), want['states']));
    }
  }
  const one = bahdanau(fovea, { source: source.slice(0, 1), decoderInputs }, params);
  assert.deepEqual(
    toNested(one.weights),
    decoderInputs.map(() => [1]),
  );
});

test('no step: results of 0 rows, loss 0, and the initial state', () => {
  const empty = { source, decoderInputs: { data: [], shape: [0, E] }, targets: Int32Array.of() };
  const results = bahdanau(fovea, empty, params, { initialState: { s } });
  assert.deepEqual(
    [results.weights.shape, results.probability!.shape],
    [
      [0, 6],
      [0, V],
    ],
  );
  assert.deepEqual([toNested(results.loss!), toNested(results.state.s)], [0, s]);
  leavesNothing(() => {
    const given = fovea.tensor([s]);
    const kept = fovea.tensor([source]);
    const batch = { source: kept, decoderInputs: { data: [], shape: [1, 0, E] } };
    const { state, weights, context, states } = bahdanau(fovea, batch, alignmentAndCell, { initialState: { s: given } });
    [state.s, weights, context, states].forEach((tensor) => tensor.dispose());
    assert.deepEqual(toNested(given), [s]);
    [given, kept].forEach((tensor) => tensor.dispose());
  });
});

test('loss is the mean of -ln p(target) over targetLengths; a target of probability 0 makes it Infinity', () => {
  const targets = [0, 5, 2, 3, 1];
  const { probability, loss } = bahdanau(fovea, { source, decoderInputs, targets }, params, { targetLengths: 3 });
  const p = toNested(probability!) as Matrix;
  assert.ok(close(toNested(loss!), -(Math.log(p[0]![0]!) + Math.log(p[1]![5]!) + Math.log(p[2]![2]!)) / 3));
  const never = { ...params, bo: [-1e4, 0, 0, 0, 0, 0] };
  assert.equal(toNested(bahdanau(fovea, { source, decoderInputs, targets }, never).loss!), Infinity);
});

const alignmentAndCell = { ...alignment, ...cell };

test('bad input is an error that says what was expected', () => {
  const call = (inputs: object, given: object, options?: object) => () =>
    bahdanau(fovea, { source, decoderInputs, ...inputs }, given as never, options);
  fails('value', /bahdanau: params must have .*missing va; unexpected v/, call({}, { ...params, va: undefined, v: [1] }));
  fails('value', /bahdanau: targets must be ids from 0 to 5, got 6 at step 4/, call({ targets: [0, 0, 0, 0, 6] }, params));
  fails('shape', /bahdanau: targets must be/, call({ targets: [0, 0] }, params));
  fails('value', /bahdanau: targetLengths must be an integer from 0 to 5, got 6/, call({}, params, { targetLengths: 6 }));
  fails('option', /bahdanau: initialState must be an object, got 3/, call({}, params, { initialState: 3 }));
  fails('shape', /bahdanau: Ws must be/, call({}, { ...params, Ws: [[1]] }));
});
