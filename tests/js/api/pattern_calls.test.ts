/** The option `pattern` in calls: results, errors, memory, trace. What it computes is in properties_patterns.test.ts. */
// In a process of its own: its instance keeps the gigabytes that its largest calls take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, type AttentionOptions, type NDArray, type SparseWeights, type TraceStage } from 'fovea';
import { pattern as P, type Pattern } from 'fovea/pattern';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import type { DenseOptions } from '../support/dense_options.ts';

const [B, H, Tq, Tk, D] = [2, 4, 70, 90, 8];
const q = numbers([B, H, Tq, D], 1);
const k = numbers([B, 2, Tk, D], 2);
const v = numbers([B, 2, Tk, D], 3);
const sliding = P.window(3, 2).or(P.globalTokens([0, 40]));

const attend = (options: AttentionOptions) => leavesNothing(() => fovea.attention(q, k, v, options));
const bad = (options: object) => () => fovea.attention(q, k, v, options as DenseOptions);

/** Dense weights out of sparse ones. */
function dense({ shape, indptr, indices, values }: SparseWeights): Float32Array {
  const keys = shape.at(-1)!;
  const data = new Float32Array(shape.reduce((product, length) => product * length, 1));
  for (let row = 0; row + 1 < indptr.length; row++)
    for (let at = indptr[row]!; at < indptr[row + 1]!; at++) data[row * keys + indices[at]!] = values[at]!;
  return data;
}

test('attention with a pattern is attention with its mask', () => {
  const mask = sliding.toMask(fovea, { queries: Tq, keys: Tk });
  assert.deepEqual(mask.shape, [Tq, Tk]);
  const got = leavesNothing(() => fovea.attention(q, k, v, { pattern: sliding, returnLse: true }));
  const want = fovea.attention(q, k, v, { mask, returnLse: true });
  near(got.output, [...want.output.data], 1e-6);
  near(got.lse, [...want.lse!.data], 1e-5);
  assert.deepEqual(Object.keys(got), ['output', 'lse']);
});

test('returnWeights: true is sparse with a pattern and dense without; both kinds are there in both', () => {
  const keys = (weights: object | undefined) => Object.keys(weights!);
  const weightsOf = (returnWeights: AttentionOptions['returnWeights'], pattern?: Pattern) =>
    attend({ returnWeights, pattern }).weights;
  assert.deepEqual(keys(weightsOf(true, sliding)), ['shape', 'indptr', 'indices', 'values']);
  assert.deepEqual(keys(weightsOf('sparse')), ['shape', 'indptr', 'indices', 'values']);
  assert.deepEqual(keys(weightsOf(true)), ['data', 'shape']);
  assert.deepEqual(keys(weightsOf('dense', sliding)), ['data', 'shape']);
  assert.equal(weightsOf(false, sliding), undefined);
  same(dense(weightsOf(true, sliding) as SparseWeights), (weightsOf('dense', sliding) as NDArray).data);
  same(dense(weightsOf('sparse') as SparseWeights), (weightsOf('dense') as NDArray).data);
});

test('sparse weights lose the axes that q lacks, and are plain beside Tensors', () => {
  const x = numbers([6, 4]);
  const { weights } = fovea.attention(x, x, x, { pattern: P.causal(), returnWeights: true });
  assert.deepEqual([weights!.shape, weights!.indptr.length, weights!.values.length], [[6, 6], 7, 21]);
  const before = fovea.memory().live;
  fovea.scope(() => {
    const tensor = fovea.tensor(x);
    const result = fovea.attention(tensor, tensor, tensor, { pattern: P.causal(), returnWeights: true });
    assert.ok(result.output instanceof Tensor && result.weights!.values instanceof Float32Array);
    same(result.weights!.values, weights!.values);
    assert.ok(
      fovea.attention(tensor, tensor, tensor, { pattern: P.causal(), returnWeights: 'dense' }).weights instanceof Tensor,
    );
  });
  assert.equal(fovea.memory().live, before);
});

