/** pointerNetwork: its properties, each beside the wrong variant that it catches, state, empty sources, bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor } from 'fovea';
import { pointerNetwork } from 'fovea/mechanisms';
import { layerParams } from '../reference/equations/recurrent_layers.ts';
import { random, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type State, type Wrong } from '../reference/pointer_network.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(pointerNetwork as never);
const property = properties<Wrong>(run, reference);
const [Ts, F, S, A] = [5, 2, 4, 3];
const score = { W1: random([S, A], 1), W2: random([S, A], 2, 2), v: random([A], 3, 3) };
const params = {
  ...score,
  ...layerParams('encoder', 4, F, S, 4),
  ...layerParams('decoder', 4, F, S, 6),
  start: random([F], 8),
};
const points = random([Ts, F], 9);
const given = { encoder: random([Ts, S], 10), decoder: random([3, S], 11) };

test('pointerNetwork agrees with its definition in double', () => {
  assertAgree(run, reference(''), { ...given, targets: [4, 0, 2] }, score, {});
  assertAgree(run, reference(''), given, score, { sourceLengths: 2 });
  assertAgree(run, reference(''), { points }, params, {});
  assertAgree(run, reference(''), { points, targets: [3, 3, 0] }, params, { sourceLengths: 4 });
});

agreesOnDrawnCalls(
  run,
  reference,
  ['padding counts', 'asks with the state before', 'reads e_j', 'state.input is start'],
  (draw): DrawnCall => {
    const [Ts, Tt] = draw.lengths(2);
    const [F, H, A] = draw.widths(3);
    const isGiven = draw.integer(0, 3) === 0;
    const continues = draw.maybe();
    const S = isGiven || continues ? draw.width() : H;
    const length = draw.maybe() ? draw.integer(0, Ts) : Ts;
    const lstm = (prefix: string, states: number): Record<string, unknown> => ({
      [`${prefix}.weight_ih_l0`]: draw.numbers([4 * states, F], 2),
      [`${prefix}.weight_hh_l0`]: draw.numbers([4 * states, states]),
      ...(draw.maybe() && { [`${prefix}.bias_ih_l0`]: draw.numbers([4 * states]) }),
      ...(draw.maybe() && { [`${prefix}.bias_hh_l0`]: draw.numbers([4 * states]) }),
    });
    const params = { W1: draw.numbers([H, A], 2), W2: draw.numbers([S, A], 2), v: draw.numbers([A], 3) };
    const targets = draw.integers(Tt, 0, (isGiven ? Ts : Math.max(1, length)) - 1);
    const lengths = {
      ...(length < Ts && { sourceLengths: length }),
      ...(draw.maybe() && { targetLengths: draw.integer(0, Tt) }),
    };
    if (isGiven)
      return {
        inputs: { encoder: draw.numbers([Ts, H]), decoder: draw.numbers([Tt, S]), ...(draw.maybe() && { targets }) },
        ...{ params, options: lengths },
      };
    const isForced = draw.maybe();
    const state = {
      ...(continues && { h: draw.numbers([1, S]), c: draw.numbers([1, S]) }),
      ...(draw.maybe() && { input: draw.numbers([F]) }),
    };
    const { targetLengths, ...source } = lengths;
    return {
      inputs: { points: draw.numbers([Ts, F], 2), ...(isForced && { targets }) },
      params: { ...params, ...lstm('encoder', H), ...lstm('decoder', S), start: draw.numbers([F]) },
      options: {
        ...source,
        ...(isForced && targetLengths !== undefined && { targetLengths }),
        ...(!isForced && draw.maybe() && { steps: draw.integer(0, 9) }),
        ...(Object.keys(state).length > 0 && { initialState: state }),
      },
    };
  },
);

property('rows of weights sum to 1, padding has none', 'padding counts', (pointer) => {
  const runs = [pointer(given, score, { sourceLengths: 3 }), pointer({ points }, params, { sourceLengths: 3 })];
  return runs.every(({ weights }) => rowsSumToOne(weights) && (weights as Matrix).every((row) => row[3] === 0 && row[4] === 0));
});

property('the states that come out, given, give the same weights', 'asks with the state before', (pointer) => {
  const { weights, encoder, decoder } = pointer({ points }, params, {});
  return close(reference('')({ encoder, decoder }, score, {})['weights'], weights);
});

property('free running is teacher forcing with the positions that came out', 'reads e_j', (pointer) => {
  const { weights, decoder, indices } = pointer({ points }, params, {}) as Record<string, Matrix> & { indices: Row };
  // The decoder's states recomputed: each step reads a point, by whichever position was chosen.
  const forced = reference('')({ points, targets: indices }, params, {});
  return close(weights, forced['weights']) && close(decoder, forced['decoder']);
});

property('T steps are T calls of one step', 'state.input is start', (pointer) => {
  const whole = pointer({ points }, params, { steps: 4 }) as Record<string, Matrix>;
  let initialState: unknown;
  const steps = [0, 1, 2, 3].map(() => {
    const one = pointer({ points }, params, { steps: 1, ...(initialState !== undefined && { initialState }) });
    initialState = one['state'];
    return one as Record<string, Matrix>;
  });
  const all = (name: string): unknown[] => steps.flatMap((step) => step[name]!);
  return (
    ['weights', 'indices', 'decoder'].every((name) => close(all(name), whole[name], 0)) &&
    close((initialState as State).input, (whole['state'] as unknown as State).input, 0)
  );
});

test('free running and teacher forcing with its positions have the same bits', () => {
  const free = run({ points }, params, {});
  const { loss, ...forced } = run({ points, targets: free['indices'] }, params, {});
  assert.ok(Number.isFinite(loss as number));
  assert.deepEqual(forced, free);
});

test('an empty source has no position, and the next input is 0; one point has all weight', () => {
  for (const [one, options] of [
    [{ data: new Float32Array(0), shape: [0, F] }, {}],
    [points, { sourceLengths: 0 }],
  ] as const) {
    const { weights, indices, state } = run({ points: one }, params, { ...options, steps: 2 }) as unknown as {
      weights: Matrix;
      indices: Row;
      state: State;
    };
    assert.ok(weights.flat().every((weight) => weight === 0));
    assert.deepEqual([indices, state.input], [[-1, -1], zeros(F)]);
  }
  const { weights, loss } = run({ points: [points[0]], targets: [0] }, params, {});
  assert.deepEqual([weights, Math.abs(loss as number)], [[[1]], 0]);
  const { encoder, decoder } = given;
  assert.deepEqual(run({ encoder: { data: new Float32Array(0), shape: [0, S] }, decoder }, score, {})['indices'], [-1, -1, -1]);
  assert.equal(run({ encoder, decoder, targets: [4, 0, 0] }, score, { sourceLengths: 2 })['loss'], Infinity);
});

test('a batch is its entries one by one; Tensors stay Tensors, and nothing is left', () => {
  const batch = [points, random([Ts, F], 20)];
  const together = run({ points: batch }, params, { sourceLengths: [5, 3], steps: 3 });
  batch.forEach((points, b) => {
    for (const [name, one] of Object.entries(run({ points }, params, { sourceLengths: [5, 3][b], steps: 3 })))
      if (name !== 'state') assert.deepEqual((together[name] as unknown[])[b], one, name);
      else
        for (const [part, array] of Object.entries(one as object))
          assert.deepEqual((together[name] as Record<string, unknown[]>)[part]![b], array, part);
  });
  leavesNothing(() => {
    const kept = fovea.tensor(points);
    const { weights, encoder, decoder, state } = pointerNetwork(fovea, { points: kept }, params);
    assert.ok([weights, encoder, decoder, state.h].every((one) => one instanceof Tensor));
    [kept, weights, encoder, decoder, state.h, state.c, state.input].forEach((tensor) => tensor.dispose());
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (inputs: object, own: object, options = {}) =>
    () =>
      pointerNetwork(fovea, inputs as never, own as never, options);
  fails(
    'value',
    /pointerNetwork: .*missing start; unexpected stop$/,
    call({ points }, { ...params, start: undefined, stop: [1] }),
  );
  fails('value', /pointerNetwork: .*unexpected start/, call(given, { ...score, start: [1] }));
  fails('option', /pointerNetwork: points cannot be combined with encoder and decoder/, call({ points, ...given }, params));
  fails('value', /pointerNetwork: inputs must have decoder/, call({ encoder: given.encoder }, score));
  fails('option', /pointerNetwork: unknown option 'steps'/, call(given, score, { steps: 2 }));
  fails(
    'option',
    /pointerNetwork: steps cannot be combined with targets/,
    call({ points, targets: [0] }, params, { steps: 1 }),
  );
  fails(
    'value',
    /pointerNetwork: targets must be positions from 0 to 2, got 3 at step 0/,
    call({ points, targets: [3] }, params, { sourceLengths: 3 }),
  );
  fails(
    'value',
    /pointerNetwork: targets must be ids from 0 to 4, got 5 at step 1/,
    call({ ...given, targets: [0, 5, 1] }, score),
  );
  fails('shape', /pointerNetwork: W1 must be \[H, A\]/, call(given, { ...score, W1: random([3, A], 1) }));
  fails(
    'shape',
    /pointerNetwork: initialState\.input must be \[2\], got \[3\]/,
    call({ points }, params, { initialState: { input: [1, 2, 3] } }),
  );
  const wide = { ...params, ...layerParams('decoder', 4, F, 3, 1), W2: random([3, A], 2) };
  fails('shape', /pointerNetwork: decoder must have the width and the layers of encoder/, call({ points }, wide));
});
