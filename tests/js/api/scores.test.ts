import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArrayInput, NDArray } from 'fovea';
import { pattern } from 'fovea/pattern';
import { bias as biases, score, type Score } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import { additive, cosine, dot, rowsOf, through } from '../support/score_reference.ts';

const [H, Tq, Tk, Dq, Dk, A] = [4, 5, 7, 3, 6, 8];
const q = numbers([H, Tq, Dq], 1);
const k = numbers([2, Tk, Dk], 2);
const sameWidth = numbers([2, Tk, Dq], 3);
const v = numbers([2, Tk, 2], 4);
const Wq = numbers([Dq, A], 5);
const Wk = numbers([Dk, A], 6);
const w = numbers([A], 7);
const bias = numbers([A], 8);
const W = numbers([Dq, Dk], 9);
const places = numbers([Tk + 2, Dq], 10);

const transposed = ({ data, shape }: NDArray): NDArray => {
  const [rows, columns] = shape as [number, number];
  const turned = Float32Array.from({ length: data.length }, (_, n) => data[(n % rows) * columns + Math.floor(n / rows)]!);
  return { data: turned, shape: [columns, rows] };
};
/** Both under each other: Wq and Wk as concat has them. */
const joined = (a: NDArray, b: NDArray): NDArray => ({
  data: Float32Array.from([...a.data, ...b.data]),
  shape: [a.shape[0]! + b.shape[0]!, a.shape[1]!],
});
/** Matrix or vector h of each. */
const part = ({ data, shape }: NDArray, h: number): NDArray => {
  const size = data.length / shape[0]!;
  return { data: data.slice(h * size, (h + 1) * size), shape: shape.slice(1) };
};

/** Raw logits [H, Tq, Tk] by the definition. */
function raw(key: NDArray, pair: (q: Float32Array, k: Float32Array, h: number, j: number) => number): number[] {
  const [queries, keys] = [rowsOf(q), rowsOf(key)];
  const logits: number[] = [];
  for (let h = 0; h < H; h++)
    for (let i = 0; i < Tq; i++)
      for (let j = 0; j < Tk; j++) logits.push(pair(queries(h, i), keys(Math.floor(h / 2), j), h, j));
  return logits;
}

const logitsOf = (key: NDArray, one: Score, options = {}): NDArray =>
  leavesNothing(() => fovea.attention(q, key, v, { ...options, score: one, returnLogits: 'raw' }).logits!);

test('each score is what its definition says, for every query head and its key head', () => {
  near(logitsOf(sameWidth, score.dot()), raw(sameWidth, dot));
  near(
    logitsOf(sameWidth, score.scaledDot()),
    raw(sameWidth, (a, b) => dot(a, b) / Math.sqrt(Dq)),
  );
  near(
    logitsOf(k, score.bilinear(W)),
    raw(k, (a, b) => dot(through(a, W), b)),
  );
  near(logitsOf(sameWidth, score.cosine()), raw(sameWidth, cosine));
  near(
    logitsOf(k, score.location(places)),
    raw(k, (a, _, __, j) => dot(a, rowsOf(places)(0, j))),
  );
  const want = raw(k, (a, b) => additive(a, b, Wq, Wk, w, bias));
  near(logitsOf(k, score.additive({ Wq, Wk, w, bias })), want, 4e-6);
  near(logitsOf(k, score.concat({ W: joined(Wq, Wk), w, bias })), want, 4e-6);
  near(
    logitsOf(k, score.additive({ Wq, Wk, w })),
    raw(k, (a, b) => additive(a, b, Wq, Wk, w)),
    4e-6,
  );
});

test("weightLayout: 'outIn' takes the same matrices transposed", () => {
  const outIn = { weightLayout: 'outIn' } as const;
  for (const [inOut, turned] of [
    [score.bilinear(W), score.bilinear(transposed(W), outIn)],
    [score.additive({ Wq, Wk, w }), score.additive({ Wq: transposed(Wq), Wk: transposed(Wk), w }, outIn)],
    [score.concat({ W: joined(Wq, Wk), w }), score.concat({ W: transposed(joined(Wq, Wk)), w }, outIn)],
  ] as const)
    same(logitsOf(k, turned).data, logitsOf(k, inOut).data);
});

