import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ops from 'fovea/ops';
import { Tensor, type NDArray } from 'fovea';
import { bias } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import type { DenseOptions } from '../support/dense_options.ts';

const [B, Tq, Tk, H, D] = [2, 3, 4, 2, 3];
const query = numbers([B, Tq, 5], 1);
const key = numbers([B, Tk, 6], 2);
const value = numbers([B, Tk, 7], 3);
const params = {
  Wq: numbers([5, 6], 4),
  Wk: numbers([6, 6], 5),
  Wv: numbers([7, 8], 6),
  bk: numbers([6], 7),
  bv: numbers([8], 8),
  Wo: numbers([8, 5], 9),
  bo: numbers([5], 10),
};
const biases = { biasK: numbers([6], 11), biasV: numbers([8], 12) };

/** Rows appended behind the tokens of each batch entry. */
function append({ data, shape }: NDArray, ...rows: Float32Array[]): NDArray {
  const [batch, tokens, width] = shape as [number, number, number];
  const result = new Float32Array(batch * (tokens + rows.length) * width);
  for (let b = 0; b < batch; b++) {
    result.set(data.subarray(b * tokens * width, (b + 1) * tokens * width), b * (tokens + rows.length) * width);
    rows.forEach((row, at) => result.set(row, (b * (tokens + rows.length) + tokens + at) * width));
  }
  return { data: result, shape: [batch, tokens + rows.length, width] };
}

const withBias = (x: NDArray, w: NDArray, b?: NDArray): NDArray => {
  const y = ops.matmul(fovea, x, w);
  if (b !== undefined) y.data.forEach((_, at) => (y.data[at]! += b.data[at % b.data.length]!));
  return y;
};
const q = withBias(query, params.Wq);
const k = withBias(key, params.Wk, params.bk);
const v = withBias(value, params.Wv, params.bv);

test('cross attention with inputs of different widths', () => {
  const got = leavesNothing(() =>
    fovea.multiHeadAttention(query, key, value, params, { heads: H, returnWeights: true, returnLse: true }),
  );
  const inner = fovea.attention(q, k, v, { heads: H, returnWeights: true });
  near(got.weights, [...inner.weights!.data], 1e-6);
  near(got.output, [...withBias(inner.output, params.Wo, params.bo).data], 1e-5);
  assert.deepEqual(
    [got.output.shape, got.weights!.shape, got.lse!.shape],
    [
      [B, Tq, 5],
      [B, H, Tq, Tk],
      [B, H, Tq],
    ],
  );
});

test('without Wo the output is the concatenated heads', () => {
  const { Wo, bo, ...bare } = params;
  assert.ok(Wo && bo);
  assert.deepEqual(fovea.multiHeadAttention(query, key, value, bare, { heads: H }).output.shape, [B, Tq, 8]);
});

test('sequences without a batch axis', () => {
  const one = (x: NDArray): NDArray => ({ data: x.data.slice(0, x.data.length / B), shape: x.shape.slice(1) });
  const got = fovea.multiHeadAttention(one(query), one(key), one(value), params, { heads: H, returnWeights: true });
  assert.deepEqual(
    [got.output.shape, got.weights!.shape],
    [
      [Tq, 5],
      [H, Tq, Tk],
    ],
  );
  same(got.output.data, fovea.multiHeadAttention(query, key, value, params, { heads: H }).output.data.slice(0, Tq * 5));
  assert.deepEqual(fovea.multiHeadAttention(query, one(key), one(value), params, { heads: H }).output.shape, [B, Tq, 5]);
});

test('averageWeights: the mean over heads', () => {
  const { weights } = fovea.multiHeadAttention(query, key, value, params, { heads: H, returnWeights: true });
  const got = leavesNothing(() =>
    fovea.multiHeadAttention(query, key, value, params, { heads: H, returnWeights: true, averageWeights: true }),
  );
  assert.deepEqual(got.weights!.shape, [B, Tq, Tk]);
  const mean = Array.from(got.weights!.data, (_, at) => {
    const [pair, b] = [at % (Tq * Tk), Math.floor(at / (Tq * Tk))];
    return (weights!.data[b * H * Tq * Tk + pair]! + weights!.data[(b * H + 1) * Tq * Tk + pair]!) / 2;
  });
  near(got.weights, mean, 1e-7);
});

