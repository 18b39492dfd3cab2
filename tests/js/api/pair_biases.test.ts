/** bias.edges and bias.fromFunction: against the same numbers as a mask, over every path of a call, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kvCache } from 'fovea/cache';
import { pattern as P, type Pattern } from 'fovea/pattern';
import { bias } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import { rejects, remote } from '../support/remote.ts';

const [B, H, Hkv, D] = [2, 4, 2, 8];

interface Edge {
  readonly query: number;
  readonly key: number;
}

/** Some edges of each query, in no order. */
function drawEdges(queries: number, keys: number, each: number): Edge[] {
  const edges = Array.from({ length: queries * each }, (_, n) => ({
    query: (n * 7) % queries,
    key: (n * n * 13 + 5 * n) % keys,
  }));
  return edges.filter(({ query, key }, n) => edges.findIndex((one) => one.query === query && one.key === key) === n);
}

const flat = (edges: readonly Edge[]): number[] => edges.flatMap(({ query, key }) => [query, key]);

/** The values as a float mask [B, H, Tq, Tk] that is -Infinity where a pattern keeps no pair. */
function maskOf(edges: readonly Edge[], values: { data: Float32Array; shape: number[] }, kept: Pattern, sizes: number[]) {
  const [queries, keys] = sizes as [number, number];
  const pairs = kept.toMask(fovea, { queries, keys, heads: H, batch: B });
  const data = new Float32Array(B * H * queries * keys);
  const [E, perHead, perBatch] = [edges.length, values.shape.length > 1, values.shape.length > 2];
  for (let group = 0; group < B * H; group++) {
    const [b, h] = [Math.floor(group / H), group % H];
    const [from, row] = [group * queries * keys, (perBatch ? group : perHead ? h : 0) * E];
    edges.forEach(({ query, key }, n) => (data[from + query * keys + key] = values.data[row + n]!));
    for (let n = 0; n < queries * keys; n++) {
      const at = pairs.shape.length === 2 ? n : (pairs.shape.length === 3 ? h : b * H + h) * queries * keys + n;
      if (pairs.data[at] === 0) data[from + n] = -Infinity;
    }
  }
  return { data, shape: [B, H, queries, keys] };
}

for (const [queries, keys, each] of [
  [5, 9, 3],
  [33, 65, 4],
  [70, 130, 60],
] as const) {
  const q = numbers([B, H, queries, D], 1);
  const k = numbers([B, Hkv, keys, D], 2);
  const v = numbers([B, Hkv, keys, 5], 3);
  const edges = drawEdges(queries, keys, each);
  const graph = P.graph({ edges: flat(edges) });
  const patterns: [string, Pattern][] = [
    ['a graph', graph],
    ['a graph and loops', graph.or(P.local(0))],
    ['a graph in part', graph.and(P.causal())],
    ['a graph for some heads', P.perHead([graph, P.local(1), P.all(), P.causal()])],
  ];
  const shapes = [[edges.length], [H, edges.length], [B, H, edges.length]];
  for (const [name, pattern] of patterns) {
    test(`edges [${queries}, ${keys}] of ${name}: what their mask gives, in every result`, () => {
      for (const shape of shapes) {
        const values = numbers(shape, 4);
        const ask = { returnLse: true, returnLogits: 'biased', softcap: 3 } as const;
        const mask = maskOf(edges, values, pattern, [queries, keys]);
        // Heads whose pattern has no graph have none of its values.
        if (name.endsWith('heads'))
          mask.data.forEach((x, n) => (mask.data[n] = x !== -Infinity && Math.floor(n / queries / keys) % H > 0 ? 0 : x));
        const want = fovea.attention(q, k, v, { ...ask, mask, returnWeights: true });
        const own = { ...ask, pattern, bias: bias.edges(values) };
        const got = leavesNothing(() => fovea.attention(q, k, v, { ...own, returnWeights: 'dense' }));
        near(got.output, [...want.output.data], 3e-6);
        near(got.weights, [...want.weights.data], 3e-6);
        near(got.lse, [...want.lse.data], 3e-6);
        near(got.logits, [...want.logits.data], 1e-5);
        const { weights, output } = fovea.attention(q, k, v, { ...own, returnWeights: true });
        same(output.data, got.output.data);
        for (let row = 0; row + 1 < weights.indptr.length; row++)
          for (let n = weights.indptr[row]!; n < weights.indptr[row + 1]!; n++)
            assert.equal(weights.values[n], got.weights.data[row * keys + weights.indices[n]!]);
      }
    });
  }

  test(`edges [${queries}, ${keys}]: values that are out of order, or of the wrong head, are other results`, () => {
    const values = numbers([H, edges.length], 4);
    const want = fovea.attention(q, k, v, { mask: maskOf(edges, values, graph, [queries, keys]) }).output.data;
    const wrong = { data: values.data.slice().reverse(), shape: values.shape };
    const got = fovea.attention(q, k, v, { pattern: graph, bias: bias.edges(wrong) }).output;
    assert.throws(() => near(got, [...want], 1e-3));
  });
}

