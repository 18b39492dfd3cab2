/** multiSource: its properties, each beside the wrong variant that it catches, empty sources, steps, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { luongLocal, multiSource } from 'fovea/mechanisms';
import { lstmStep, plus, random, sigmoid, tanh, times, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/multi_source.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const run = nested(multiSource);
const property = properties<Wrong>(run, reference);
const [Hs1, Hs2, S, D, E] = [4, 4, 4, 4, 3];
const sources = { source1: random([7, Hs1], 1), source2: random([5, Hs2], 2) };
const last = { h1: random([S], 3), c1: random([S], 4), h2: random([S], 5), c2: random([S], 6) };
const decoderInputs = random([5, E], 7);
const decoder = random([4, S], 8);
const attention = (seed: number, Hs: number) => ({
  Wa: random([S, Hs], seed, 2),
  Wp: random([S, 2], seed + 1),
  vp: random([2], seed + 2),
});
const lstm = (input: number) => ({ weight_ih_l0: random([4 * S, input], 20), weight_hh_l0: random([4 * S, S], 21) });
const Wc = random([S + Hs1 + Hs2, D], 22);
const given = { attention1: attention(30, Hs1), attention2: attention(40, Hs2), Wc };
const basic = { ...given, combine: { Wc: random([2 * S, S], 23) }, decoder: lstm(E) };
const gates = ['W1i', 'W2i', 'W1f', 'W2f', 'W1o', 'W2o', 'W1u', 'W2u'];
const childSum = {
  ...given,
  combine: Object.fromEntries(gates.map((name, n) => [name, random([S, S], 50 + n)])),
  decoder: lstm(E + D),
};

test('multiSource agrees with the equations in double', () => {
  const Ws = random([D, 6], 24);
  assertAgree(run, reference(''), { ...sources, ...last, decoderInputs }, { ...basic, Ws }, { D: 3, source1Lengths: 5 });
  assertAgree(run, reference(''), { ...sources, ...last, decoderInputs }, childSum, {
    combination: 'childSum',
    D: 2.5,
    sigma: 1,
    inputFeeding: true,
  });
  assertAgree(run, reference(''), { ...sources, decoder }, given, { source2Lengths: 4 });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'c = tanh([c1; c2] Wc)',
    'one forget gate from both',
    'attention1 used twice',
    '[c1; c2; h]',
    'h starts at 0',
    'state.attentional lost',
  ],
  (draw) => {
    const [T1, T2, Tt] = draw.lengths(3);
    const [H1, H2, S, E, width, V, P1, P2] = draw.widths(8);
    const [given, inputFeeding, combination] = [draw.maybe(), draw.maybe(), draw.one('basic', 'childSum')];
    const [combines, feeds] = [!given && draw.maybe(), !given && inputFeeding];
    const drawnAttention = (H: number, P: number) => ({
      ...{ Wa: draw.numbers([S, H]), Wp: draw.numbers([S, P]), vp: draw.numbers([P]) },
    });
    const combining =
      combination === 'basic'
        ? { Wc: draw.numbers([2 * S, S]) }
        : Object.fromEntries(gates.map((name) => [name, draw.numbers([S, S])]));
    const states = () => Object.fromEntries(['h1', 'c1', 'h2', 'c2'].map((name) => [name, draw.numbers([S])]));
    return {
      inputs: {
        ...{ source1: draw.numbers([T1, H1]), source2: draw.numbers([T2, H2]) },
        ...(given ? { decoder: draw.numbers([Tt, S]) } : { decoderInputs: draw.numbers([Tt, E]) }),
        ...(combines && states()),
      },
      params: {
        ...{ attention1: drawnAttention(H1, P1), attention2: drawnAttention(H2, P2), Wc: draw.numbers([S + H1 + H2, width]) },
        ...(draw.maybe() && { Ws: draw.numbers([width, V]) }),
        ...(combines && { combine: combining }),
        ...(!given && {
          decoder: { weight_ih_l0: draw.numbers([4 * S, feeds ? E + width : E]), weight_hh_l0: draw.numbers([4 * S, S]) },
        }),
      },
      options: {
        ...{ combination, inputFeeding: feeds, D: draw.one(0.75, 2, 10) },
        ...(draw.maybe() && { sigma: draw.one(0.5, 3) }),
        ...(draw.maybe() && { source1Lengths: draw.integer(0, T1), source2Lengths: draw.integer(0, T2) }),
      },
    };
  },
);

property('the basic combination adds the cells', 'c = tanh([c1; c2] Wc)', (multiSource) =>
  close(multiSource({ ...sources, ...last, decoder }, { ...given, combine: basic.combine }, {})['c'], plus(last.c1, last.c2)),
);

property('childSum: c1 + 1 raises c by σ(h1 W1f)', 'one forget gate from both', (multiSource) => {
  const options = { combination: 'childSum' };
  const params = { ...given, combine: childSum.combine };
  const more = { ...last, c1: last.c1.map((x) => x + 1) };
  const [one, other] = [last, more].map((last) => multiSource({ ...sources, ...last, decoder }, params, options)['c'] as Row);
  const raised = other!.map((x, n) => x - one![n]!);
  return close(raised, sigmoid(times(last.h1, childSum.combine['W1f']!)));
});

property('each source is attended to as luongLocal does with its parameters', 'attention1 used twice', (multiSource) => {
  const got = multiSource({ ...sources, decoder }, given, { D: 2 });
  return ([1, 2] as const).every((n) => {
    const params = { ...given[`attention${n}`], Wc: random([S + 4, 2], 60) };
    const want = nested(luongLocal)({ source: sources[`source${n}`], decoder }, params, { D: 2 });
    return ['position', 'alignment', 'weights', 'context'].every((name) => close(got[name + n], want[name]));
  });
});

property('with rows S … S + Hs1 of Wc at 0 the first source does not matter', '[c1; c2; h]', (multiSource) => {
  const params = { ...given, Wc: Wc.map((row, i) => (i >= S && i < S + Hs1 ? zeros(D) : row)) };
  const [one, other] = [sources.source1, random([7, Hs1], 61)].map((source1) =>
    multiSource({ ...sources, source1, decoder }, params, {}),
  );
  return close(one!['attentional'], other!['attentional'], 0);
});

property('states[0] is one LSTM step from the combined state', 'h starts at 0', (multiSource) => {
  const { h, c, states } = multiSource({ ...sources, ...last, decoderInputs }, basic, {}) as Record<string, Row>;
  const step = lstmStep(decoderInputs[0]!, h!, c!, [basic.decoder.weight_ih_l0, basic.decoder.weight_hh_l0]);
  return close(states![0], step.h);
});

property('T steps in one call are T calls of one step, bit for bit', 'state.attentional lost', (multiSource) => {
  const options = { combination: 'childSum', D: 3, inputFeeding: true };
  const whole = multiSource({ ...sources, ...last, decoderInputs }, childSum, options);
  let initialState: object = {};
  return (
    decoderInputs.every((row, t) => {
      const step = multiSource({ ...sources, ...last, decoderInputs: [row] }, childSum, { ...options, initialState });
      initialState = step['state'] as object;
      const names = ['position1', 'weights1', 'context1', 'weights2', 'context2', 'attentional', 'states'];
      return names.every((name) => close((step[name] as Matrix)[0], (whole[name] as Matrix)[t], 0));
    }) && close(initialState, whole['state'], 0)
  );
});

test('a source of length 0 has position, weights and context 0, and the other works on', () => {
  const both = run({ ...sources, decoder }, given, {});
  const one = run({ ...sources, decoder }, given, { source1Lengths: 0 });
  for (const name of ['position1', 'weights1', 'context1', 'alignment1'])
    assert.ok(
      (one[name] as Matrix).flat().every((x) => x === 0),
      name,
    );
  for (const name of ['position2', 'weights2', 'context2']) assert.deepEqual(one[name], both[name]);
  const none = { data: new Float32Array(0), shape: [0, Hs1] };
  const empty = multiSource(fovea, { source1: none, source2: none, decoder }, given);
  assert.ok(
    close(
      toNested(empty.attentional),
      decoder.map((h) => tanh(times([...h, ...zeros(Hs1 + Hs2)], Wc))),
    ),
  );
});

test('a batch is its entries one by one', () => {
  const batch = { source1: random([2, 7, Hs1], 62), source2: random([2, 5, Hs2], 63), decoderInputs: random([2, 5, E], 64) };
  const states = { h1: random([2, S], 65), c1: random([2, S], 66), h2: random([2, S], 67), c2: random([2, S], 68) };
  const together = run({ ...batch, ...states }, basic, { source2Lengths: [5, 2] });
  [5, 2].forEach((source2Lengths, b) => {
    const entry = Object.fromEntries(Object.entries({ ...batch, ...states }).map(([name, array]) => [name, array[b]]));
    const alone = run(entry, basic, { source2Lengths });
    for (const name of ['h', 'c', 'weights2', 'attentional'])
      assert.ok(close((together[name] as unknown[])[b], alone[name]), name);
  });
  leavesNothing(() => multiSource(fovea, { ...batch, ...states }, basic, { trace: true }));
});

test('bad input is an error that says what was expected', () => {
  const call = (inputs: object, params: object, options?: object) => () =>
    multiSource(fovea, { ...sources, ...inputs }, params as never, options);
  const all = { ...last, decoderInputs };
  fails(
    'value',
    /multiSource: inputs must have h1, c1, h2, c2 together or none of them, got no c1, h2, c2/,
    call({ decoder, h1: last.h1 }, given),
  );
  fails('value', /multiSource: params must have .*missing combine.Wc/, call({ ...last, decoder }, given));
  fails(
    'value',
    /multiSource: params must have .*missing combine.W1i.*unexpected combine.Wc/,
    call({ ...last, decoder }, { ...given, combine: basic.combine }, { combination: 'childSum' }),
  );
  fails('option', /multiSource: inputs must have exactly one of decoder, decoderInputs, got none/, call({}, given));
  fails('option', /multiSource: combination must be/, call(all, basic, { combination: 'sum' }));
  fails('value', /multiSource: sigma must be above 0/, call({ decoder }, given, { D: 0 }));
  fails('shape', /multiSource: Wc must be \[S\+Hs1\+Hs2, D\]/, call({ decoder }, { ...given, Wc: random([5, 2], 1) }));
  const two = { ...lstm(E), weight_ih_l1: random([4 * S, S], 1), weight_hh_l1: random([4 * S, S], 1) };
  fails('value', /multiSource: decoder must have one layer.*got 2/, call(all, { ...basic, decoder: two }));
});
