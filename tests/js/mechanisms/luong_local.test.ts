/** luongLocal: its properties, each beside the wrong variant that it catches, windows without tokens, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { luong, luongLocal } from 'fovea/mechanisms';
import { random, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/luong_local.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(luongLocal);
const property = properties<Wrong>(run, reference);
const [E, S, n] = [3, 4, 9];
const source = random([n, S], 2);
const decoder = random([6, S], 3);
const decoderInputs = random([6, E], 4);
const Wc = random([2 * S, S], 5);
const Wa = random([S, S], 7, 2);
const predictive = { Wa, Wc, Wp: random([S, 2], 8), vp: [0.7, -0.4] };
const lstm = { weight_ih_l0: random([4 * S, E + S], 21), weight_hh_l0: random([4 * S, S], 22) };

test('luongLocal agrees with the equations in double', () => {
  const Ws = random([S, 5], 6);
  assertAgree(run, reference(''), { source, decoder }, { ...predictive, Ws }, { D: 3, sourceLengths: 7 });
  assertAgree(run, reference(''), { source, decoder }, predictive, { D: 2.25, sigma: 0.75 });
  assertAgree(run, reference(''), { source, decoder }, predictive, { gaussian: false, D: 1 });
  assertAgree(run, reference(''), { source, decoder }, { Wc }, { variant: 'monotonic', gaussian: true, D: 2, score: 'dot' });
  assertAgree(run, reference(''), { source, decoderInputs }, { ...predictive, decoder: lstm }, { D: 4, inputFeeding: true });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'softmax over all, then cut',
    'renormalized',
    'the right end left out',
    'S is the length of the array',
    'scores scaled by 1/√S',
    'state.position lost',
  ],
  (draw) => {
    const [Ts, Tt] = draw.lengths(2);
    const [Hs, E, width, P, V] = draw.widths(5);
    const [score, variant] = [draw.one('dot', 'general', 'concat'), draw.one('predictive', 'monotonic')];
    const S = score === 'dot' ? Hs : draw.width();
    const [given, inputFeeding] = [draw.maybe(), draw.maybe()];
    const feeds = !given && inputFeeding;
    const A = draw.width();
    const lstm = { weight_ih_l0: draw.numbers([4 * S, feeds ? E + width : E]), weight_hh_l0: draw.numbers([4 * S, S]) };
    const state = { h: draw.numbers([1, S]), c: draw.numbers([1, S]), position: draw.integer(0, Ts) };
    return {
      inputs: {
        source: draw.numbers([Ts, Hs]),
        ...(given ? { decoder: draw.numbers([Tt, S]) } : { decoderInputs: draw.numbers([Tt, E]) }),
      },
      params: {
        ...(score === 'general' && { Wa: draw.numbers([S, Hs]) }),
        ...(score === 'concat' && { Wa: draw.numbers([S + Hs, A]), va: draw.numbers([A], 2) }),
        ...(variant === 'predictive' && { Wp: draw.numbers([S, P]), vp: draw.numbers([P]) }),
        Wc: draw.numbers([Hs + S, width]),
        ...(draw.maybe() && { Ws: draw.numbers([width, V]) }),
        ...(!given && { decoder: lstm }),
      },
      options: {
        ...{ score, variant, inputFeeding: feeds, D: draw.one(0.75, 1, 2, 3.5, 10) },
        ...(draw.maybe() && { gaussian: draw.maybe() }),
        ...(draw.maybe() && { sigma: draw.one(0.5, 1, 4) }),
        ...(draw.maybe() && { sourceLengths: draw.integer(0, Ts) }),
        ...(!given && draw.maybe() && { initialState: state }),
      },
    };
  },
);

property('alignment sums to 1 over the window and is 0 outside', 'softmax over all, then cut', (luongLocal) => {
  const { alignment, position } = luongLocal({ source, decoder }, predictive, { D: 2 }) as { alignment: Matrix; position: Row };
  const isCut = alignment.every((row, t) => row.every((weight, s) => Math.abs(s - position[t]!) <= 2 || weight === 0));
  return rowsSumToOne(alignment) && isCut;
});

property('weights are the alignment times the Gaussian', 'renormalized', (luongLocal) => {
  const results = luongLocal({ source, decoder }, predictive, { D: 3, sigma: 1.25 }) as Record<string, Matrix>;
  const position = results['position'] as unknown as Row;
  const want = results['alignment']!.map((row, t) =>
    row.map((weight, s) => weight * Math.exp(-((s - position[t]!) ** 2) / (2 * 1.25 ** 2))),
  );
  return close(results['weights'], want);
});

property('local-m: row t has the positions from t - D to t + D that exist', 'the right end left out', (luongLocal) => {
  const { weights } = luongLocal({ source, decoder }, { Wa, Wc }, { variant: 'monotonic', D: 2 });
  return close(
    (weights as Matrix).map((row) => row.filter((weight) => weight > 0).length),
    decoder.map((_, t) => Math.min(t + 2, n - 1) - Math.max(t - 2, 0) + 1),
  );
});

property('appended padding changes nothing', 'S is the length of the array', (luongLocal) => {
  const alone = luongLocal({ source, decoder }, predictive, { D: 3 });
  const padded = luongLocal({ source: [...source, ...random([4, S], 9, 100)], decoder }, predictive, {
    D: 3,
    sourceLengths: n,
  });
  const want = (alone['weights'] as Matrix).map((row) => [...row, ...zeros(4)]);
  return (
    close(padded['weights'], want, 1e-6) &&
    close(padded['position'], alone['position'], 0) &&
    close(padded['context'], alone['context'])
  );
});

property('a window over everything without the Gaussian is luong', 'scores scaled by 1/√S', (luongLocal) => {
  const local = luongLocal({ source, decoder }, predictive, { D: n, gaussian: false });
  const whole = nested(luong)({ source, decoder }, { Wa, Wc }, {});
  return ['weights', 'context', 'attentional'].every((name) => close(local[name], whole[name]));
});

property('T steps in one call are T calls of one step, bit for bit', 'state.position lost', (luongLocal) => {
  const params = { Wa, Wc, decoder: lstm };
  const options = { variant: 'monotonic', gaussian: true, D: 2, inputFeeding: true };
  const whole = luongLocal({ source, decoderInputs }, params, options);
  let initialState = {};
  const steps = decoderInputs.map((row) => {
    const step = luongLocal({ source, decoderInputs: [row] }, params, { ...options, initialState });
    initialState = step['state'] as object;
    return step;
  });
  const names = ['position', 'alignment', 'weights', 'context', 'attentional', 'states'];
  return (
    names.every((name) =>
      close(
        steps.map((step) => (step[name] as unknown[])[0]),
        whole[name],
        0,
      ),
    ) && close(initialState, whole['state'], 0)
  );
});

test('windows without tokens have weights and context 0', () => {
  const attentional = reference('')({ source, decoder }, { Wc }, { variant: 'monotonic', score: 'dot', sourceLengths: 0 })[
    'attentional'
  ];
  const after = { variant: 'monotonic', score: 'dot', D: 1, initialState: { position: n + 1 } } as const;
  const none = { data: new Float32Array(0), shape: [0, S] };
  const empty = [
    luongLocal(fovea, { source, decoder }, { Wc }, after),
    luongLocal(fovea, { source, decoder }, predictive, { sourceLengths: 0 }),
    luongLocal(fovea, { source: none, decoder }, predictive),
    luongLocal(fovea, { source, decoder: decoder.slice(0, 6) }, predictive, { D: 0, sigma: 1 }),
  ];
  for (const results of empty) {
    assert.ok([...results.alignment.data, ...results.weights.data, ...results.context.data].every((value) => value === 0));
    assert.ok(close(toNested(results.attentional), attentional));
  }
  assert.deepEqual(toNested(empty[1]!.position), zeros(6));
  assert.deepEqual(toNested(empty[0]!.position), [10, 11, 12, 13, 14, 15]);
  const one = luongLocal(fovea, { source, decoder }, { Wc }, { variant: 'monotonic', score: 'dot', D: 0 });
  assert.deepEqual(
    toNested(one.weights),
    decoder.map((_, t) => source.map((__, s) => Number(s === t))),
  );
});

test('state.position counts the steps of every entry of a batch, given states too', () => {
  const batch = { source: [source, source], decoder: [decoder, decoder] };
  const { state, position } = luongLocal(
    fovea,
    batch,
    { Wa, Wc },
    { variant: 'monotonic', initialState: { position: [4, 1] } },
  );
  assert.deepEqual([[...state.position.data], state.position.shape], [[10, 7], [2]]);
  assert.deepEqual(toNested(position), [
    [4, 5, 6, 7, 8, 9],
    [1, 2, 3, 4, 5, 6],
  ]);
  assert.deepEqual(Object.keys(state), ['position']);
  const { position: next } = luongLocal(fovea, batch, { Wa, Wc }, { variant: 'monotonic', initialState: state });
  assert.deepEqual(
    (toNested(next) as Matrix).map(([first]) => first),
    [10, 7],
  );
  leavesNothing(() => luongLocal(fovea, batch, predictive, { trace: true }));
  leavesNothing(() => {
    const given = [fovea.tensor(source), fovea.tensor(decoder)] as const;
    const results = luongLocal(fovea, { source: given[0], decoder: given[1] }, { Wa, Wc }, { variant: 'monotonic' });
    const { position, alignment, weights, context, attentional, states } = results;
    [position, alignment, context, attentional, states].forEach((tensor) => tensor.dispose());
    assert.deepEqual([weights.shape, toNested(given[1])], [[6, n], decoder]);
    [weights, ...given].forEach((tensor) => tensor.dispose());
  });
});

test('bad input is an error that says what was expected', () => {
  const call = (params: object, options: object) => () => luongLocal(fovea, { source, decoder }, params as never, options);
  fails('value', /luongLocal: params must have .*missing Wp, vp/, call({ Wa, Wc }, {}));
  fails(
    'value',
    /luongLocal: params must have Wp, vp together or none of them, got no Wp/,
    call({ Wa, Wc, vp: [1] }, { variant: 'monotonic' }),
  );
  fails('value', /luongLocal: sigma must be above 0 .*got 0/, call(predictive, { D: 0 }));
  fails('value', /luongLocal: sigma must be above 0 .*got -1/, call(predictive, { sigma: -1 }));
  fails('value', /luongLocal: D must be 0 or more, got -1/, call(predictive, { D: -1 }));
  fails('value', /luongLocal: D must be/, call(predictive, { D: NaN }));
  fails('option', /luongLocal: variant must be 'predictive' or 'monotonic'/, call(predictive, { variant: 'm' }));
  fails('value', /luongLocal: gaussian must be/, call(predictive, { gaussian: 1 }));
  fails('value', /luongLocal: initialState.position/, call(predictive, { initialState: { position: -1 } }));
  fails(
    'shape',
    /luongLocal: initialState.position must be a number or \[\], got \[2\]/,
    call(predictive, { initialState: { position: [1, 2] } }),
  );
  fails('option', /luongLocal: unknown state 'h'/, call(predictive, { initialState: { h: [[1]] } }));
});
