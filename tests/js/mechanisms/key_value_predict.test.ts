/** keyValuePredict: its properties, each beside the wrong variant that it catches, empty memories, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { keyValuePredict } from 'fovea/mechanisms';
import { plus, random, tanh, times, zeros, type Matrix } from '../reference/equations/rows.ts';
import { PARTS, reference, type Wrong } from '../reference/key_value_predict.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const run = nested(keyValuePredict);
const property = properties<Wrong>(run, reference);
const [k, A, D, E] = [3, 4, 2, 5];
const hidden = random([8, 3 * k], 1);
const embeddings = random([7, E], 2);
const params = {
  WY: random([k, A], 3),
  Wh: random([k, A], 4),
  w: random([A], 5, 2),
  Wr: random([k, D], 6),
  Wx: random([k, D], 7),
};
const lstm = { weight_ih_l0: random([12 * k, E], 8), weight_hh_l0: random([12 * k, 3 * k], 9) };
/** The states with part n of token t at other numbers. */
const changed = (t: number, n: number) =>
  hidden.map((row, at) => row.map((x, i) => (at === t && Math.floor(i / k) === n ? x + 1 : x)));

test('keyValuePredict agrees with the equations in double', () => {
  const words = { Wstar: random([D, 6], 10), b: random([6], 11) };
  assertAgree(run, reference(''), { hidden }, { ...params, ...words }, { L: 3 });
  assertAgree(run, reference(''), { hidden: random([8, 2 * k], 12) }, { ...params, ...words }, { variant: 'keyValue' });
  assertAgree(run, reference(''), { hidden: random([8, k], 13) }, params, { variant: 'attention', L: 100 });
  const initialState = { keys: random([3, k], 14), values: random([3, k], 15) };
  assertAgree(run, reference(''), { embeddings }, { ...params, rnn: lstm }, { L: 4, initialState });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'the query is p_t',
    'keys and values exchanged',
    'the current token included',
    'a window of L - 1',
    'v_t for p_t',
    'the state keeps L - 1 rows',
  ],
  (draw) => {
    const variant = draw.one('keyValuePredict', 'keyValue', 'attention');
    const tokens = draw.length();
    const [k, A, D, E, V] = draw.widths(5);
    const width = PARTS[variant]! * k;
    const [embeds, before] = [draw.maybe(), draw.integer(0, 4)];
    const rnn = { weight_ih_l0: draw.numbers([4 * width, E]), weight_hh_l0: draw.numbers([4 * width, width]) };
    const words = { Wstar: draw.numbers([D, V]), ...(draw.maybe() && { b: draw.numbers([V]) }) };
    return {
      inputs: embeds ? { embeddings: draw.numbers([tokens, E]) } : { hidden: draw.numbers([tokens, width]) },
      params: {
        ...{ WY: draw.numbers([k, A]), Wh: draw.numbers([k, A]), w: draw.numbers([A], 2) },
        ...{ Wr: draw.numbers([k, D]), Wx: draw.numbers([k, D]) },
        ...(embeds && { rnn }),
        ...(draw.maybe() && words),
      },
      options: {
        ...{ variant, L: draw.one(1, 2, 3, 5, 100) },
        ...(before > 0 && { initialState: { keys: draw.numbers([before, k]), values: draw.numbers([before, k]) } }),
      },
    };
  },
);

property('p_t changes neither weights nor context', 'the query is p_t', (keyValuePredict) => {
  const [one, other] = [hidden, changed(4, 2)].map((hidden) => keyValuePredict({ hidden }, params, {}));
  return close(one!['weights'], other!['weights'], 0) && close(one!['context'], other!['context'], 0);
});

property('v_t changes no weight', 'keys and values exchanged', (keyValuePredict) => {
  const [one, other] = [hidden, changed(4, 1)].map((hidden) => keyValuePredict({ hidden }, params, {}));
  return close(one!['weights'], other!['weights'], 0);
});

property('row t of weights is 0 from the current token on and sums to 1', 'the current token included', (keyValuePredict) => {
  const { weights } = keyValuePredict({ hidden }, params, {});
  return (weights as Matrix).every((row, t) => {
    const sum = row.slice(0, t).reduce((sum, weight) => sum + weight, 0);
    return row.slice(t).every((weight) => weight === 0) && (t === 0 || close(sum, 1));
  });
});

property('min(L, tokens before) weights are above 0', 'a window of L - 1', (keyValuePredict) => {
  const { weights } = keyValuePredict({ hidden }, params, { L: 3 });
  return close(
    (weights as Matrix).map((row) => row.filter((weight) => weight > 0).length),
    hidden.map((_, t) => Math.min(3, t)),
  );
});