const [Tq, Tk] = [6, 7];
const q = numbers([B, H, Tq, D], 1);
const k = numbers([B, Hkv, Tk, D], 2);
const v = numbers([B, Hkv, Tk, D], 3);
const attend = (options: object) => fovea.attention(q, k, v, options);

test('edges in sorted lists and as pairs are the same edges; a graph with biases of its own adds as much', () => {
  const edges = [[0, 3], [0, 1], [2, 6], [5, 0], [2, 2]] as [number, number][]; // prettier-ignore
  const values = [0.5, -1, 2, 0.25, 1];
  const want = attend({ pattern: P.graph({ edges, bias: values }) }).output.data;
  const pairs = P.graph({ edges });
  same(attend({ pattern: pairs, bias: bias.edges(values) }).output.data, want);
  const lists = P.graph({ indptr: [0, 2, 2, 4, 4, 4, 5], indices: [1, 3, 2, 6, 0] });
  same(attend({ pattern: lists, bias: bias.edges([-1, 0.5, 1, 2, 0.25]) }).output.data, want);
  same(
    attend({ pattern: P.from(JSON.parse(JSON.stringify(lists))), bias: bias.edges([-1, 0.5, 1, 2, 0.25]) }).output.data,
    want,
  );
  const tensor = fovea.tensor(values);
  same(attend({ pattern: pairs, bias: bias.edges(tensor) }).output.data, want);
  tensor.dispose();
  const none = P.graph({ edges: [] });
  same(
    attend({ pattern: none, bias: bias.edges({ data: [], shape: [0] }) }).output.data,
    attend({ pattern: none }).output.data,
  );
});

test('edges with other biases, positions and a trace', () => {
  const edges = drawEdges(Tq, Tk, 3);
  const pattern = P.graph({ edges: flat(edges) });
  const values = numbers([edges.length], 5);
  const more = { causalOffset: [1, -2], returnLogits: 'biased' } as const;
  const shifted = attend({ ...more, pattern, bias: [bias.edges(values), bias.alibi([1, 2, 3, 4])] });
  const data = new Float32Array(B * Tq * Tk).fill(-Infinity);
  edges.forEach(({ query, key }, n) =>
    [1, -2].forEach((offset, b) => {
      const i = query - offset;
      if (i >= 0 && i < Tq) data[(b * Tq + i) * Tk + key] = values.data[n]!;
    }),
  );
  const mask = { data, shape: [B, 1, Tq, Tk] };
  near(shifted.logits, [...attend({ ...more, mask, bias: bias.alibi([1, 2, 3, 4]) }).logits!.data], 1e-5);
  const { trace, output } = fovea.attention(q, k, v, { pattern, bias: bias.edges(values), trace: true });
  const stage = trace.find(({ name }) => name === 'masked')!;
  assert.match(stage.formula, /e_\{ij\}/);
  same(output.data, attend({ pattern, bias: bias.edges(values) }).output.data);
});

test('edges of a cache are those of its tokens', () => {
  const cache = kvCache(fovea, { batch: B, kvHeads: Hkv, width: D, capacity: 16 });
  cache.append(k, v);
  const edges = [
    [6, 0],
    [5, 3],
    [6, 6],
    [6, 2],
  ] as [number, number][];
  const query = numbers([B, H, 1, D], 6);
  const options = { pattern: P.graph({ edges }), bias: bias.edges([1, 2, 3, 4]) };
  const want = fovea.attention(query, k, v, { ...options, causalAlign: 'bottom-right' });
  same(fovea.attention(query, cache, options).output.data, want.output.data);
  cache.dispose();
});