test('parameters may be one for each head', () => {
  const each = { Wq: numbers([H, Dq, A], 11), Wk: numbers([2, Dk, A], 12), w: numbers([H, A], 13), bias: numbers([H, A], 14) };
  let h = -1;
  const pairs = raw(k, (a, b, head) => {
    h = head;
    return additive(a, b, part(each.Wq, h), part(each.Wk, Math.floor(h / 2)), part(each.w, h), part(each.bias, h));
  });
  near(logitsOf(k, score.additive(each)), pairs, 4e-6);
  const general = numbers([H, Dq, Dk], 15);
  near(
    logitsOf(k, score.bilinear(general)),
    raw(k, (a, b, head) => dot(through(a, part(general, head)), b)),
  );
  const tables = numbers([2, Tk, Dq], 16);
  near(
    logitsOf(k, score.location(tables)),
    raw(k, (a, _, head, j) => dot(a, rowsOf(tables)(Math.floor(head / 2), j))),
  );
});

test('the other layouts, batches, and Tensors give the same bits', () => {
  const one = score.additive({ Wq, Wk, w, bias });
  const { output } = fovea.attention(q, k, v, { score: one });
  const packed = (x: NDArray): NDArray => {
    const [heads, tokens, width] = x.shape as [number, number, number];
    const data = new Float32Array(x.data.length);
    for (let n = 0; n < data.length; n++) {
      const [h, t, d] = [Math.floor(n / width / tokens), Math.floor(n / width) % tokens, n % width];
      data[(t * heads + h) * width + d] = x.data[n]!;
    }
    return { data, shape: [1, tokens, heads * width] };
  };
  const flat = fovea.attention(packed(q), packed(k), packed(v), { score: one, heads: H, kvHeads: 2 });
  same(flat.output.data, packed(output).data);
  const twice = (x: NDArray): NDArray => ({ data: Float32Array.from([...x.data, ...x.data]), shape: [2, ...x.shape] });
  const batch = fovea.attention(twice(q), { ...k, shape: [1, ...k.shape] }, twice(v), { score: one });
  same(batch.output.data, twice(output).data);
  leavesNothing(() =>
    fovea.scope(() => {
      const kept = score.additive({ Wq: fovea.tensor(Wq), Wk: fovea.tensor(Wk), w: fovea.tensor(w), bias: fovea.tensor(bias) });
      same(fovea.attention(fovea.tensor(q), k, v, { score: kept }).output.data.slice(), output.data);
    }),
  );
});

test('scale multiplies a score, and every other option goes with it', () => {
  const one = score.additive({ Wq, Wk, w });
  const plain = logitsOf(k, one).data;
  near(
    logitsOf(k, one, { scale: -2 }),
    [...plain].map((x) => -2 * x),
  );
  near(logitsOf(sameWidth, score.scaledDot(), { scale: 1 }), [...logitsOf(sameWidth, score.dot()).data]);
  const options = { score: one, causal: true, causalOffset: 2, bias: biases.alibi(), softcap: 3 } as const;
  const whole = fovea.attention(q, k, v, { ...options, returnWeights: true, returnLse: true, returnLogits: 'biased' });
  const allowed = pattern.causal();
  const sparse = fovea.attention(q, k, v, {
    ...options,
    causal: false,
    pattern: allowed,
    returnWeights: 'dense',
  });
  near(sparse.output, [...whole.output.data]);
  const logits = [...whole.logits!.data];
  const sums = Array.from({ length: H * Tq }, (_, row) =>
    Math.log(logits.slice(row * Tk, (row + 1) * Tk).reduce((sum, x) => sum + Math.exp(x), 0)),
  );
  near(whole.lse, sums, 4e-6);
});

test('many queries, few queries, and parts of a sequence agree', () => {
  const one = score.additive({ Wq, Wk, w, bias });
  const [many, keys, values] = [numbers([100, Dq], 20), numbers([300, Dk], 21), numbers([300, 4], 22)];
  const { output } = fovea.attention(many, keys, values, { score: one });
  const few = fovea.attention({ data: many.data.slice(0, 3 * Dq), shape: [3, Dq] }, keys, values, { score: one });
  near(few.output, [...output.data.subarray(0, 12)]);
});