test('biasK, biasV and addZeroAttention append keys that are always allowed', () => {
  const mask = { data: Uint8Array.from({ length: H * Tq * Tk }, (_, at) => Number(at % 3 !== 0)), shape: [H, Tq, Tk] };
  const float = {
    data: Float32Array.from({ length: B * Tq * Tk }, (_, at) => (at % 5 === 0 ? -Infinity : at / 10)),
    shape: [B, 1, Tq, Tk],
  };
  const cases: [Omit<DenseOptions, 'out' | 'layout' | 'heads'>, (i: number, j: number, b: number, h: number) => boolean][] = [
    [{}, () => true],
    [{ causal: true }, (i, j) => j <= i],
    [{ causal: true, causalAlign: 'bottom-right' }, (i, j) => j <= i + Tk - Tq],
    [
      { causal: true, causalAlign: 'bottom-right', keyLengths: [2, 4] },
      (i, j, b) => j < [2, 4][b]! && j <= i + [2, 4][b]! - Tq,
    ],
    [{ keyLengths: [0, 3] }, (_i, j, b) => j < [0, 3][b]!],
    [{ window: [1, 0] }, (i, j) => j >= i - 1 && j <= i],
    [{ mask }, (i, j, _b, h) => mask.data[(h * Tq + i) * Tk + j] === 1],
    [
      { mask, keyLengths: [3, 1], causal: true, causalOffset: [1, 3] },
      (i, j, b, h) => mask.data[(h * Tq + i) * Tk + j] === 1 && j < [3, 1][b]! && j <= i + [1, 3][b]!,
    ],
    [
      { mask: { data: Array.from(mask.data, Boolean), shape: mask.shape } },
      (i, j, _b, h) => mask.data[(h * Tq + i) * Tk + j] === 1,
    ],
    [{ mask: float }, (i, j, b) => float.data[(b * Tq + i) * Tk + j] !== -Infinity],
    [
      { mask: float, keyLengths: [4, 2], bias: bias.alibi([0.5, 0.25]) },
      (i, j, b) => j < [4, 2][b]! && float.data[(b * Tq + i) * Tk + j] !== -Infinity,
    ],
  ];
  const zero = new Float32Array(8);
  const appended: [object, object, Float32Array[], Float32Array[]][] = [
    [biases, {}, [biases.biasK.data], [biases.biasV.data]],
    [{}, { addZeroAttention: true }, [zero.slice(0, 6)], [zero]],
    [biases, { addZeroAttention: true }, [biases.biasK.data, zero.slice(0, 6)], [biases.biasV.data, zero]],
  ];
  for (const [extraParams, extraOptions, keys, values] of appended) {
    for (const [options, rule] of cases) {
      const got = leavesNothing(() =>
        fovea.multiHeadAttention(
          query,
          key,
          value,
          { ...params, ...extraParams },
          { heads: H, returnWeights: true, ...extraOptions, ...options },
        ),
      );
      const all = Tk + keys.length;
      const bias = new Float32Array(B * H * Tq * all);
      for (let at = 0; at < bias.length; at++) {
        const [j, i, h, b] = [
          at % all,
          Math.floor(at / all) % Tq,
          Math.floor(at / all / Tq) % H,
          Math.floor(at / all / Tq / H),
        ];
        if (j >= Tk) continue;
        const added = options.mask === float ? float.data[(b * Tq + i) * Tk + j]! : 0;
        const slope = options.bias === undefined ? 0 : [0.5, 0.25][h]!;
        bias[at] = rule(i, j, b, h) ? added - slope * Math.abs(i - j) : -Infinity;
      }
      const want = fovea.attention(q, append(k, ...keys), append(v, ...values), {
        heads: H,
        mask: { data: bias, shape: [B, H, Tq, all] },
        returnWeights: true,
      });
      assert.deepEqual(got.weights!.shape, [B, H, Tq, all]);
      near(got.weights, [...want.weights!.data], 2e-6);
      near(got.output, [...withBias(want.output, params.Wo, params.bo).data], 1e-5);
    }
  }
});

