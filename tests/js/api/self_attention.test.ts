import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, type NDArray } from 'fovea';
import * as ops from 'fovea/ops';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

const X = [
  [1, 0, 1, 0],
  [0, 2, 0, 2],
  [1, 1, 1, 1],
];
const Wq = [
  [1, 0, 1],
  [1, 0, 0],
  [0, 0, 1],
  [0, 1, 1],
];
const Wk = [
  [0, 0, 1],
  [1, 1, 0],
  [0, 1, 0],
  [1, 1, 0],
];
const Wv = [
  [0, 2, 0],
  [0, 3, 0],
  [1, 0, 3],
  [1, 1, 0],
];
const params = { Wq, Wk, Wv };

test('the worked example: weights and output', () => {
  const { output, weights } = leavesNothing(() => fovea.selfAttention(X, params, { scale: 1, returnWeights: true }));
  near({ data: weights!.data.slice(0, 3), shape: [3] }, [0.0633789383, 0.4683105308, 0.4683105308], 1e-6);
  near({ data: output.data.slice(0, 3), shape: [3] }, [1.9366210617, 6.6831053083, 1.5950684075], 1e-5);
  assert.deepEqual(
    [output.shape, weights!.shape],
    [
      [3, 3],
      [3, 3],
    ],
  );
});

test('it has the bits of projections, attention and output projection one after the other', () => {
  const x = numbers([2, 5, 6], 1);
  const weight = (seed: number) => numbers([8, 6], seed);
  const bias = (seed: number) => numbers([8], seed);
  const p = {
    Wq: weight(2),
    Wk: weight(3),
    Wv: weight(4),
    bq: bias(5),
    bk: bias(6),
    bv: bias(7),
    Wo: numbers([3, 8], 8),
    bo: numbers([3], 9),
  };
  const options = { heads: 4, causal: true, returnWeights: true } as const;
  const got = leavesNothing(() => fovea.selfAttention(x, p, { ...options, weightLayout: 'outIn' }));
  const linear = (y: NDArray, weight: NDArray, bias: NDArray): NDArray => ops.linear(fovea, y, weight, bias);
  const inner = fovea.attention(linear(x, p.Wq, p.bq), linear(x, p.Wk, p.bk), linear(x, p.Wv, p.bv), options);
  same(got.output.data, linear(inner.output, p.Wo, p.bo).data);
  same(got.weights?.data, inner.weights?.data);
  assert.deepEqual(
    [got.output.shape, got.weights?.shape],
    [
      [2, 5, 3],
      [2, 4, 5, 5],
    ],
  );
});

test("weightLayout 'outIn' reads the transposes", () => {
  const transpose = (w: number[][]): number[][] => w[0]!.map((_, column) => w.map((row) => row[column]!));
  const turned = { Wq: transpose(Wq), Wk: transpose(Wk), Wv: transpose(Wv) };
  same(
    fovea.selfAttention(X, turned, { weightLayout: 'outIn' }).output.data,
    fovea.selfAttention(X, params, { weightLayout: 'inOut' }).output.data,
  );
});

test('heads: without the option results have no axis of heads, with it they do', () => {
  const x = numbers([2, 4, 4]);
  const p = { Wq: numbers([4, 6], 1), Wk: numbers([4, 6], 2), Wv: numbers([4, 6], 3) };
  const shapes = (input: unknown, options: object): unknown => {
    const { output, weights, lse } = fovea.selfAttention(input as NDArray, p, {
      ...options,
      returnWeights: true,
      returnLse: true,
    });
    return [output.shape, weights!.shape, lse!.shape];
  };
  assert.deepEqual(shapes(x, {}), [
    [2, 4, 6],
    [2, 4, 4],
    [2, 4],
  ]);
  assert.deepEqual(shapes(x, { heads: 1 }), [
    [2, 4, 6],
    [2, 1, 4, 4],
    [2, 1, 4],
  ]);
  assert.deepEqual(shapes(x, { heads: 3 }), [
    [2, 4, 6],
    [2, 3, 4, 4],
    [2, 3, 4],
  ]);
  assert.deepEqual(shapes(numbers([4, 4]), { heads: 2 }), [
    [4, 6],
    [2, 4, 4],
    [2, 4],
  ]);
  assert.deepEqual(shapes(numbers([4, 4]), {}), [[4, 6], [4, 4], [4]]);
  assert.deepEqual(shapes(numbers([0, 4]), {}), [[0, 6], [0, 0], [0]]);
  assert.deepEqual(shapes(numbers([0, 4, 4]), { heads: 2 }), [
    [0, 4, 6],
    [0, 2, 4, 4],
    [0, 2, 4],
  ]);
});