property('hStar is tanh(context Wr + p_t Wx)', 'v_t for p_t', (keyValuePredict) => {
  const { context, hStar } = keyValuePredict({ hidden }, params, {});
  const want = hidden.map((row, t) =>
    tanh(plus(times((context as Matrix)[t]!, params.Wr), times(row.slice(2 * k), params.Wx))),
  );
  return close(hStar, want);
});

property('T steps in one call are T calls of one step', 'the state keeps L - 1 rows', (keyValuePredict) => {
  const all = { ...params, rnn: lstm };
  const whole = keyValuePredict({ embeddings }, all, { L: 3 });
  let initialState = {};
  return (
    embeddings.every((row, t) => {
      const step = keyValuePredict({ embeddings: [row] }, all, { L: 3, initialState });
      initialState = step['state'] as object;
      return ['context', 'hStar'].every((name) => close((step[name] as Matrix)[0], (whole[name] as Matrix)[t]));
    }) && close(initialState, whole['state'], 0)
  );
});

test('without a memory weights and context are 0, and hStar is tanh(p_t Wx)', () => {
  const alone = hidden.map((row) => tanh(times(row.slice(2 * k), params.Wx)));
  const first = keyValuePredict(fovea, { hidden: hidden.slice(0, 1) }, params);
  assert.deepEqual([toNested(first.weights), toNested(first.context)], [[[0]], [zeros(k)]]);
  assert.ok(close(toNested(first.hStar), alone.slice(0, 1)));
  assert.deepEqual(toNested(first.state.keys), [hidden[0]!.slice(0, k)]);
  const blind = keyValuePredict(fovea, { hidden }, params, { L: 0 });
  assert.ok([...blind.weights.data, ...blind.context.data].every((value) => value === 0));
  assert.ok(close(toNested(blind.hStar), alone));
  assert.deepEqual(blind.state.values.shape, [0, k]);
  const none = keyValuePredict(fovea, { hidden: { data: [], shape: [0, 3 * k] } }, params, { initialState: first.state });
  assert.deepEqual(
    [none.weights.shape, none.hStar.shape, toNested(none.state.keys)],
    [[0, 1], [0, D], toNested(first.state.keys)],
  );
  const rest = keyValuePredict(fovea, { embeddings: { data: [], shape: [0, E] } }, { ...params, rnn: lstm });
  assert.deepEqual(toNested(rest.state.h!), [zeros(3 * k)]);
});

test('a batch is its entries one by one; given Tensors stay, results are their own', () => {
  const batch = { hidden: random([2, 6, 3 * k], 16) };
  const together = run(batch, params, { L: 2 });
  batch.hidden.forEach((hidden, b) =>
    assert.ok(close((together['hStar'] as Matrix[])[b], run({ hidden }, params, { L: 2 })['hStar'])),
  );
  leavesNothing(() => {
    const given = fovea.tensor(hidden);
    const { weights, context, hStar, state } = keyValuePredict(fovea, { hidden: given }, params);
    [weights, context, hStar, state.keys, state.values].forEach((tensor) => tensor.dispose());
    assert.deepEqual(toNested(given), hidden);
    given.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call = (inputs: object, params: object, options?: object) => () =>
    keyValuePredict(fovea, inputs, params as never, options);
  fails('option', /keyValuePredict: inputs must have exactly one of hidden, embeddings, got none/, call({}, params));
  fails('option', /keyValuePredict: .*got 2 of them/, call({ hidden, embeddings }, params));
  fails('option', /keyValuePredict: variant must be/, call({ hidden }, params, { variant: 'twoWay' }));
  fails(
    'value',
    /keyValuePredict: params must have .*missing Wx; unexpected Wz/,
    call({ hidden }, { ...params, Wx: undefined, Wz: [[1]] }),
  );
  fails(
    'value',
    /keyValuePredict: params must have .*missing rnn.weight_ih_l0, rnn.weight_hh_l0/,
    call({ embeddings }, params),
  );
  fails('shape', /keyValuePredict: hidden must be \[T, 2k\], got \[8, 9\]/, call({ hidden }, params, { variant: 'keyValue' }));
  fails('value', /keyValuePredict: L must be an integer from 0/, call({ hidden }, params, { L: 1.5 }));
  fails(
    'shape',
    /keyValuePredict: initialState.keys must be \[P, 3\], got \[2, 4\]/,
    call({ hidden }, params, { initialState: { keys: random([2, 4], 1) } }),
  );
  fails(
    'value',
    /keyValuePredict: initialState must have keys and values together/,
    call({ hidden }, params, { initialState: { keys: random([2, 3], 1) } }),
  );
  fails(
    'value',
    /keyValuePredict: targets must be ids from 0 to 1, got -1 at step 0/,
    call({ hidden, targets: [-1, 0, 0, 0, 0, 0, 0, 0] }, { ...params, Wstar: random([D, 2], 1) }),
  );
});