test('selfAttention and multiHeadAttention score the rows of their heads', () => {
  const x = numbers([6, 4], 30);
  const params = { Wq: numbers([4, 6], 31), Wk: numbers([4, 10], 32), Wv: numbers([4, 4], 33) };
  const one = score.additive({ Wq: numbers([3, A], 34), Wk: numbers([5, A], 35), w });
  const got = leavesNothing(() => fovea.multiHeadAttention(x, x, x, params, { heads: 2, score: one, trace: true }));
  const [Q, K, V] = ['query', 'key', 'value'].map((name) => got.trace!.find((stage) => stage.name === name)!);
  const { output } = fovea.attention(Q!, K!, V!, { score: one });
  near(
    { data: got.output.data, shape: [6, 2, 2] },
    Array.from({ length: 24 }, (_, n) => {
      const [t, h, d] = [Math.floor(n / 4), Math.floor(n / 2) % 2, n % 2];
      return output.data[(h * 6 + t) * 2 + d];
    }),
  );
  const self = fovea.selfAttention(x, { ...params, Wk: params.Wq }, { heads: 2, score: score.cosine(), returnLogits: 'raw' });
  assert.ok(self.logits!.data.every((cosineOfTwo) => Math.abs(cosineOfTwo) <= 1 + 1e-6));
  const appended = fovea.multiHeadAttention(
    x,
    x,
    x,
    { ...params, biasK: numbers([10], 36), biasV: numbers([4], 37) },
    {
      heads: 2,
      score: one,
      addZeroAttention: true,
      returnWeights: true,
    },
  );
  assert.deepEqual(appended.weights!.shape, [2, 6, 8]);
  fails('shape', /score\.Wk must be \[Dk = 10, A = 8\]/, () =>
    fovea.multiHeadAttention(x, x, x, params, { heads: 1, score: score.additive({ Wq: numbers([6, A]), Wk, w }) }),
  );
});

test('the trace shows what a score makes of queries and keys', () => {
  const stages = (one: Score, key: NDArray) =>
    leavesNothing(() => fovea.attention(q, key, v, { score: one, trace: true }).trace!);
  const names = (one: Score, key = k): string[] => stages(one, key).map(({ name }) => name);
  const rest = ['scores', 'scaled', 'weights', 'output'];
  assert.deepEqual(names(score.dot(), sameWidth), ['query', 'key', 'value', ...rest]);
  assert.deepEqual(names(score.bilinear(W)), ['query', 'key', 'value', 'projectedQuery', ...rest]);
  assert.deepEqual(names(score.location(places)), ['query', 'key', 'value', 'projectedKey', ...rest]);
  for (const one of [score.additive({ Wq, Wk, w }), score.concat({ W: joined(Wq, Wk), w })])
    assert.deepEqual(names(one), ['query', 'key', 'value', 'projectedQuery', 'projectedKey', ...rest]);
  assert.deepEqual(names(score.cosine(), sameWidth), ['query', 'key', 'value', 'projectedQuery', 'projectedKey', ...rest]);

  const each = score.additive({ Wq, Wk, w: numbers([H, A], 40), bias });
  const whole = stages(each, k);
  const { data, shape, formula } = whole.find(({ name }) => name === 'projectedQuery')!;
  assert.deepEqual([shape, formula], [[H, Tq, A], '\\tilde Q = Q W_q + b']);
  near(
    { data, shape },
    Array.from({ length: H * Tq }, (_, row) => through(rowsOf(q)(0, row), Wq).map((x, a) => x + bias.data[a]!)),
  );
  assert.deepEqual(whole.find(({ name }) => name === 'key')!.shape, [2, Tk, Dk]);
  same(whole.find(({ name }) => name === 'scores')!.data, logitsOf(k, each).data);
  // A narrowed trace takes the weights of its own head.
  const narrowed = leavesNothing(() => fovea.attention(q, k, v, { score: each, trace: { head: 3 } }).trace!);
  for (const name of ['scores', 'weights', 'projectedQuery']) {
    const all = whole.find((stage) => stage.name === name)!.data;
    same(narrowed.find((stage) => stage.name === name)!.data, all.slice((all.length / H) * 3));
  }
});

test('rows of zeros have no angle, and large ones no overflow', () => {
  const [zero, large] = [
    [0, 0],
    [3e30, 4e30],
  ];
  const { logits } = fovea.attention([zero, large], [zero, large, [1, 0]], [[1], [2], [3]], {
    score: score.cosine(),
    returnLogits: 'raw',
  });
  near(logits, [0, 0, 0, 0, 1, 0.6]);
});

