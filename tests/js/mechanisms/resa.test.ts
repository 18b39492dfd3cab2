/** resa: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { resa } from 'fovea/mechanisms';
import { multiDimensionalAttention } from 'fovea/score';
import {
  columns,
  dot,
  elu,
  hadamard,
  plus,
  random,
  sigmoid,
  times,
  zeros,
  type Matrix,
  type Row,
} from '../reference/equations/rows.ts';
import { reference, type Params, type Sampler, type Wrong } from '../reference/resa.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const [T, E, R] = [5, 2, 3];
const sampler = (seed: number): Sampler => ({
  ...{ WR: random([3 * E, R], seed, 2), bR: random([R], seed + 1), w: random([R], seed + 2, 2), b: 0.25 },
});
const params: Params = {
  ...{ head: sampler(1), dependent: sampler(4), W1: random([E, E], 7, 2), W2: random([E, E], 8, 2), b1: random([E], 9) },
  ...{ Wf: random([2 * E, E], 10, 2), bf: random([E], 11) },
};
const x = random([T, E], 12);
const selected = { x, head: [1, 0, 1, 1, 0], dependent: [1, 1, 0, 1, 0] };
const everything = { x, head: x.map(() => 1), dependent: x.map(() => 1) };
const run = nested(resa);
const property = properties<Wrong>(run, reference);
const pairs = (weights: unknown, sees: (j: number, i: number) => boolean): boolean =>
  (weights as Matrix[]).every((rows, j) => rows.every((row, i) => row.every((weight) => weight > 0 === sees(j, i))));

test('resa agrees with its definition in double', () => {
  assertAgree(run, reference(''), selected, params, {});
  assertAgree(run, reference(''), everything, params, { c: 0.5 });
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    ...(['i = j allowed', 'roles swapped', '[s; x]', 'gate swapped', 'order of f', 'mean over padding'] as const),
    ...(['no scale c', 'one softmax for all features'] as const),
  ],
  (draw): DrawnCall => {
    const [T, E] = [draw.length(), draw.width()];
    const sampler = (R: number): Sampler => ({
      ...{ WR: draw.numbers([3 * E, R], 2), bR: draw.numbers([R]), w: draw.numbers([R], 2), b: draw.numbers([1])[0]! },
    });
    return {
      inputs: { x: draw.numbers([T, E]), head: draw.integers(T, 0, 1), dependent: draw.integers(T, 0, 1) },
      params: {
        ...{ head: sampler(draw.width()), dependent: sampler(draw.width()) },
        ...{ W1: draw.numbers([E, E], 2), W2: draw.numbers([E, E], 2), b1: draw.numbers([E]) },
        ...{ Wf: draw.numbers([2 * E, E], 2), bf: draw.numbers([E]) },
      },
      options: {
        ...(draw.maybe() && { c: draw.one(0.5, 1, 3) }),
        ...(draw.maybe() && { activation: draw.one('elu', 'relu', 'tanh') }),
        ...(draw.maybe() && { lengths: draw.integer(0, T) }),
      },
    };
  },
);

property('all selected: every token sees all others', 'i = j allowed', (system) =>
  pairs(system(everything, params, {})['weights'], (j, i) => i !== j),
);

property('heads ask, dependents are asked', 'roles swapped', (system) =>
  pairs(system(selected, params, {})['weights'], (j, i) => selected.head[j] === 1 && selected.dependent[i] === 1 && i !== j),
);

property("for each feature a head's weights sum to 1", 'one softmax for all features', (system) =>
  (system(everything, params, {})['weights'] as Matrix[]).every((rows) => rowsSumToOne(columns(rows))),
);

property('the upper half of Wf reads x', '[s; x]', (system) => {
  const Wf = params.Wf.map((row, n) => (n < E ? row : zeros(E)));
  const want = x.map((row) => sigmoid(plus(times(row, Wf.slice(0, E)), params.bf)));
  return close(system(selected, { ...params, Wf }, {})['gate'], want);
});

property('a gate of 1 keeps x', 'gate swapped', (system) => close(system(everything, { ...params, bf: [60, 60] }, {})['u'], x));

property('the first third of WR reads the token itself', 'order of f', (system) => {
  const head = { ...params.head, WR: params.head.WR.map((row, n) => (n < E ? row : zeros(R))) };
  const { headProbability } = system(selected, { ...params, head }, {});
  const want = x.map((row) => dot(elu(plus(times(row, head.WR.slice(0, E)), head.bR)), head.w) + head.b);
  return close(headProbability, sigmoid(want));
});

property('the mean leaves the padding out', 'mean over padding', (system) => {
  const padded = { x: [...x, [9, -9]], head: [...selected.head, 1], dependent: [...selected.dependent, 1] };
  const [got, want] = [system(padded, params, { lengths: T }), system(selected, params, {})];
  return close((got['headProbability'] as Row).slice(0, T), want['headProbability'], 1e-12);
});

property('scores are bounded by c: weights differ by exp(2c) at most', 'no scale c', (system) => {
  const [, second] = system(everything, params, { c: 0.05 })['weights'] as Matrix[];
  const seen = columns([second![0]!, ...second!.slice(2)]);
  return seen.every((feature) => Math.max(...feature) <= Math.min(...feature) * Math.exp(0.1) * (1 + 1e-6));
});

test('the probabilities of all selections sum to 1', () => {
  const three = x.slice(0, 3);
  const total = Array.from({ length: 8 }, (_, bits) => {
    const head = [0, 1, 2].map((t) => (bits >> t) & 1);
    const logs = run({ x: three, head, dependent: [0, 0, 0] }, params, {})['headLogProbability'] as Row;
    return Math.exp(logs.reduce((sum, log) => sum + log, 0));
  }).reduce((sum, p) => sum + p, 0);
  assert.ok(close(total, 1));
});

test('all selected is multi-dimensional attention without the diagonal', () => {
  const mask = x.map((_, j) => x.map((_, i) => i !== j));
  const { W2: Wq, W1: Wk, b1: bias } = params;
  const { output } = multiDimensionalAttention(fovea, x, x, x, { Wq, Wk, bias }, { mask });
  assert.deepEqual(run(everything, params, {})['s'], toNested(output));
});

test('samples: one seed gives one selection; over many seeds their mean is the probability', () => {
  const draw = (seed: number) => run({ x }, params, { seed }) as Record<string, Row>;
  assert.deepEqual(draw(3), draw(3));
  const { head, dependent, headProbability, dependentProbability } = draw(3);
  assert.deepEqual(run({ x, head, dependent }, params, {}), draw(3));
  const seeds = Array.from({ length: 150 }, (_, seed) => draw(seed));
  const apart = (name: string, probability: Row): number[] =>
    probability.map((p, t) => Math.abs(seeds.filter((one) => one[name]![t] === 1).length / seeds.length - p));
  // Five standard deviations of a mean of 150 are at most 0.21.
  for (const error of [...apart('head', headProbability!), ...apart('dependent', dependentProbability!)])
    assert.ok(error < 0.21);
  assert.ok(seeds.some((one) => !close(one['head'], one['dependent'])) && seeds.some((one) => !close(one['head'], head)));
});

test('a token that sees no other keeps the gated x; no token: no probability', () => {
  const one = run({ x: [x[0]], head: [1], dependent: [1] }, params, {}) as Record<string, Matrix>;
  assert.deepEqual([one['weights'], one['s']], [[[zeros(E)]], [zeros(E)]]);
  assert.ok(close(one['u'], [hadamard(one['gate']![0]!, x[0]!)]));
  const none = run({ x: { data: new Float32Array(0), shape: [0, E] } }, params, {});
  assert.deepEqual([none['logProbability'], none['u']], [0, []]);
});

test('a batch is its entries one by one, whatever finite numbers pad them; nothing else is left', () => {
  const padded = x.map((row, t) => (t < 2 ? row : row.map(() => 3e38)));
  const batch = { x: [x, padded], head: [selected.head, [1, 1, 7, 7, 7]], dependent: [selected.dependent, [1, 1, 7, 7, 7]] };
  const together = run(batch, params, { lengths: [T, 2] }) as Record<string, Matrix[]>;
  const alone = run({ x: x.slice(0, 2), head: [1, 1], dependent: [1, 1] }, params, {}) as Record<string, Matrix>;
  for (const name of ['u', 'gate', 'headProbability']) assert.ok(close(together[name]![1]!.slice(0, 2), alone[name], 0), name);
  assert.ok(close(together['logProbability']![1], alone['logProbability'], 0));
  assert.deepEqual((together['head']![1] as unknown as Row).slice(2), [-1, -1, -1]);
  leavesNothing(() => {
    const kept = fovea.tensor(x);
    const results = resa(fovea, { x: kept }, params as never);
    Object.values(results).forEach((one) => 'dispose' in (one as object) && (one as { dispose(): void }).dispose());
    kept.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (inputs: object, options = {}, given: object = params) =>
    () =>
      resa(fovea, inputs as never, given as never, options);
  fails('value', /missing W1; unexpected W/, call({ x }, {}, { ...params, W1: undefined, W: x }));
  fails('value', /head must be 0 or 1, got 2 at position 1/, call({ ...selected, head: [0, 2, 0, 0, 0] }));
  fails('value', /head, dependent together or none/, call({ x, head: selected.head }));
  fails('option', /seed cannot be combined/, call(selected, { seed: 1 }));
  fails('value', /seed/, call({ x }, { seed: -1 }));
  fails('value', /resa: .*c must/, call({ x }, { c: -1 }));
});