test('kvHeads: keys and values have fewer heads', () => {
  const x = numbers([4, 4]);
  const p = { Wq: numbers([4, 8], 1), Wk: numbers([4, 4], 2), Wv: numbers([4, 4], 3) };
  const twice = (w: { data: Float32Array; shape: number[] }) => ({
    data: Float32Array.from({ length: 32 }, (_, at) => w.data[4 * (at >> 3) + (((at >> 1) & 3) >> 1) * 2 + (at & 1)]!),
    shape: [4, 8],
  });
  same(
    fovea.selfAttention(x, p, { heads: 4, kvHeads: 2 }).output.data,
    fovea.selfAttention(x, { ...p, Wk: twice(p.Wk), Wv: twice(p.Wv) }, { heads: 4 }).output.data,
  );
  fails('option', /selfAttention: kvHeads must go with heads/, () => fovea.selfAttention(x, p, { kvHeads: 2 }));
});

test('a Tensor in gives Tensors out; parameters and slices of a Tensor need no copies', () => {
  leavesNothing(() => {
    const wide = fovea.tensor(numbers([2, 5, 7], 1));
    const x = wide.slice(2, 1, 5);
    const p = { Wq: fovea.tensor(Wq), Wk: fovea.tensor(Wk), Wv };
    const got = fovea.selfAttention(x, p, { returnWeights: true });
    assert.ok(got.output instanceof Tensor && got.weights instanceof Tensor);
    same(got.output.data, fovea.selfAttention(x.toArray(), params).output.data);
    for (const tensor of [wide, p.Wq, p.Wk, got.output, got.weights]) tensor.dispose();
  });
});

test('each wrong input has its message', () => {
  const call =
    (x: unknown, p: unknown, options = {}) =>
    () =>
      fovea.selfAttention(x as never, p as never, options);
  fails('shape', /^selfAttention: X must be \[T, D\] or \[B, T, D\], got \[3\]$/, call([1, 2, 3], params));
  fails(
    'shape',
    /Wq must be \[in, out\] with in = 4, the width of X, got Wq \[3, 4\], X \[3, 4\]/,
    call(X, { ...params, Wq: numbers([3, 4]) }),
  );
  fails('shape', /Wk must be \[out, in\] with in = 4/, call(X, { ...params, Wq: numbers([3, 4]) }, { weightLayout: 'outIn' }));
  fails('shape', /Wv must be \[in, out\], got \[4\]/, call(X, { ...params, Wv: [1, 2, 3, 4] }));
  fails('shape', /Wq and Wk must give heads of one width, got 3 and 2/, call(X, { ...params, Wk: numbers([4, 2]) }));
  fails('shape', /the width of a head must be at least 1/, call(X, { ...params, Wq: numbers([4, 0]), Wk: numbers([4, 0]) }));
  fails('shape', /Wq's output width must be a multiple of heads 2/, call(X, params, { heads: 2 }));
  fails(
    'shape',
    /Wo's input must be the width of the concatenated heads, 1·3, got Wo \[4, 4\]/,
    call(X, { ...params, Wo: numbers([4, 4]) }),
  );
  fails('shape', /bq must be \[out\] = \[3\], got \[4\]/, call(X, { ...params, bq: [1, 2, 3, 4] }));
  fails('value', /params\.Wk must be given/, call(X, { Wq, Wv }));
  fails('value', /params\.bo must go with params\.Wo/, call(X, { ...params, bo: [1] }));
  fails('value', /params must be an object with Wq, Wk and Wv, got undefined/, call(X, undefined));
  fails('option', /unknown parameter 'WQ'; did you mean 'Wq'/, call(X, { ...params, WQ: Wq }));
  fails('option', /unknown parameter 'biasK'/, call(X, { ...params, biasK: [1, 2, 3] }));
  fails('option', /unknown option 'layout'/, call(X, params, { layout: 'btd' }));
  fails(
    'option',
    /weightLayout must be 'inOut' or 'outIn', got 'outin'; did you mean 'outIn'/,
    call(X, params, { weightLayout: 'outin' }),
  );
  fails('shape', /mask must broadcast to \[B, H, Tq, Tk\] = \[1, 1, 3, 3\]/, call(X, params, { mask: numbers([2, 2]) }));
});