test('what bias.edges needs', () => {
  const graph = P.graph({ edges: [0, 1, 2, 2, 3, 0] });
  const ask =
    (pattern: Pattern | undefined, values: unknown = [1, 2, 3]) =>
    () =>
      attend({ pattern, bias: bias.edges(values as never) });
  fails('option', /bias\.edges must go with a pattern that has a pattern\.graph, got no pattern/, ask(undefined));
  fails('option', /exactly one pattern\.graph, got 0/, ask(P.causal()));
  fails('option', /exactly one pattern\.graph, got 2/, ask(graph.or(P.graph({ edges: [1, 1] }))));
  fails('option', /complement/, ask(graph.not()));
  fails('option', /biases of its own/, ask(P.graph({ edges: [0, 1], bias: [1] }), [1]));
  fails('option', /edges of the graph must differ/, ask(P.graph({ edges: [0, 1, 0, 1] }), [1, 2]));
  fails(
    'shape',
    /\[E\] = \[3\], one number for each edge, or broadcast to \[B, H, E\] = \[2, 4, 3\], got \[2\]/,
    ask(graph, [1, 2]),
  );
  fails('shape', /got \[1\]/, ask(graph, [1]));
  fails('shape', /got \[3, 3\]/, ask(graph, numbers([3, 3])));
  fails('value', /bias\.edges must hold finite numbers.*got -Infinity at index 1/, ask(graph, [1, -Infinity, 0]));
  fails('value', /bias\.edges/, ask(graph, 'all'));
  fails('option', /bias\.edges must be given once/, () =>
    attend({ pattern: graph, bias: [bias.edges([1, 2, 3]), bias.edges([1, 2, 3])] }),
  );
});

type Place = [i: number, j: number, h: number, b: number];
const f = (...[i, j, h, b]: Place): number => Math.sin(i * 3 + j * 5 + h * 7 + b * 11);

/** f of the axes that a function names, as a mask. */
function asked(named: number, offsets: readonly number[], queries = Tq, keys = Tk) {
  const data = new Float32Array(B * H * queries * keys);
  data.forEach((_, n) => {
    const [j, row] = [n % keys, Math.floor(n / keys)];
    const [i, group] = [row % queries, Math.floor(row / queries)];
    const [h, b] = [group % H, Math.floor(group / H)];
    data[n] = f(i + offsets[b]!, j, named > 2 ? h : 0, named > 3 ? b : 0);
  });
  return { data, shape: [B, H, queries, keys] };
}

const functions: [number, (i: number, j: number, head: number, batch: number) => number][] = [
  [2, (i, j) => f(i, j, 0, 0)],
  [3, (i, j, h) => f(i, j, h, 0)],
  [4, (i, j, h, b) => f(i, j, h, b)],
];

for (const [queries, keys] of [
  [Tq, Tk],
  [1, 33],
  [70, 130],
] as const)
  test(`a function of pairs [${queries}, ${keys}]: what its numbers give as a mask, without a pattern and with one`, () => {
    const [x, y] = [numbers([B, H, queries, D], 1), numbers([B, Hkv, keys, D], 2)];
    for (const [named, own] of functions)
      for (const offsets of [
        [0, 0],
        [3, 3],
        [2, -1],
      ]) {
        const options = { causalOffset: offsets, causal: true, returnLse: true, returnLogits: 'biased' } as const;
        const want = fovea.attention(x, y, y, {
          ...options,
          mask: asked(named, offsets, queries, keys),
          returnWeights: 'dense',
        });
        for (const pattern of [undefined, P.all()]) {
          const given = { ...options, ...(pattern && { pattern }), bias: bias.fromFunction(own) };
          const got = leavesNothing(() => fovea.attention(x, y, y, { ...given, returnWeights: 'dense' }));
          near(got.output, [...want.output.data], 3e-6);
          near(got.weights, [...want.weights.data], 3e-6);
          near(got.lse, [...want.lse.data], 3e-6);
          near(got.logits, [...want.logits.data], 1e-5);
        }
      }
  });