test('layouts and packed heads see the same pattern', () => {
  const perHead = P.perHead([P.window(1, 0), P.causal()]);
  const x = numbers([3, 10, 8]);
  const packed = fovea.attention(x, x, x, { heads: 2, pattern: perHead, returnWeights: true });
  assert.deepEqual(packed.weights!.shape, [3, 2, 10, 10]);
  const apart = { data: new Float32Array(240), shape: [3, 2, 10, 4] };
  x.data.forEach((value, at) => {
    const [d, h, t, b] = [at % 4, (at >> 2) % 2, Math.floor(at / 8) % 10, Math.floor(at / 80)];
    apart.data[((b * 2 + h) * 10 + t) * 4 + d] = value;
  });
  same(fovea.attention(apart, apart, apart, { pattern: perHead, returnWeights: true }).weights!.values, packed.weights!.values);
  fails('shape', /^attention: pattern\.perHead is made for 2 query heads, got 1$/, () =>
    fovea.attention(x, x, x, { layout: 'btd', pattern: perHead }),
  );
});

test('sizes of 0, and a pattern that keeps nothing', () => {
  const none = P.all().not();
  const { output, lse, weights } = fovea.attention(q, k, v, { pattern: none, returnLse: true, returnWeights: true });
  assert.ok(output.data.every((x) => Object.is(x, 0)));
  assert.ok(lse!.data.every((x) => x === -Infinity));
  assert.deepEqual([...weights!.indptr], new Array(B * H * Tq + 1).fill(0));
  const { logits } = fovea.attention(q, k, v, { pattern: none, returnLogits: 'raw' });
  assert.ok(logits!.data.every((x) => x === -Infinity));
  for (const [tq, tk, heads] of [
    [0, 3, 1],
    [3, 0, 1],
    [3, 3, 0],
  ] as const) {
    const [x, y] = [numbers([heads, tq, 2]), numbers([heads, tk, 2])];
    const empty = leavesNothing(() => fovea.attention(x, y, y, { pattern: P.causal(), returnWeights: true, trace: true }));
    assert.deepEqual(empty.output.shape, [heads, tq, 2]);
    assert.deepEqual([...empty.weights!.indptr], new Array(heads * tq + 1).fill(0));
  }
});

test('NaN and Infinity in keys and values that the pattern forbids leak nowhere', () => {
  const bigBird = P.bigBird({ block: 8, global: 1, random: 1, seed: 3 });
  for (const pattern of [
    sliding,
    bigBird,
    P.atrous(7),
    P.axial({ shape: [9, 10], axis: 0 }),
    P.graph({ edges: [0, 1, 69, 3, 5, 80] }),
  ]) {
    const clean = fovea.attention(q, k, v, { pattern, returnLse: true, returnWeights: 'dense' });
    const mask = pattern.toMask(fovea, { queries: Tq, keys: Tk, heads: H });
    for (const [bad, j] of [
      [NaN, 17],
      [Infinity, 33],
      [-Infinity, 88],
    ] as const) {
      const [badK, badV] = [k, v].map(({ data, shape }) => {
        const copy = data.slice();
        for (let plane = 0; plane < B * 2; plane++) copy.fill(bad, (plane * Tk + j) * D, (plane * Tk + j + 1) * D);
        return { data: copy, shape };
      }) as [NDArray, NDArray];
      const got = fovea.attention(q, badK, badV, { pattern, returnLse: true });
      for (let row = 0; row < B * H * Tq; row++) {
        const h = mask.shape.length === 3 ? Math.floor(row / Tq) % H : 0;
        if (mask.data[(h * Tq + (row % Tq)) * Tk + j] === 1) continue;
        same(got.output.data.subarray(row * D, (row + 1) * D), clean.output.data.subarray(row * D, (row + 1) * D));
        assert.equal(got.lse!.data[row], clean.lse!.data[row]);
      }
    }
  }
});

test('a bias of edges is added to their logits', () => {
  const edges = [0, 0, 0, 1, 1, 2, 2, 1];
  const bias = [0.5, -1, 2, 0.25];
  const x = numbers([3, 4]);
  const options = { pattern: P.graph({ edges, bias }), returnLogits: 'biased', returnWeights: 'dense' } as const;
  const { logits, weights } = fovea.attention(x, x, x, options);
  const added = new Float32Array(9).fill(-Infinity);
  bias.forEach((value, n) => (added[edges[2 * n]! * 3 + edges[2 * n + 1]!] = value));
  const want = fovea.attention(x, x, x, { mask: { data: added, shape: [3, 3] }, returnLogits: 'biased', returnWeights: true });
  near(logits, [...want.logits!.data]);
  near(weights, [...want.weights!.data]);
  const { trace } = fovea.attention(x, x, x, { pattern: options.pattern, trace: true });
  assert.match(trace!.find(({ name }) => name === 'masked')!.formula, /E_\{ij\}/);
});