test('a Tensor as mask goes with appended keys too', () => {
  leavesNothing(() => {
    const mask = fovea.tensor(numbers([Tq, Tk + 1], 20));
    const options = { heads: H, returnLse: true } as const;
    const got = fovea.multiHeadAttention(query, key, value, { ...params, ...biases }, { ...options, mask: mask.slice(1, 1) });
    same(
      got.output.data,
      fovea.multiHeadAttention(query, key, value, { ...params, ...biases }, { ...options, mask: mask.slice(1, 1).toArray() })
        .output.data,
    );
    mask.dispose();
  });
});

test('one array as query, key and value is the self attention of it', () => {
  const p = { Wq: numbers([5, 6], 1), Wk: numbers([5, 6], 2), Wv: numbers([5, 6], 3) };
  same(
    fovea.multiHeadAttention(query, query, query, p, { heads: 2 }).output.data,
    fovea.selfAttention(query, p, { heads: 2 }).output.data,
  );
});

test('a Tensor as query gives Tensors', () => {
  leavesNothing(() => {
    const x = fovea.tensor(query);
    const got = fovea.multiHeadAttention(x, key, value, params, {
      heads: H,
      returnWeights: true,
      averageWeights: true,
      returnLogits: 'biased',
    });
    for (const name of ['output', 'weights', 'logits'] as const) {
      assert.ok(got[name] instanceof Tensor);
      got[name].dispose();
    }
    x.dispose();
  });
});

test('empty sequences', () => {
  const none = (x: NDArray): NDArray => ({ data: new Float32Array(0), shape: [B, 0, x.shape[2]!] });
  assert.deepEqual(fovea.multiHeadAttention(none(query), key, value, params, { heads: H }).output.shape, [B, 0, 5]);
  const noKeys = fovea.multiHeadAttention(query, none(key), none(value), params, { heads: H }).output;
  near(
    noKeys,
    Array.from({ length: B * Tq }, () => [...params.bo.data]),
    1e-6,
  );
});

test('each wrong input has its message', () => {
  const call =
    (change: object = {}, options: object = { heads: H }, inputs: [NDArray, NDArray, NDArray] = [query, key, value]) =>
    () =>
      fovea.multiHeadAttention(...inputs, { ...params, ...change } as never, options as never);
  fails('option', /^multiHeadAttention: the option heads must be given$/, call({}, {}));
  fails('option', /the option heads must be given/, () =>
    fovea.multiHeadAttention(query, key, value, params, undefined as never),
  );
  fails('value', /heads must be an integer from 1/, call({}, { heads: 0 }));
  fails('value', /params\.biasK must go with params\.biasV/, call({ biasK: biases.biasK }));
  fails('value', /params\.biasV must go with params\.biasK/, call({ biasV: biases.biasV }));
  fails('shape', /biasK must be \[H·D\] = \[6\], got \[8\]/, call({ biasK: numbers([8]), biasV: numbers([8]) }));
  fails('shape', /biasV must be \[H·Dv\] = \[8\], got \[6\]/, call({ biasK: numbers([6]), biasV: numbers([6]) }));
  fails('shape', /key and value must have as many tokens/, call({}, { heads: H }, [query, key, numbers([B, Tk + 1, 7])]));
  fails('shape', /batch sizes must be equal or 1/, call({}, { heads: H }, [query, numbers([3, Tk, 6]), value]));
  fails('shape', /query must have a batch axis/, call({}, { heads: H }, [numbers([Tq, 5]), key, value]));
  fails(
    'shape',
    /Wk must be \[in, out\] with in = 5, the width of key/,
    call({}, { heads: H }, [query, numbers([B, Tk, 5]), value]),
  );
  fails('value', /addZeroAttention must be true or false/, call({}, { heads: H, addZeroAttention: 1 }));
  fails('value', /averageWeights must be true or false/, call({}, { heads: H, averageWeights: 'yes' }));
  fails('option', /unknown option 'averageWeight'; did you mean 'averageWeights'/, call({}, { heads: H, averageWeight: true }));
  fails('option', /unknown parameter 'biask'; did you mean 'biasK'/, call({ biask: [1] }));
  assert.equal(D, 3);
});