test('a function is asked once for each pair of the axes that it names', () => {
  const count = (own: (...place: Place) => number, length: number, options: object = {}): number => {
    let calls = 0;
    const counted = Object.defineProperty((...place: Place) => (calls++, own(...place)), 'length', { value: length });
    attend({ ...options, bias: bias.fromFunction(counted) });
    return calls;
  };
  assert.equal(count(f, 2), Tq * Tk);
  assert.equal(count(f, 2, { causalOffset: 5 }), Tq * Tk);
  assert.equal(count(f, 2, { causalOffset: [1, 2] }), B * Tq * Tk);
  assert.equal(count(f, 3), H * Tq * Tk);
  assert.equal(count(f, 4), B * H * Tq * Tk);
  assert.equal(count(f, 0), B * H * Tq * Tk, 'of a function that names nothing, nothing is known');
  assert.equal(
    fovea.attention(numbers([0, D]), numbers([3, D]), numbers([3, D]), { bias: bias.fromFunction(() => NaN) }).output.data
      .length,
    0,
  );
});

test('projected attention, a trace and Tensors take functions of pairs, too', () => {
  const x = numbers([B, Tq, 6]);
  const params = { Wq: numbers([6, 8], 1), Wk: numbers([6, 8], 2), Wv: numbers([6, 8], 3) };
  const mask = { data: asked(4, [0, 0], Tq, Tq).data, shape: [B, H, Tq, Tq] };
  const own = bias.fromFunction(f);
  near(
    fovea.selfAttention(x, params, { heads: H, bias: own }).output,
    [...fovea.selfAttention(x, params, { heads: H, mask }).output.data],
    3e-6,
  );
  const tensor = fovea.tensor(q);
  const { output, trace } = fovea.attention(tensor, k, v, { bias: own, trace: true });
  near(output, [...attend({ mask: asked(4, [0, 0]) }).output.data], 3e-6);
  assert.match(trace.find(({ name }) => name === 'masked')!.formula, /f\(p_i, j, h, b\)/);
  for (const one of [tensor, output]) one.dispose();
});

test('what a function of pairs must give, and how much of it', () => {
  const ask =
    (own: unknown, options: object = {}) =>
    () =>
      attend({ ...options, bias: bias.fromFunction(own as never) });
  for (const wrong of [undefined, null, '1', NaN, Infinity, -Infinity, 1e39, 1n])
    fails(
      'value',
      /bias\.fromFunction must give finite numbers.*query position 2, key 3, head 0 and batch entry 0/,
      ask((i: number, j: number) => (i === 2 && j === 3 ? wrong : 0)),
    );
  fails(
    'value',
    /forbid pairs with the option mask/,
    ask(() => -Infinity),
  );
  fails('value', /bias\.fromFunction/, ask(3));
  fails('shape', /bias\.fromFunction must broadcast to \[B, H, Tq, Tk\]/, ask([[1, 2]]));
  assert.throws(
    ask(() => assert.fail('the own error')),
    /the own error/,
  );
  let calls = 0;
  const [long, wide] = [numbers([1, 9000, 1]), numbers([1, 8000, 1])];
  const large = () => fovea.attention(long, wide, wide, { bias: bias.fromFunction((i, j) => (calls++, i - j)) });
  fails('memory', /bias\.fromFunction needs 288000000 bytes for \[1, 1, 9000, 8000\], more than 268435456/, large);
  assert.equal(calls, 0);
  const tensor = fovea.tensor(q);
  const disposes = () => fovea.attention(tensor, k, v, { bias: bias.fromFunction(() => (tensor.dispose(), 0)) });
  assert.throws(disposes, { code: 'disposed' });
  const nested = fovea.attention(q, k, v, { bias: bias.fromFunction(() => attend({}).output.data[0]!) });
  assert.equal(nested.output.shape.length, 4);
});

test('a worker takes both: edges as they are, functions as their numbers', async () => {
  const edges = drawEdges(Tq, Tk, 3);
  const sorted = [...edges].sort((a, b) => a.query - b.query || a.key - b.key);
  const values = numbers([H, edges.length], 4);
  // One set of pairs in two orders is two patterns.
  for (const list of [edges, sorted, edges]) {
    const options = { pattern: P.graph({ edges: flat(list) }), bias: bias.edges(values), returnWeights: true } as const;
    assert.deepEqual(await remote.attention(q, k, v, options), fovea.attention(q, k, v, options));
  }
  for (const [, own] of functions) {
    const options = { bias: [bias.fromFunction(own), bias.alibi([1, 2, 3, 4])], causalOffset: [1, 4] };
    assert.deepEqual(await remote.attention(q, k, v, options), fovea.attention(q, k, v, options));
  }
  await rejects('value', /must give finite numbers/, remote.attention(q, k, v, { bias: bias.fromFunction(() => NaN) }));
});