test('out takes dense weights', () => {
  const weights = { data: new Float32Array(B * H * Tq * Tk), shape: [B, H, Tq, Tk] };
  const want = fovea.attention(q, k, v, { pattern: sliding, returnWeights: 'dense' }).weights!;
  for (const returnWeights of ['dense', undefined] as const) {
    weights.data.fill(NaN);
    assert.equal(attend({ pattern: sliding, returnWeights, out: { weights } }).weights, weights);
    same(weights.data, want.data);
  }
  fails(
    'option',
    /^attention: out\.weights takes dense weights, got sparse ones: pass returnWeights: 'dense'/,
    bad({ pattern: sliding, returnWeights: true, out: { weights } }),
  );
  fails('option', /^attention: out\.weights takes dense/, bad({ returnWeights: 'sparse', out: { weights } }));
});

test('a trace is dense, has a masked stage, and tells -Infinity outside of the pattern', () => {
  const options = { pattern: sliding, causal: true, softcap: 4 } as const;
  const { trace } = leavesNothing(() => fovea.attention(q, k, v, { ...options, trace: true }));
  const names = trace!.map(({ name }) => name);
  assert.deepEqual(names, ['query', 'key', 'value', 'scores', 'scaled', 'capped', 'masked', 'weights', 'output']);
  assert.match(trace![6]!.formula, /j \\le p_i \\text\{ and \} \(p_i, j\) \\in P/);
  for (const [n, returnLogits] of ['raw', 'capped', 'biased'].entries()) {
    const { logits } = fovea.attention(q, k, v, { ...options, returnLogits: returnLogits as 'raw' });
    near(trace![4 + n]!, [...logits!.data], 1e-6);
  }
  near(trace![7]!, [...fovea.attention(q, k, v, { ...options, returnWeights: 'dense' }).weights!.data], 1e-6);
});

test('a trace of some rows, heads and batch entries is that part of the whole', () => {
  const mask = { data: Uint8Array.from(numbers([B, H, Tq, Tk]).data, (x) => Number(x > 0)), shape: [B, H, Tq, Tk] };
  for (const pattern of [
    sliding,
    P.random({ perQuery: 5 }),
    P.fromMask(mask),
    P.fromFunction((i, j, h, b) => (i + j + h + b) % 3 === 0),
  ]) {
    const run = (trace: true | object) => leavesNothing(() => fovea.attention(q, k, v, { pattern, trace })).trace!;
    const [whole, part] = [run(true), run({ batch: 1, head: 3, rows: [66, 69] })];
    for (const name of ['scores', 'masked', 'weights']) {
      const [all, some] = [whole, part].map((stages) => stages.find((stage) => stage.name === name)!) as [
        TraceStage,
        TraceStage,
      ];
      assert.deepEqual(some.shape, [1, 1, 3, Tk]);
      const from = ((1 * H + 3) * Tq + 66) * Tk;
      near(some, [...all.data.subarray(from, from + 3 * Tk)], 1e-6);
    }
  }
});

