/** graphAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphAttention } from 'fovea/mechanisms';
import { plus, random, scaled, times, type Matrix } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/graph_attention.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties } from '../support/mechanism_properties.ts';

const run = nested(graphAttention);
const property = properties<Wrong>(run, reference);
const h = random([6, 3], 1);
const edges = [[0, 1], [0, 2], [1, 0], [2, 1], [3, 1], [4, 5], [0, 1], [5, 5], [3, 2]]; // prettier-ignore
const first = { W: random([3, 8], 2, 2), aTarget: random([2, 4], 3), aSource: random([2, 4], 4) };
const second = { WTarget: random([3, 8], 5), WSource: random([3, 8], 6), a: random([2, 4], 7) };
const options = { heads: 2, activation: 'none' };

/** The weights of a target's edges, by their sources. */
function into(results: Record<string, unknown>, t: number, head = 0): Map<number, number> {
  const list = results['edges'] as Matrix;
  const own = [...list.keys()].filter((n) => list[n]![0] === t);
  return new Map(own.map((n) => [list[n]![1]!, (results['weights'] as Matrix)[n]![head]!]));
}

test('graphAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { h, edges }, { ...first, bias: random([8], 8) }, { heads: 2, activation: 'elu' });
  assertAgree(
    run,
    reference(''),
    { h, edges },
    { ...second, bias: random([4], 9) },
    { heads: 2, version: 2, combine: 'average' },
  );
  assertAgree(run, reference(''), { h, edges }, first, { heads: 2, selfLoops: false, activation: 'relu', negativeSlope: 0.01 });
  assertAgree(run, reference(''), { h, edges }, { ...first, W: random([3, 8], 2, 200) }, options);
});

agreesOnDrawnCalls(
  run,
  reference,
  [
    'softmax over targets',
    '[source, target]',
    'no self-loops',
    'duplicates counted',
    'no LeakyReLU',
    'aTarget and aSource swapped',
    'LeakyReLU after a',
    'values by WTarget',
  ],
  (draw) => {
    const [nodes, features, heads, width] = [draw.length(), draw.width(), draw.one(1, 2, 3), draw.width()];
    const [version, combine] = [draw.one(1, 2), draw.one('concat', 'average')];
    const all = heads * width;
    const bias = { bias: draw.numbers([combine === 'concat' ? all : width]) };
    const gat = () => ({
      W: draw.numbers([features, all]),
      aTarget: draw.numbers([heads, width]),
      aSource: draw.numbers([heads, width]),
    });
    const v2 = () => ({
      WTarget: draw.numbers([features, all]),
      WSource: draw.numbers([features, all]),
      a: draw.numbers([heads, width]),
    });
    return {
      inputs: {
        h: draw.numbers([nodes, features], 2),
        edges: Array.from({ length: draw.integer(1, 3 * nodes) }, () => draw.integers(2, 0, nodes - 1)),
      },
      params: { ...(version === 1 ? gat() : v2()), ...(draw.maybe() && bias) },
      options: {
        ...{ heads, version, combine, activation: draw.one('elu', 'relu', 'none'), selfLoops: draw.maybe() },
        ...(draw.maybe() && { negativeSlope: 0.125 }),
      },
    };
  },
);

property('the weights into each node sum to 1', 'softmax over targets', (attend) => {
  const results = attend({ h, edges }, first, options);
  return h.every((_, t) =>
    close(
      [...into(results, t).values()].reduce((sum, x) => sum + x, 0),
      1,
    ),
  );
});

property('the first of a pair attends to the second', '[source, target]', (attend) => {
  const sources = (attend({ h, edges }, first, options)['edges'] as Matrix).flatMap(([t, s]) => (t === 3 ? [s] : []));
  return close(sources, [1, 2, 3], 0);
});

property('a node without edges sees itself', 'no self-loops', (attend) => {
  const { output } = attend({ h, edges: [[0, 1]] }, first, options) as { output: Matrix };
  return close(output[4], times(h[4]!, first.W));
});

property('an edge given twice counts once', 'duplicates counted', (attend) => {
  const [twice, once] = [edges, edges.slice(0, 6)].map(
    (edges) => (attend({ h, edges }, first, options)['output'] as Matrix)[0],
  );
  return close(twice, once);
});

property('version 1: scores below 0 are bent', 'no LeakyReLU', (attend) => {
  const params = { W: [[1]], aTarget: [[0]], aSource: [[1]] };
  const results = attend({ h: [[-1], [-6]], edges: [[0, 1]] }, params, { activation: 'none' });
  return close(into(results, 0).get(0), 1 / (1 + Math.exp(0.2 * -5)));
});