test('empty extents are empty results', () => {
  const one = score.additive({ Wq, Wk, w });
  for (const [queries, keys] of [
    [0, 3],
    [3, 0],
    [0, 0],
  ] as const) {
    const { output } = leavesNothing(() =>
      fovea.attention(numbers([queries, Dq]), numbers([keys, Dk]), numbers([keys, 2]), { score: one }),
    );
    assert.deepEqual([[...output.data], output.shape], [new Array(queries * 2).fill(0), [queries, 2]]);
  }
});

test('a score keeps what it was made of, and never changes', () => {
  const own = numbers([A], 7);
  const one = score.additive({ Wq, Wk, w: own });
  const before = logitsOf(k, one).data;
  own.data.fill(9);
  same(logitsOf(k, one).data, before);
  assert.ok(Object.isFrozen(one));
  assert.equal(one.kind, 'additive');
});

test('out must not overlap a parameter', () => {
  fovea.scope(() => {
    const table = fovea.tensor(numbers([Tk, Dq]));
    const target = table.slice(0, 0, Tq).reshape([Tq, Dq]);
    const [query, value] = [numbers([Tq, Dq]), numbers([Tk, Dq])];
    fails('value', /out\.output must not overlap score\.W/, () =>
      fovea.attention(query, value, value, { score: score.location(table), out: { output: target } }),
    );
  });
});

test('wrong scores and parameters say what was expected', () => {
  const call = (one: unknown, key: ArrayInput = k): unknown => fovea.attention(q, key, v, { score: one as Score });
  fails('value', /score must be a Score that fovea\/score has made, got an object/, () => call({}));
  fails('value', /got 'additive'/, () => call('additive'));
  fails('shape', /q and k must share their width for this score, got 3 and 6/, () => call(score.dot()));
  fails('shape', /q and k must share their width/, () => call(score.cosine()));
  fails('shape', /score\.W must be \[Dq = 3, Dk = 6\] or \[H = 4, Dq = 3, Dk = 6\], got \[6, 3\]/, () =>
    call(score.bilinear(transposed(W))),
  );
  fails('shape', /score\.Wq must be \[Dq = 3, A\] or \[H = 4, Dq = 3, A\], got \[8\]/, () =>
    call(score.additive({ Wq: w, Wk, w })),
  );
  fails('shape', /score\.Wk must be \[A = 8, Dk = 6\] or \[Hkv = 2, A = 8, Dk = 6\], got \[6, 8\]/, () =>
    call(score.additive({ Wq: transposed(Wq), Wk, w }, { weightLayout: 'outIn' })),
  );
  fails('shape', /score\.w must be \[A = 8\] or \[H = 4, A = 8\], got \[3\]/, () =>
    call(score.additive({ Wq, Wk, w: [1, 2, 3] })),
  );
  fails('shape', /score\.bias must be \[A = 8\]/, () => call(score.additive({ Wq, Wk, w, bias: [1] })));
  fails('shape', /score\.W must be \[Dq \+ Dk = 9, A\]/, () => call(score.concat({ W: Wq, w })));
  fails('shape', /score\.W of each head wants as many heads in k as in q, 4, got 2/, () =>
    call(score.concat({ W: numbers([H, Dq + Dk, A]), w })),
  );
  fails('shape', /score\.W must be \[positions ≥ 7, Dq = 3\]/, () => call(score.location(numbers([Tk - 1, Dq]))));
  fails('value', /score\.additive: params\.w must be given/, () => score.additive({ Wq, Wk } as never));
  fails('option', /score\.additive: unknown parameter 'wq'; did you mean 'Wq'\?/, () =>
    score.additive({ wq: Wq, Wk, w } as never),
  );
  fails('option', /score\.concat: weightLayout must be 'inOut' or 'outIn'/, () =>
    score.concat({ W: Wq, w }, { weightLayout: 'in' as never }),
  );
  fails('value', /score\.additive: params must be an object with Wq, Wk, w, got \[\]/, () => score.additive([] as never));
  fails('value', /score\.bilinear: W must be/, () => score.bilinear(3 as never));
  fails('shape', /the width of q and k must be at least 1/, () =>
    fovea.attention(numbers([2, 0]), numbers([2, 0]), numbers([2, 1]), { score: score.dot() }),
  );
});

test('a disposed parameter is told', () => {
  const table = fovea.tensor(places);
  const one = score.location(table);
  table.dispose();
  fails('disposed', /score\.W/, () => fovea.attention(q, k, v, { score: one }));
});