test('selfAttention and multiHeadAttention', () => {
  const x = numbers([2, 30, 8]);
  const params = { Wq: numbers([8, 8], 2), Wk: numbers([8, 8], 3), Wv: numbers([8, 8], 4) };
  const mask = sliding.toMask(fovea, { queries: 30, keys: 30 });
  const options = { heads: 2, returnWeights: 'dense' } as const;
  const want = fovea.selfAttention(x, params, { ...options, mask });
  const got = leavesNothing(() => fovea.selfAttention(x, params, { ...options, pattern: sliding }));
  near(got.output, [...want.output.data]);
  near(got.weights, [...want.weights!.data]);
  const sparse = leavesNothing(() =>
    fovea.multiHeadAttention(x, x, x, params, { heads: 2, pattern: sliding, returnWeights: true }),
  );
  assert.deepEqual(sparse.weights!.shape, [2, 2, 30, 30]);
  same(dense(sparse.weights!), got.weights!.data);
  const averaged = fovea.multiHeadAttention(x, x, x, params, { ...options, pattern: sliding, averageWeights: true });
  assert.deepEqual(averaged.weights!.shape, [2, 30, 30]);
  fails('option', /^multiHeadAttention: averageWeights are dense weights, got sparse ones/, () =>
    fovea.multiHeadAttention(x, x, x, params, { heads: 2, pattern: sliding, returnWeights: true, averageWeights: true }),
  );
  const beside = { heads: 2, addZeroAttention: true } as const;
  const masked = fovea.multiHeadAttention(x, x, x, params, { ...beside, mask, returnWeights: true });
  const kept = leavesNothing(() =>
    fovea.multiHeadAttention(x, x, x, params, { ...beside, pattern: sliding, returnWeights: true }),
  );
  near(kept.output, [...masked.output.data]);
  near({ data: dense(kept.weights!), shape: masked.weights!.shape }, [...masked.weights!.data]);
  const appended = fovea.multiHeadAttention(x, x, x, params, {
    heads: 2,
    addZeroAttention: true,
    causal: true,
    returnWeights: 'sparse',
  });
  assert.deepEqual(appended.weights!.shape, [2, 2, 30, 31]);
  assert.equal(appended.weights!.indptr[1], 2, 'itself and the key that is appended');
});

test('what is no pattern, or does not fit, is refused', () => {
  fails(
    'value',
    /^attention: pattern must be a Pattern that fovea\/pattern has made, got 'causal'$/,
    bad({ pattern: 'causal' }),
  );
  fails('value', /^attention: pattern must be a Pattern .* got an object$/, bad({ pattern: { words: [0, 2] } }));
  fails('value', /^attention: pattern must be a Pattern .* got null$/, bad({ pattern: null }));
  fails('option', /did you mean 'pattern'/, bad({ patern: sliding }));
  fails(
    'option',
    /^attention: returnWeights must be true, false, 'dense' or 'sparse', got 'csr'$/,
    bad({ returnWeights: 'csr' }),
  );
  fails(
    'shape',
    /^attention: pattern\.axial is made for 12 keys, got 90$/,
    bad({ pattern: P.axial({ shape: [3, 4], axis: 0 }) }),
  );
  fails(
    'shape',
    /pattern\.fromMask is made for positions 0 to 69, got 1 to 70$/,
    bad({ pattern: P.fromMask({ data: new Uint8Array(Tq * Tk), shape: [Tq, Tk] }), causalOffset: 1 }),
  );
  fails(
    'shape',
    /pattern\.fromMask is made for 3 batch entries, got 2$/,
    bad({ pattern: P.fromMask({ data: new Uint8Array(3 * H * Tq * Tk), shape: [3, H, Tq, Tk] }) }),
  );
  fails('value', /^attention: pattern\.lsh must be bound to queries and keys first/, bad({ pattern: P.lsh({ buckets: 2 }) }));
  fails(
    'value',
    /^attention: pattern\.fromFunction needs positions from 0 on, got -2$/,
    bad({ pattern: P.fromFunction((i, j) => i > j), causalOffset: [0, -2] }),
  );
});

test('a function is asked about each pair once for the same sizes, as often as it names what it depends on', () => {
  const count = (arity: number): number => {
    let asked = 0;
    const f = Object.defineProperty(() => ++asked > 0, 'length', { value: arity });
    const pattern = P.fromFunction(f);
    attend({ pattern });
    attend({ pattern, causal: true });
    return asked / (Tq * Tk);
  };
  assert.deepEqual([0, 1, 2, 3, 4].map(count), [B * H, 1, 1, H, B * H]);
  const places: number[][] = [];
  const seen = P.fromFunction((i, j, h, b) => places.push([i, j, h, b]) > 0);
  fovea.attention(numbers([2, 2, 1, 1]), numbers([2, 2, 1, 1]), numbers([2, 2, 1, 1]), { pattern: seen, causalOffset: [3, 5] });
  assert.deepEqual(places, [
    [3, 0, 0, 0],
    [3, 0, 1, 0],
    [5, 0, 0, 1],
    [5, 0, 1, 1],
  ]);
});

test('too many pairs are a memory error that names the bytes, and the instance works on', () => {
  const x = { data: new Float32Array(40_000), shape: [40_000, 1] };
  fails('memory', /^attention: needs [36]\d{9} bytes/, () =>
    fovea.attention(x, x, x, { pattern: P.causal(), returnWeights: true }),
  );
});