property('version 1: aSource tells sources apart, aTarget does not', 'aTarget and aSource swapped', (attend) => {
  const zero = { ...first, aSource: first.aSource.map((row) => scaled(row, 0)) };
  const { output } = attend({ h, edges }, zero, options) as { output: Matrix };
  const mean = scaled(plus(...[0, 1, 2].map((s) => times(h[s]!, first.W))), 1 / 3);
  return close(output[0], mean);
});

/** Each target attends to each node. */
const complete = h.flatMap((_, t) => h.map((_, s) => [t, s]));
const orders = (results: Record<string, unknown>): string[] =>
  h.map((_, t) =>
    [...into(results, t)]
      .sort((a, b) => b[1] - a[1])
      .map(([s]) => s)
      .join(),
  );

property('version 2: the order of sources can depend on the target', 'LeakyReLU after a', (attend) => {
  const params = { WTarget: random([3, 4], 21, 3), WSource: random([3, 4], 22, 3), a: random([1, 4], 23, 2) };
  return new Set(orders(attend({ h, edges: complete }, params, { version: 2 }))).size > 1;
});

test('version 1: the order of sources is the same for all targets', () => {
  const params = { W: random([3, 4], 24, 3), aTarget: random([1, 4], 25), aSource: random([1, 4], 26) };
  assert.equal(new Set(orders(run({ h, edges: complete }, params, {}))).size, 1);
});

property('version 2: values are those of WSource', 'values by WTarget', (attend) => {
  const { output } = attend({ h, edges: [] }, second, { ...options, version: 2 }) as { output: Matrix };
  return close(
    output,
    h.map((row) => times(row, second.WSource)),
  );
});

test('the empty cases: no edges at all, a node without edges, one node', () => {
  const none = graphAttention(fovea, { h, edges: [] }, { ...first, bias: random([8], 8) }, { heads: 2, selfLoops: false });
  assert.deepEqual([none.weights.shape, none.edges.shape], [[0, 2], [0, 2]]); // prettier-ignore
  const { output } = run({ h, edges: [[0, 1]] }, { ...first, bias: random([8], 8) }, { ...options, selfLoops: false });
  assert.deepEqual((output as Matrix)[3], random([8], 8));
  assert.deepEqual(run({ h: [h[0]!], edges: [] }, first, options)['weights'], [[1, 1]]);
});

test('scores far below others of the graph keep their weights: the maximum is that of each node', () => {
  const params = { W: [[1]], aTarget: [[0]], aSource: [[1]] };
  const results = run(
    {
      h: [[0], [1000], [-1000], [-1001]],
      edges: [
        [0, 1],
        [2, 3],
      ],
    },
    params,
    { negativeSlope: 1 },
  );
  assert.ok(close([...into(results, 2).values()], [1 / (1 + Math.E), Math.E / (1 + Math.E)]));
});

test('a batch shares the edges; nothing else is left', () => {
  const batch = [h, random([6, 3], 30)];
  const together = leavesNothing(() => run({ h: batch, edges }, first, { ...options, trace: true }));
  batch.forEach((h, b) => {
    const alone = run({ h, edges }, first, options);
    for (const name of ['output', 'weights']) assert.deepEqual((together[name] as unknown[])[b], alone[name]);
    assert.deepEqual(together['edges'], alone['edges']);
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (change: object, params: object = first, given: object = {}) =>
    () =>
      graphAttention(fovea, { h, edges, ...given } as never, params as never, { ...options, ...change } as never);
  fails('value', /edges must be nodes from 0 to 5, got 6 in edge 1/, call({}, first, { edges: [[0, 1], [6, 0]] })); // prettier-ignore
  fails('shape', /edges must be \[M, 2\], got \[1, 9, 2\]/, call({}, first, { edges: [edges] }));
  fails('value', /missing WTarget, WSource, a; unexpected W, aTarget, aSource$/, call({ version: 2 }));
  fails('value', /version must be 1 or 2, got 3/, call({ version: 3 }));
  fails('shape', /aTarget must have heads = 1 rows, got 2/, call({ heads: 1 }));
  fails('shape', /bias must be \[F'\] = \[4\], got \[8\]/, call({ combine: 'average' }, { ...first, bias: random([8], 1) }));
  fails('option', /combine must be 'concat' or 'average', got 'mean'/, call({ combine: 'mean' }));
});
