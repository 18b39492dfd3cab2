/** disan: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { disan } from 'fovea/mechanisms';
import { bias, score } from 'fovea/score';
import { reference, type Letters, type Source, type Wrong } from '../reference/disan.ts';
import { columns, elu, plus, random, times, zeros, type Matrix } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const [T, E, D] = [5, 3, 2];
const letters = (seed: number): Letters => ({
  ...{
    Wh: random([E, D], seed, 2),
    bh: random([D], seed + 1),
    W1: random([D, D], seed + 2, 2),
    W2: random([D, D], seed + 3, 2),
  },
  ...{ b1: random([D], seed + 4), Wf1: random([D, D], seed + 5), Wf2: random([D, D], seed + 6), bf: random([D], seed + 7) },
});
const wide = 2 * D;
const source2token: Source = {
  ...{ W1: random([wide, wide], 31), b1: random([wide], 32), W: random([wide, wide], 33, 2), b: random([wide], 34) },
};
const params = { forward: letters(1), backward: letters(11), source2token };
const withForward = (changed: Partial<Letters>) => ({ ...params, forward: { ...params.forward, ...changed } });
const x = random([T, E], 21);
const run = nested(disan);
const property = properties<Wrong>(run, reference);

test('disan agrees with its definition in double', () => {
  assertAgree(run, reference(''), { x }, params, {});
  assertAgree(run, reference(''), { x }, params, { c: 0.5 });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'one softmax for all features',
    'diagonal allowed',
    'directions swapped',
    'W1 and W2 swapped',
    'no scale c',
    'gate swapped',
    'source softmax over features',
  ],
  (draw) => {
    const [tokens, width, D] = [draw.one(1, 2, 3, 5, 9), draw.width(), draw.one(1, 2, 3, 5)];
    const square = (size: number) => draw.numbers([size, size], 2);
    const drawnLetters = (): Letters => ({
      ...{ Wh: draw.numbers([width, D]), bh: draw.numbers([D]), W1: square(D), W2: square(D), b1: draw.numbers([D]) },
      ...{ Wf1: square(D), Wf2: square(D), bf: draw.numbers([D]) },
    });
    return {
      inputs: { x: draw.numbers([tokens, width]) },
      params: {
        ...{ forward: drawnLetters(), backward: drawnLetters() },
        source2token: { W1: square(2 * D), b1: draw.numbers([2 * D]), W: square(2 * D), b: draw.numbers([2 * D]) },
      },
      options: {
        ...(draw.maybe() && { c: draw.one(0.5, 2, 8) }),
        ...(draw.maybe() && { lengths: draw.integer(1, tokens) }),
      },
    };
  },
);

property("for each feature a query's weights sum to 1", 'one softmax for all features', (system) => {
  const { forwardWeights, backwardWeights } = system({ x }, params, {}) as Record<string, Matrix[]>;
  return [...forwardWeights!.slice(1), ...backwardWeights!.slice(0, -1)].every((rows) => rowsSumToOne(columns(rows)));
});

property('no token sees itself: the first has no weights forward', 'diagonal allowed', (system) =>
  (system({ x }, params, {})['forwardWeights'] as Matrix[]).every((rows, j) => close(rows[j], zeros(D), 0)),
);

property('forward sees the tokens before', 'directions swapped', (system) =>
  (system({ x }, params, {})['forwardWeights'] as Matrix[]).every((rows, j) =>
    rows.every((row, i) => row.every((weight) => weight > 0 === i < j)),
  ),
);

property('W1 is of the key: without W2 weights differ among keys', 'W1 and W2 swapped', (system) => {
  const { forwardWeights } = system({ x }, withForward({ W2: [zeros(D), zeros(D)] }), {}) as Record<string, Matrix[]>;
  return !close(forwardWeights![4]![0], forwardWeights![4]![1], 1e-3);
});

property('scores are bounded by c: weights differ by exp(2c) at most', 'no scale c', (system) => {
  const c = 0.05;
  const { forwardWeights } = system({ x }, params, { c }) as Record<string, Matrix[]>;
  const seen = forwardWeights![4]!.slice(0, 4);
  return columns(seen).every((feature) => Math.max(...feature) <= Math.min(...feature) * Math.exp(2 * c) * (1 + 1e-6));
});

property('a gate of 1 keeps h', 'gate swapped', (system) => {
  const { output } = system({ x }, withForward({ bf: [40, 40] }), {}) as Record<string, Matrix>;
  const { Wh, bh } = params.forward;
  return close(
    output!.map((u) => u.slice(0, D)),
    x.map((row) => elu(plus(times(row, Wh), bh))),
  );
});

property("the source's weights sum to 1 over the tokens", 'source softmax over features', (system) =>
  rowsSumToOne(columns(system({ x }, params, {})['sourceWeights'] as Matrix)),
);

test('reversed tokens with the directions exchanged give the reversed output, halves exchanged', () => {
  const { output } = run({ x }, params, {}) as Record<string, Matrix>;
  const exchanged = { ...params, forward: params.backward, backward: params.forward };
  const mirrored = run({ x: [...x].reverse() }, exchanged, {})['output'] as Matrix;
  const want = [...output!].reverse().map((u) => [...u.slice(D), ...u.slice(0, D)]);
  assert.ok(close(mirrored, want));
});

test('scores that are equal for all features are the additive score', () => {
  const [W1, W2] = [random([D, 1], 41, 2), random([D, 1], 42, 2)].map((column) => column.map(([w]) => [w!, w!])) as [
    Matrix,
    Matrix,
  ];
  const forward = { ...params.forward, W1, W2, b1: [0.5, 0.5] };
  const { forwardWeights } = run({ x }, { ...params, forward }, {}) as Record<string, Matrix[]>;
  const h = x.map((row) => elu(plus(times(row, forward.Wh), forward.bh)));
  const fifth = (W: Matrix): Matrix => W.map(([w]) => [w! / 5]);
  const additive = score.additive({ Wq: fifth(W2), Wk: fifth(W1), w: [5], bias: [0.1] });
  const { weights } = fovea.attention(h, h, h, { score: additive, bias: bias.direction('forward'), returnWeights: true });
  assert.ok(
    close(
      forwardWeights!.map((rows) => rows.map(([first]) => first)),
      toNested(weights),
    ),
  );
});

test('no token: the sentence is 0; a batch is its entries one by one, whatever finite numbers pad them', () => {
  const none = run({ x: { data: new Float32Array(0), shape: [0, E] } }, params, {});
  assert.deepEqual([none['sentence'], none['output']], [zeros(wide), []]);
  const padded = [x, x.map((row, t) => (t < 2 ? row : row.map(() => 3e38))), x];
  const [together, lengths] = [run({ x: padded }, params, { lengths: [5, 2, 0] }), [5, 2, 0]];
  lengths.forEach((length, b) => {
    const alone = run(
      { x: x.slice(0, length).length > 0 ? x.slice(0, length) : { data: new Float32Array(0), shape: [0, E] } },
      params,
      {},
    );
    for (const name of ['output', 'forwardGate', 'backwardGate', 'sourceWeights'])
      assert.ok(close((together[name] as Matrix[])[b]!.slice(0, length), alone[name], 0), name);
    assert.ok(close((together['sentence'] as Matrix)[b], alone['sentence'], 0));
    const rows = (together['backwardWeights'] as Matrix[][])[b]!;
    assert.ok(rows.every((row, j) => row.every((key, i) => (j < length && i < length) || close(key, zeros(D), 0))));
  });
  leavesNothing(() => {
    const kept = fovea.tensor(x);
    const results = disan(fovea, { x: kept }, params);
    Object.values(results).forEach((tensor) => (tensor as { dispose(): void }).dispose());
    kept.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (given: object, options = {}) =>
    () =>
      disan(fovea, { x }, given as never, options);
  fails(
    'value',
    /missing forward.Wh, backward.b1; unexpected V/,
    call({
      V: x,
      forward: { ...params.forward, Wh: undefined },
      backward: { ...params.backward, b1: undefined },
      source2token,
    }),
  );
  fails('shape', /forward.W1 must be \[D, D\]/, call(withForward({ W1: random([D, E], 1) })));
  fails('value', /disan: .*c must/, call(params, { c: 0 }));
  fails('value', /lengths/, call(params, { lengths: -1 }));
});
