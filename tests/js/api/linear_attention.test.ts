/** `linearAttention`: what it takes, gives and refuses. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { favorProjection, linearAttention, type LinearOptions, type LinearAttentionState } from 'fovea/linear-attention';
import type { NDArray } from 'fovea';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

after(() => fovea.dispose());

const x = [
  [1, 0],
  [0, 1],
  [1, 1],
];
const call = (options?: LinearOptions) => linearAttention(fovea, x, x, x, options);

test('one key gives its value, whatever the features', () => {
  for (const featureMap of ['elu1', 'exp', 'softmax', 'favor+', 'taylor', 'relu', 'squaredRelu', 'identity'] as const)
    near(linearAttention(fovea, [[1, 2]], [[1, 3]], [[5, 7, 9]], { featureMap }).output, [[5, 7, 9]], 1e-5);
});

test('the default is elu + 1, normalized, over all keys', () => {
  const phi = (a: number) => (a > 0 ? a + 1 : Math.exp(a));
  const want = x.map((q) => {
    const weights = x.map((k) => q.reduce((sum, a, d) => sum + phi(a) * phi(k[d]!), 0));
    const total = weights.reduce((a, b) => a + b);
    return [0, 1].map((c) => weights.reduce((sum, w, j) => sum + (w / total) * x[j]![c]!, 0));
  });
  near(call().output, want);
  assert.deepEqual(Object.keys(call()), ['output']);
});

test("'precomputed' is 'identity' under its own name; scale multiplies what is not normalized", () => {
  const options = { normalize: false, causal: true } as const;
  same(call({ ...options, featureMap: 'precomputed' }).output.data, call({ ...options, featureMap: 'identity' }).output.data);
  const plain = call({ ...options, featureMap: 'relu' }).output.data;
  near(
    call({ ...options, featureMap: 'relu', scale: -2 }).output,
    Array.from(plain, (a) => -2 * a),
  );
  near(call({ featureMap: 'relu', scale: -2 }).output, Array.from(call({ featureMap: 'relu' }).output.data));
  const rule = call({ updateRule: 'linear' }).output.data;
  near(
    call({ updateRule: 'linear', scale: 1 }).output,
    Array.from(rule, (a) => a * Math.SQRT2),
  );
});

test('retention is the gated rule with a fixed decay', () => {
  const decay = Math.fround(Math.log(0.75));
  near(call({ retention: 0.75 }).output, Array.from(call({ updateRule: 'gated', decay }).output.data));
  const perHead = { retention: [0.5, 1] };
  const q = numbers([2, 6, 3]);
  const both = linearAttention(fovea, q, q, q, perHead).output.data;
  [0.5, 1].forEach((retention, h) => {
    const one = { data: q.data.slice(h * 18, (h + 1) * 18), shape: [6, 3] };
    same(both.slice(h * 18, (h + 1) * 18), linearAttention(fovea, one, one, one, { retention }).output.data);
  });
});

test('qkNormalize brings rows to length 1, and leaves those of zeros', () => {
  const rows = [
    [3, 4],
    [0, 0],
    [-1, 0],
  ];
  const unit = [
    [0.6, 0.8],
    [0, 0],
    [-1, 0],
  ];
  const options = { featureMap: 'elu1', causal: true } as const;
  const want = linearAttention(fovea, unit, unit, x, options).output;
  near(linearAttention(fovea, rows, rows, x, { ...options, qkNormalize: 'l2' }).output, Array.from(want.data));
  fovea.scope(() => {
    const wide = fovea
      .tensor([
        [3, 4, 9],
        [0, 0, 9],
        [-1, 0, 9],
      ])
      .slice(1, 0, 2);
    near(linearAttention(fovea, wide, wide, x, { ...options, qkNormalize: 'l2' }).output, Array.from(want.data));
  });
});

test('decay and beta follow the layout, per head and per feature, and broadcast over the batch', () => {
  const [B, H, T, D] = [2, 2, 5, 3];
  const q = numbers([B, H, T, D]);
  const decay = numbers([1, H, T, D], 3);
  const beta = numbers([1, H, T], 4);
  const want = linearAttention(fovea, q, q, q, { updateRule: 'gatedDelta', decay, beta, returnState: true });
  const swap = ({ data, shape: [b, h, t, d = 1] }: { data: Float32Array; shape: number[] }): NDArray => {
    const out = new Float32Array(data.length);
    data.forEach((value, n) => {
      const [i, j, k, l] = [Math.floor(n / (h! * t! * d)), Math.floor(n / (t! * d)) % h!, Math.floor(n / d) % t!, n % d];
      out[((i * t! + k) * h! + j) * d + l] = value;
    });
    return { data: out, shape: [b!, t!, h!, d] };
  };
  const options = { updateRule: 'gatedDelta', layout: 'bthd' } as const;
  const turnedBeta = { data: swap(beta).data, shape: [1, T, H] };
  const turned = linearAttention(fovea, swap(q), swap(q), swap(q), { ...options, decay: swap(decay), beta: turnedBeta });
  same(swap(turned.output as NDArray).data.length === 0 ? undefined : swapBack(turned.output), want.output.data);
  const pack = (array: NDArray): NDArray => ({
    data: array.data,
    shape: [array.shape[0]!, T, array.shape[2]! * array.shape[3]!],
  });
  const packed = linearAttention(fovea, pack(swap(q)), pack(swap(q)), pack(swap(q)), {
    updateRule: 'gatedDelta',
    heads: H,
    decay: pack(swap(decay)),
    beta: turnedBeta,
    returnState: true,
  });
  same(packed.output.data, turned.output.data);
  assert.deepEqual(packed.state, want.state);

  function swapBack({ data }: NDArray): Float32Array {
    return swap({ data, shape: [B, T, H, D] }).data;
  }
});

test('a state goes on where another call ended, loses the axes that q lacks, and is a Tensor where q is one', () => {
  const q = numbers([7, 3]);
  for (const featureMap of ['elu1', 'favor+', 'identity'] as const) {
    const options = { featureMap, causal: true, normalize: featureMap !== 'identity' } as const;
    const whole = linearAttention(fovea, q, q, q, { ...options, returnState: true });
    const F = featureMap === 'favor+' ? 6 : 3;
    assert.deepEqual(whole.state!.s.shape, [F, 3]);
    assert.deepEqual(whole.state!.z?.shape, featureMap === 'identity' ? undefined : [F]);
    assert.deepEqual(whole.state!.m?.shape, featureMap === 'favor+' ? [F] : undefined);
    const cut = (from: number, to: number) => ({ data: q.data.slice(3 * from, 3 * to), shape: [to - from, 3] });
    const first = linearAttention(fovea, cut(0, 4), cut(0, 4), cut(0, 4), { ...options, returnState: true });
    const rest = linearAttention(fovea, cut(4, 7), cut(4, 7), cut(4, 7), { ...options, initialState: first.state });
    near(rest.output, Array.from(whole.output.data.slice(12)));
    assert.equal(rest.state, undefined);
    fovea.scope(() => {
      const tensor = linearAttention(fovea, fovea.tensor(cut(0, 4)), cut(0, 4), cut(0, 4), { ...options, returnState: true });
      same(tensor.state!.s.toArray().data, first.state!.s.data);
      const next = linearAttention(fovea, cut(4, 7), cut(4, 7), cut(4, 7), { ...options, initialState: tensor.state });
      same(next.output.data, rest.output.data);
    });
  }
});

test('queries without a key of their own read the state that they are given', () => {
  const s = [
    [1, 2],
    [3, 4],
  ];
  const read = (options: LinearOptions) =>
    linearAttention(fovea, [[1, 1]], [[1, 1]], [[9, 9]], { ...options, keyLengths: [0] });
  near(read({ featureMap: 'identity', normalize: false, initialState: { s } }).output, [4, 6]);
  near(read({ featureMap: 'identity', initialState: { s, z: [1, 1] } }).output, [2, 3]);
  near(read({ updateRule: 'delta', beta: 1, scale: 1, initialState: { s } }).output, [4, 6]);
  near(read({ featureMap: 'identity', normalize: false }).output, [0, 0]);
});

test('out takes the output; empty sizes give empty or zero outputs', () => {
  const target = { data: new Float32Array(6), shape: [3, 2] };
  const { output } = call({ out: { output: target } });
  assert.equal(output, target);
  same(target.data, call().output.data);
  const empty = (shape: number[]) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });
  assert.deepEqual(linearAttention(fovea, empty([0, 2]), x, x).output.shape, [0, 2]);
  assert.deepEqual([...linearAttention(fovea, x, empty([0, 2]), empty([0, 4])).output.data], new Array(12).fill(0));
  assert.deepEqual(linearAttention(fovea, x, x, empty([3, 0])).output.shape, [3, 0]);
});

test('favorProjection: the default number of features, and seeds', () => {
  assert.deepEqual(favorProjection(fovea, { width: 1 }).shape, [1, 1]);
  assert.deepEqual(favorProjection(fovea, { width: 3 }).shape, [6, 3]);
  assert.deepEqual(favorProjection(fovea, { width: 64 }).shape, [320, 64]);
  const of = (seed: number, redraw = 0) => favorProjection(fovea, { width: 4, seed, redraw }).data.join();
  const all = [
    of(0),
    of(1),
    of(2 ** 32),
    of(Number.MAX_SAFE_INTEGER),
    of(0, 1),
    of(0, 2047),
    of(Number.MAX_SAFE_INTEGER, 2047),
  ];
  assert.equal(new Set(all).size, all.length);
  assert.equal(of(0), all[0]);
});

test('calls leave no memory behind', () => {
  leavesNothing(() => call({ featureMap: 'favor+', causal: true, returnState: true }));
  leavesNothing(() => call({ updateRule: 'gatedDelta', decay: -1, beta: 0.5, trace: true }));
});

const wrong: [code: string, message: RegExp, options: LinearOptions][] = [
  ['option', /unknown option 'casual'; did you mean 'causal'\?/, { casual: true } as never],
  ['option', /featureMap must be .*got 'elu'; did you mean 'elu1'\?/, { featureMap: 'elu' as never }],
  ['option', /updateRule must be .*'gatedDelta', got 'gated_delta'/, { updateRule: 'gated_delta' as never }],
  ['option', /updateRule 'delta' is causal, got causal: false/, { updateRule: 'delta', beta: 1, causal: false }],
  ['option', /needs decay or retention, got neither/, { updateRule: 'gated' }],
  ['option', /needs beta, got none/, { updateRule: 'delta' }],
  ['option', /decay goes with updateRule 'gated' or 'gatedDelta', got 'linear'/, { decay: -1 }],
  ['option', /beta goes with updateRule 'delta' or 'gatedDelta', got 'gated'/, { retention: 0.5, beta: 1 }],
  ['option', /two forms: pass one of them/, { updateRule: 'gated', decay: -1, retention: 0.5 }],
  ['value', /retention must be in \(0, 1\], got 0/, { retention: 0 }],
  ['value', /retention must be in \(0, 1\], got 1.5/, { retention: 1.5 }],
  ['shape', /one per key\/value head, 1, got 2/, { retention: [0.5, 0.5] }],
  ['value', /decay must be a finite number/, { updateRule: 'gated', decay: NaN }],
  ['value', /decay must hold finite numbers, got NaN at 1/, { updateRule: 'gated', decay: [0, NaN, 0] }],
  ['shape', /decay must be a number, or have the axes of k/, { updateRule: 'gated', decay: [0, 0] }],
  ['shape', /beta must be a number/, { updateRule: 'delta', beta: x }],
  ['option', /features goes with featureMap 'favor\+', got featureMap 'elu1'/, { features: 3 }],
  ['value', /features must be an integer from 1/, { featureMap: 'favor+', features: 0 }],
  ['value', /seed must be an integer from 0/, { featureMap: 'favor+', seed: -1 }],
  ['value', /redraw must be an integer from 0 to 2047/, { featureMap: 'favor+', redraw: 2048 }],
  ['shape', /projection must be \[F, D\] with F ≥ 1, D = 2, got \[1, 3\]/, { featureMap: 'favor+', projection: [[1, 2, 3]] }],
  ['option', /features draws the projection that is given/, { featureMap: 'favor+', projection: [[1, 2]], features: 1 }],
  ['option', /'softmax' sees all keys at once.*causal/, { featureMap: 'softmax', causal: true }],
  ['option', /'softmax' sees all keys at once.*a state/, { featureMap: 'softmax', returnState: true }],
  ['value', /eps must not be negative, got -1/, { eps: -1 }],
  ['value', /scale must be a finite number/, { scale: Infinity }],
  ['value', /chunkSize must be an integer of at least 1, got 0/, { chunkSize: 0 }],
  ['option', /qkNormalize must be 'l2', got 'l1'/, { qkNormalize: 'l1' as never }],
  ['value', /normalize must be true or false/, { normalize: 1 as never }],
  ['value', /keyLengths\[0\] must be an integer from 0 to 3, got 4/, { keyLengths: [4] }],
  ['value', /initialState must be \{ s, z, m \}/, { initialState: [1] as never }],
  ['value', /initialState\.z must be given/, { initialState: { s: x.slice(0, 2) } }],
  ['option', /unknown part of a state 'S'/, { initialState: { S: x } as never }],
  [
    'value',
    /initialState has m, which a state of these options has not/,
    { initialState: { s: x.slice(0, 2), z: [1, 1], m: [1] } },
  ],
  ['shape', /initialState\.s must be .* = \[2, 2\], got \[3, 2\]/, { initialState: { s: x, z: [1, 1] } }],
  ['option', /a trace with featureMap 'exp' needs/, { featureMap: 'exp', eps: 1, trace: true }],
];

for (const [code, message, options] of wrong)
  test(`refused: ${message.source}`, () => fails(code, message, () => call(options)));

test('wrong arguments are refused', () => {
  fails('value', /fovea must be what load\(\) returned/, () => linearAttention({} as never, x, x, x));
  fails('shape', /q and k must share their width/, () => linearAttention(fovea, [[1]], x, x));
  fails('shape', /as many queries as keys, got q \[1, 2\], k \[3, 2\]/, () =>
    linearAttention(fovea, [[1, 2]], x, x, { causal: true }),
  );
  const batch = numbers([2, 1, 3, 2]);
  fails('shape', /q must have a batch axis/, () => linearAttention(fovea, numbers([1, 3, 2]), batch, batch));
  const state: LinearAttentionState = { s: { data: new Float32Array(0), shape: [2, 0] }, z: [0, 0] };
  fails('shape', /a state needs values of width 1/, () =>
    linearAttention(fovea, x, x, { data: [], shape: [3, 0] }, { initialState: state }),
  );
});
