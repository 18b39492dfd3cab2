/** distanceSelfAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { distanceSelfAttention } from 'fovea/mechanisms';
import { bias } from 'fovea/score';
import { reference, type Letters, type Params, type Wrong } from '../reference/distance_self_attention.ts';
import { columns, plus, random, sigmoid, times, zeros, type Matrix } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const [T, D, F] = [5, 4, 3];
const letters = (seed: number): Letters => {
  const square = (n: number): Matrix => random([D, D], seed + n, 1.5);
  return {
    ...{ Wq: square(0), Wk: square(1), Wv: square(2), Wo: square(3), WS: square(4), WH: square(5), bF: random([D], seed + 6) },
    ...{
      W1P: random([D, F], seed + 7),
      b1P: random([F], seed + 8),
      W2P: random([F, D], seed + 9),
      b2P: random([D], seed + 10),
    },
  };
};
const wide = 2 * D;
const params: Params = {
  ...{ forward: letters(1), backward: letters(12), W1M: random([wide, wide], 24), b1M: random([wide], 25) },
  ...{ W2M: random([wide, wide], 26), b2M: random([wide], 27) },
};
const x = random([T, D], 23);
const run = nested(distanceSelfAttention);
const property = properties<Wrong>(run, reference);

test('distanceSelfAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { x }, params, {});
  assertAgree(run, reference(''), { x }, params, { heads: 2, alpha: 0.5, pooling: 'max' });
  assertAgree(run, reference(''), { x }, params, { heads: 4, alpha: 0, pooling: 'attention' });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'diagonal allowed',
    'distance added',
    'gate of raw S and H',
    'gate swapped',
    'scale by the whole width',
    'softmax over features',
    'padding pooled',
  ],
  (draw) => {
    const [tokens, heads, hidden] = [draw.length(), draw.one(1, 2, 3), draw.width()];
    const width = heads * draw.one(1, 2, 3);
    const square = () => draw.numbers([width, width]);
    const drawnLetters = (): Letters => ({
      ...{ Wq: square(), Wk: square(), Wv: square(), Wo: square(), WS: square(), WH: square(), bF: draw.numbers([width]) },
      ...{ W1P: draw.numbers([width, hidden]), b1P: draw.numbers([hidden]) },
      ...{ W2P: draw.numbers([hidden, width]), b2P: draw.numbers([width]) },
    });
    const whole = 2 * width;
    return {
      inputs: { x: draw.numbers([tokens, width], 2) },
      params: {
        ...{ forward: drawnLetters(), backward: drawnLetters() },
        ...{ W1M: draw.numbers([whole, whole]), b1M: draw.numbers([whole]) },
        ...{ W2M: draw.numbers([whole, whole]), b2M: draw.numbers([whole]) },
      },
      options: {
        ...{ heads, pooling: draw.one('both', 'attention', 'max') },
        ...(draw.maybe() && { alpha: draw.one(0, 0.25, 3) }),
        ...(draw.maybe() && { lengths: draw.integer(1, tokens) }),
      },
    };
  },
);

property('weights on the diagonal and beyond are 0; rows sum to 1 or 0', 'diagonal allowed', (system) => {
  const { forwardWeights, backwardWeights } = system({ x }, params, { heads: 2 }) as Record<string, Matrix[]>;
  const areDirected = (heads: Matrix[], sees: (i: number, j: number) => boolean): boolean =>
    heads.every((rows) => rows.every((row, i) => row.every((weight, j) => weight > 0 === sees(i, j))));
  const full = [...forwardWeights!.map((rows) => rows.slice(1)), ...backwardWeights!.map((rows) => rows.slice(0, -1))];
  return (
    areDirected(forwardWeights!, (i, j) => j < i) && areDirected(backwardWeights!, (i, j) => j > i) && full.every(rowsSumToOne)
  );
});

property('of equal tokens the nearer one has e^alpha times the weight', 'distance added', (system) => {
  const [weights] = system({ x: x.map(() => x[0]) }, params, { alpha: 0.75 })['forwardWeights'] as Matrix[];
  const row = weights![4]!;
  return [1, 2, 3].every((j) => close(row[j]! / row[j - 1]!, Math.exp(0.75)));
});

property('alpha = 0 is directional attention of heads of their own width', 'scale by the whole width', (system) => {
  const [q, k, v] = [params.forward.Wq, params.forward.Wk, params.forward.Wv].map((W) => [x.map((row) => times(row, W))]);
  const options = { layout: 'btd', heads: 2, bias: bias.direction('forward'), returnWeights: true } as const;
  const [weights] = toNested(fovea.attention(q!, k!, v!, options).weights) as Matrix[][];
  return close(system({ x }, params, { heads: 2, alpha: 0 })['forwardWeights'], weights, 1e-5);
});

for (const wrong of ['gate of raw S and H', 'gate swapped'] as const)
  property('a gate of 1 keeps the projected words', wrong, (system) => {
    const forward = { ...params.forward, bF: x[0]!.map(() => 60), W2P: random([F, D], 1, 0), b2P: zeros(D) };
    const { U } = system({ x }, { ...params, forward }, {}) as Record<string, Matrix>;
    return close(
      U!.map((row) => row.slice(0, D)),
      x.map((row) => times(row, forward.WS)),
    );
  });

property('the weights of a feature sum to 1 over the tokens', 'softmax over features', (system) =>
  rowsSumToOne(columns(system({ x }, params, {})['featureWeights'] as Matrix)),
);

property('padding is not pooled', 'padding pooled', (system) => {
  const padded = system({ x: [...x, [7, 7, 7, 7]] }, params, { lengths: T });
  return close(padded['output'], system({ x }, params, {})['output'], 1e-12);
});

test('reversed tokens with the directions exchanged give the reversed weights of the other direction', () => {
  const { forwardWeights } = run({ x }, params, { heads: 2 }) as Record<string, Matrix[]>;
  const exchanged = { ...params, forward: params.backward, backward: params.forward };
  const mirrored = run({ x: [...x].reverse() }, exchanged, { heads: 2 }) as Record<string, Matrix[]>;
  const turned = forwardWeights!.map((rows) => [...rows].reverse().map((row) => [...row].reverse()));
  assert.ok(close(mirrored['backwardWeights'], turned));
});

test('one token sees nothing: the gate mixes its words with 0; no token: pooled rows are 0', () => {
  const one = run({ x: [x[0]] }, params, {});
  const F1 = sigmoid(plus(times(x[0]!, params.forward.WS), params.forward.bF));
  assert.ok(close(one['forwardGate'], [F1]) && close(one['forwardWeights'], [[[0]]], 0));
  const none = run({ x: { data: new Float32Array(0), shape: [0, D] } }, params, {});
  assert.deepEqual([none['output'], none['U']], [zeros(4 * D), []]);
});

test('a batch is its entries one by one, whatever finite numbers pad them; nothing else is left', () => {
  const padded = x.map((row, t) => (t < 2 ? row : row.map(() => 3e38)));
  const together = run({ x: [x, padded] }, params, { lengths: [T, 2], heads: 2 });
  const alone = run({ x: x.slice(0, 2) }, params, { heads: 2 });
  for (const name of ['attentionPooled', 'maxPooled', 'output'])
    assert.ok(close((together[name] as Matrix)[1], alone[name], 0), name);
  const zero = [(together['U'] as Matrix[])[1]!.slice(2), (together['forwardWeights'] as Matrix[][])[1]![0]!.slice(2)];
  assert.ok(zero.flat(2).every((value) => value === 0));
  leavesNothing(() => {
    const kept = fovea.tensor(x);
    const results = distanceSelfAttention(fovea, { x: kept }, params, { pooling: 'max' });
    Object.values(results).forEach((tensor) => (tensor as { dispose(): void }).dispose());
    kept.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (given: object, options = {}) =>
    () =>
      distanceSelfAttention(fovea, { x }, given as never, options as never);
  fails('value', /missing W2M; unexpected WM/, call({ ...params, W2M: undefined, WM: x }));
  fails('shape', /heads must divide D = 4, got 3/, call(params, { heads: 3 }));
  fails('value', /heads/, call(params, { heads: 0 }));
  fails('value', /alpha/, call(params, { alpha: Infinity }));
  fails('option', /pooling must be 'both' or 'attention' or 'max'/, call(params, { pooling: 'mean' }));
  fails('shape', /W1M must be \[2D, 2D\] = \[8, 8\], got \[4, 4\]/, call({ ...params, W1M: params.forward.Wq }));
});
