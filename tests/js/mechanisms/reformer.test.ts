/** reformer: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { reformer } from 'fovea/mechanisms';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';
import { dot, random, scaled, zeros, type Matrix } from '../reference/equations/rows.ts';
import { hash, reference, type Wrong } from '../reference/reformer.ts';

const run = nested(reformer);
const property = properties<Wrong>(run, reference);
const x = random([8, 4], 1, 2);
const buckets = [
  [0, 1, 0, 1, 1, 0, 2, 0],
  [1, 1, 0, 1, 0, 0, 2, 3],
];
const weightsOf = (results: Record<string, unknown>): Matrix => (results['weights'] as Matrix[])[0]!;
const LOOSE = 1e-5;

test('reformer agrees with its definition in double', () => {
  for (const options of [
    {},
    { causal: true, scale: 0.5 },
    { countDuplicates: true },
    { combine: 'union' },
    { chunkLength: 2 },
  ]) {
    const got = run({ x, buckets }, {}, options);
    for (const [name, want] of Object.entries(reference('')({ x, buckets }, {}, options)))
      assert.ok(close(got[name], want, LOOSE), `${name} ${JSON.stringify(options)}`);
  }
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    ...(['duplicates not corrected', 'rounds averaged', 'keys not normalized', 'self always allowed'] as const),
    ...(['self never allowed', 'self allowed per round', 'no look back'] as const),
  ],
  (draw): DrawnCall => {
    const [T, R, heads, width] = [draw.one(1, 2, 3, 5, 9), draw.integer(1, 4), draw.integer(1, 3), draw.width()];
    const D = draw.one(width, heads * width);
    const [hasQk, hasV] = [draw.maybe() || D % heads > 0, draw.maybe() || D % heads > 0];
    const [d, dv] = [hasQk ? draw.width() : D / heads, hasV ? draw.width() : D / heads];
    const highest = draw.integer(0, 3);
    const buckets = (): Matrix => Array.from({ length: R }, () => draw.integers(T, 0, highest));
    const source = draw.one('shared', 'own', 'rotations');
    return {
      inputs: {
        x: draw.numbers([T, D]),
        ...(source === 'shared' && { buckets: buckets() }),
        ...(source === 'own' && { buckets: Array.from({ length: heads }, buckets) }),
      },
      params: {
        ...(hasQk && { Wqk: draw.numbers([D, heads * d], 2) }),
        ...(hasV && { Wv: draw.numbers([D, heads * dv]) }),
        ...(draw.maybe() && { Wo: draw.numbers([heads * dv, draw.width()]) }),
        ...(source === 'rotations' && { rotations: draw.numbers([R, d, draw.integer(1, 3)]) }),
      },
      options: {
        ...{ heads, causal: draw.maybe(), combine: draw.one('rounds', 'rounds', 'union'), chunkLength: draw.integer(0, 4) },
        ...(draw.maybe() && { scale: draw.one(0.5, 2) }),
        ...(draw.maybe() && { countDuplicates: draw.maybe() }),
        ...(draw.maybe() && { lengths: draw.integer(0, T) }),
      },
    };
  },
);

for (const wrong of ['duplicates not corrected', 'rounds averaged'] as const)
  property('rounds are the union of their keys', wrong, (reform) => {
    const [rounds, union] = ['rounds', 'union'].map((combine) => reform({ x, buckets }, {}, { combine }));
    return ['weights', 'output', 'lse'].every((name) => close(rounds![name], union![name], LOOSE));
  });

property('one bucket is attention to all others with keys of length 1', 'keys not normalized', (reform) => {
  const keys = x.map((row) => scaled(row, 1 / Math.sqrt(dot(row, row))));
  const mask = x.map((_, i) => x.map((_, j) => i !== j));
  const want = fovea.attention(x, keys, x, { scale: 1, mask, returnWeights: true });
  const results = reform({ x, buckets: [zeros(8)] }, {}, {});
  return close(weightsOf(results), toNested(want.weights), LOOSE) && rowsSumToOne(weightsOf(results));
});

property('a token with others in its bucket does not see itself', 'self always allowed', (reform) =>
  weightsOf(reform({ x, buckets }, {}, {})).every((row, i) => i >= 6 || row[i] === 0),
);

property('a token alone in every round sees itself', 'self never allowed', (reform) => {
  const { output, weights } = reform({ x, buckets }, {}, {}) as { output: Matrix; weights: Matrix[] };
  return weights[0]![6]![6] === 1 && close(output[6], x[6]);
});

property('a token alone in one round alone sees the others of the other', 'self allowed per round', (reform) => {
  const [row, lse] = [weightsOf(reform({ x, buckets }, {}, {}))[7]!, reform({ x, buckets }, {}, {})['roundLse'] as Matrix[]];
  return row[7] === 0 && lse[0]![1]![7] === -Infinity;
});

property('the chunk before is seen, too', 'no look back', (reform) => {
  const weights = weightsOf(reform({ x, buckets: [zeros(8)] }, {}, { chunkLength: 2 }));
  return weights.every((row, i) =>
    row.every((one, j) => {
      const back = Math.floor(i / 2) - Math.floor(j / 2);
      return one > 0 === (i !== j && (back === 0 || back === 1));
    }),
  );
});

test('buckets by rotations are argmax [q R; -q R], whatever the length of q; those of lsh come from the seed', () => {
  const rotations = random([3, 4, 2], 5);
  const { buckets: got } = run({ x }, { rotations }, {}) as { buckets: Matrix[] };
  const want = rotations.map((R) => hash(x, R));
  assert.deepEqual(got, [want]);
  assert.deepEqual((run({ x: x.map((row, i) => scaled(row, i + 1)) }, { rotations }, {}) as { buckets: Matrix[] }).buckets, [
    want,
  ]);
  for (const rounds of [1, 3]) {
    const lsh = { buckets: 4, rounds, seed: 7 };
    const drawn = run({ x }, {}, { heads: 2, lsh });
    const ids = (drawn['buckets'] as Matrix[])[1]!;
    assert.ok(ids.length === rounds && ids.flat().every((id) => id >= 0 && id < 4));
    assert.deepEqual(drawn['weights'], run({ x, buckets: drawn['buckets'] }, {}, { heads: 2 })['weights']);
  }
});

test('a vector of zeros has a key of zeros', () => {
  const { weights } = run({ x: [zeros(4), ...x.slice(1, 4)], buckets: [zeros(4)] }, {}, {});
  assert.ok(close((weights as Matrix[])[0]![0], [0, 1 / 3, 1 / 3, 1 / 3]));
});

test('batches and lengths: padding is zeros, -1 and -Infinity; nothing else is left', () => {
  const other = random([8, 4], 9, 2);
  const padded = other.map((row, t) => (t < 5 ? row : row.map(() => 3e38)));
  const ids = [buckets, buckets.map((list) => list.map((id, t) => (t < 5 ? id : -9)))];
  const params = { Wqk: random([4, 4], 10), Wv: random([4, 6], 11), Wo: random([6, 3], 12) };
  const options = { heads: 2, causal: true, lengths: [8, 5] };
  const both = leavesNothing(() => run({ x: [x, padded], buckets: ids }, params, { ...options, trace: true }));
  const alone = run({ x: other.slice(0, 5), buckets: buckets.map((list) => list.slice(0, 5)) }, params, {
    heads: 2,
    causal: true,
  });
  const output = (both['output'] as Matrix[])[1]!;
  assert.ok(
    close(output.slice(0, 5), alone['output'], LOOSE) &&
      output
        .slice(5)
        .flat()
        .every((one) => one === 0),
  );
  const [lse] = (both['lse'] as Matrix[])[1]!;
  assert.ok(close(lse!.slice(0, 5), (alone['lse'] as Matrix)[0], LOOSE) && lse!.slice(5).every((one) => one === -Infinity));
  assert.deepEqual((both['buckets'] as Matrix[][][])[1]![0]![0]!.slice(5), [-1, -1, -1] as never);
});

test('the empty cases: no token, one token', () => {
  const empty = reformer(fovea, { x: { data: [], shape: [0, 4] }, buckets: { data: [], shape: [2, 0] } });
  assert.deepEqual([empty.output.shape, empty.lse.shape, empty.roundLse!.shape], [[0, 4], [1, 0], [1, 2, 0]]); // prettier-ignore
  const none = run({ x: x.slice(0, 2), buckets: [[0, 0]] }, {}, { lengths: 0 });
  assert.ok((none['output'] as Matrix).flat().every((one) => one === 0));
  const one = run({ x: [x[0]!], buckets: [[3]] }, {}, {});
  assert.deepEqual(one['weights'], [[[1]]]);
  assert.ok(close(one['output'], [x[0]]));
});

test('bad input is an error that says what was expected', () => {
  const call =
    (options: object, given: object = { buckets }, params: object = {}) =>
    () =>
      reformer(fovea, { x, ...given } as never, params as never, options as never);
  fails('option', /exactly one of buckets, rotations and lsh must be given, got none/, call({}, {}));
  fails('option', /got buckets and lsh/, call({ lsh: { buckets: 2 } }));
  fails(
    'value',
    /buckets must be integers of at least 0, got -2 at token 1/,
    call({}, { buckets: [[0, -2, 0, 0, 0, 0, 0, 0]] }),
  );
  fails('shape', /buckets must be \[R, T\]/, call({}, { buckets: [[0, 1]] }));
  fails('shape', /buckets must be \[heads, R, T\] with heads = 1, got 2/, call({}, { buckets: [buckets, buckets] }));
  fails('shape', /the width of x must be divisible by heads = 3, got 4/, call({ heads: 3 }));
  fails(
    'shape',
    /rotations must be \[R, d, b\/2\] with d = 2, got d = 4/,
    call({ heads: 2 }, {}, { rotations: random([1, 4, 2], 1) }),
  );
  fails('value', /unexpected Wq$/, call({}, { buckets }, { Wq: x }));
  fails('value', /chunkLength must be an integer from 0/, call({ chunkLength: -1 }));
});
