/** The option `weightScale`: each kind against its definition, by every path, its trace, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttentionOptions, NDArray } from 'fovea';
import { kvCache } from 'fovea/cache';
import { MultiHeadAttention } from 'fovea/nn';
import { pattern } from 'fovea/pattern';
import { bias } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import type { DenseOptions } from '../support/dense_options.ts';
import { NORMALIZERS } from '../support/normalizers.ts';

type WeightScale = NonNullable<AttentionOptions['weightScale']>;
type Factor = (b: number, h: number, i: number, j: number) => number;
type Sizes = readonly [B: number, H: number, Tq: number, Tk: number];

const D = 5;
const arrays = ([B, H, Tq, Tk]: Sizes, Hkv = H): [NDArray, NDArray, NDArray] => [
  numbers([B, H, Tq, D], 1),
  numbers([B, Hkv, Tk, D], 2),
  numbers([B, Hkv, Tk, D], 3),
];

/** Each kind of scale, with its factors. */
function scales([B, H, Tq, Tk]: Sizes): [name: string, scale: WeightScale, factor: Factor][] {
  const all = numbers([B, H, Tq, Tk], 4);
  const keys = numbers([Tk], 5);
  const rows = numbers([B, 1, Tq, 1], 6);
  const heads = numbers([H], 7);
  const centers = { data: numbers([B, 1, Tq], 8).data.map((x) => x * Tk), shape: [B, 1, Tq] };
  const sigmas = { data: Float32Array.from({ length: H }, (_, h) => 1 + h), shape: [H, 1] };
  const gaussian = (j: number, center: number, sigma: number): number => Math.exp(-((j - center) ** 2) / (2 * sigma ** 2));
  return [
    ['pairs', all, (b, h, i, j) => all.data[((b * H + h) * Tq + i) * Tk + j]!],
    ['keys', keys, (_b, _h, _i, j) => keys.data[j]!],
    ['rows', rows, (b, _h, i) => rows.data[b * Tq + i]!],
    ['nested numbers', [[0.5]], () => 0.5],
    ['heads', { heads }, (_b, h) => heads.data[h]!],
    ['gaussian', { gaussian: { center: 2.5, sigma: 3 } }, (_b, _h, _i, j) => gaussian(j, 2.5, 3)],
    [
      'gaussian of arrays',
      { gaussian: { center: centers, sigma: sigmas } },
      (b, h, i, j) => gaussian(j, centers.data[b * Tq + i]!, sigmas.data[h]!),
    ],
  ];
}

/** A call's weights and values with the scale applied. */
function scaled(weights: NDArray, v: NDArray, factor: Factor): { weights: number[]; output: number[] } {
  const [, H, Tq, Tk] = weights.shape as [number, number, number, number];
  const Hkv = v.shape[1]!;
  const own = Array.from(weights.data, (w, n) => {
    const [j, i, row] = [n % Tk, Math.floor(n / Tk) % Tq, Math.floor(n / Tk / Tq)];
    return w === 0 ? 0 : w * factor(Math.floor(row / H), row % H, i, j);
  });
  const output = Array.from({ length: (own.length / Tk) * D }, (_, n) => {
    const [d, row] = [n % D, Math.floor(n / D)];
    const [b, h] = [Math.floor(row / Tq / H), Math.floor(row / Tq) % H];
    const first = (b * Hkv + Math.floor((h * Hkv) / H)) * Tk;
    let sum = 0;
    for (let j = 0; j < Tk; j++) sum += own[row * Tk + j]! * v.data[(first + j) * D + d]!;
    return sum;
  });
  return { weights: own, output };
}

const ragged: Sizes[] = [
  [1, 1, 1, 1],
  [2, 4, 1, 63],
  [1, 2, 3, 65],
  [2, 2, 5, 3],
  [1, 2, 63, 5],
  [2, 2, 65, 63],
  [1, 2, 65, 130],
  [1, 1, 3, 1100],
];

for (const normalizer of NORMALIZERS)
  test(`every kind, dense, few queries and with a pattern: ${JSON.stringify(normalizer)}`, () => {
    for (const sizes of ragged) {
      const [q, k, v] = arrays(sizes, sizes[1] > 2 ? 2 : sizes[1]);
      const options: DenseOptions = {
        normalizer,
        causal: true,
        causalOffset: Math.max(-1, sizes[3] - sizes[2]),
        returnWeights: 'dense',
      };
      for (const more of [{}, { pattern: pattern.window(40, 3).or(pattern.atrous(5)) } as object]) {
        const plain = fovea.attention(q, k, v, { ...options, ...more }) as { weights: NDArray; output: NDArray };
        for (const [name, weightScale, factor] of scales(sizes)) {
          const call = { ...options, ...more, weightScale };
          const got = leavesNothing(() => fovea.attention(q, k, v, call)) as typeof plain;
          const want = scaled(plain.weights, v, factor);
          near(got.weights, want.weights, 4e-6);
          near(got.output, want.output, 1e-4);
          const bare = fovea.attention(q, k, v, { ...call, returnWeights: undefined });
          same(bare.output.data, got.output.data);
          const { weights: sparse } = fovea.attention(q, k, v, { ...call, returnWeights: 'sparse' });
          assert.deepEqual(
            [...sparse.values].filter((w) => w !== 0),
            [...got.weights.data].filter((w) => w !== 0),
            name,
          );
        }
      }
    }
  });

test('relative values are scaled with the values', () => {
  for (const sizes of ragged) {
    const [B, H, Tq, Tk] = sizes;
    const [q, k, v] = arrays(sizes);
    const relativeValues = { table: numbers([5, D], 9), clip: 2 };
    const { weights } = fovea.attention(q, k, v, { returnWeights: true });
    for (const [, weightScale, factor] of scales(sizes)) {
      const got = fovea.attention(q, k, v, { weightScale, relativeValues });
      const { weights: own, output } = scaled(weights, v, factor);
      for (let row = 0; row < B * H * Tq; row++)
        for (let j = 0; j < Tk; j++)
          for (let d = 0; d < D; d++) {
            const distance = Math.max(-2, Math.min(2, j - (row % Tq))) + 2;
            output[row * D + d]! += own[row * Tk + j]! * relativeValues.table.data[distance * D + d]!;
          }
      near(got.output, output, 1e-4);
    }
  }
});

test('lse, logits and sinks know nothing of it', () => {
  const sizes: Sizes = [2, 2, 5, 9];
  const [q, k, v] = arrays(sizes);
  const asked = { returnLse: true, returnLogits: 'biased', returnWeights: true, sinks: [0.5, -1] } as const;
  const plain = fovea.attention(q, k, v, asked);
  for (const [, weightScale, factor] of scales(sizes)) {
    const got = fovea.attention(q, k, v, { ...asked, weightScale });
    same(got.lse.data, plain.lse.data);
    same(got.logits.data, plain.logits.data);
    near(got.weights, scaled(plain.weights, v, factor).weights, 1e-6);
  }
});

test('parts of the keys, scaled alike, combine to the whole', () => {
  const [q, k, v] = arrays([1, 2, 3, 8]);
  const weightScale = numbers([2, 3, 8], 4);
  const keysOf = (x: NDArray, from: number, to: number): NDArray => {
    const width = x.shape.at(-1)!;
    const data = x.data.filter((_, n) => Math.floor(n / width) % 8 >= from && Math.floor(n / width) % 8 < to);
    return { data, shape: [1, 2, to - from, width] };
  };
  const parts = [
    [0, 3],
    [3, 8],
  ].map(([from, to]) =>
    fovea.attention(q, keysOf(k, from!, to!), keysOf(v, from!, to!), {
      weightScale: { data: weightScale.data.filter((_, n) => n % 8 >= from! && n % 8 < to!), shape: [2, 3, to! - from!] },
      returnLse: true,
    }),
  );
  near(fovea.combine(parts).output, [...fovea.attention(q, k, v, { weightScale }).output.data], 1e-6);
});

test('a scale of 1 changes no bit, nor one that is undefined', () => {
  for (const sizes of ragged) {
    const [q, k, v] = arrays(sizes);
    for (const normalizer of NORMALIZERS) {
      const plain = fovea.attention(q, k, v, { normalizer, returnWeights: true });
      for (const weightScale of [[1], { heads: new Array<number>(sizes[1]).fill(1) }, undefined]) {
        const got = fovea.attention(q, k, v, { normalizer, returnWeights: true, weightScale });
        same(got.output.data, plain.output.data);
        same(got.weights.data, plain.weights.data);
      }
    }
  }
});

test('what it holds at masked pairs leaks nowhere; at an allowed pair it is the row that is NaN', () => {
  for (const sizes of ragged) {
    const [B, H, Tq, Tk] = sizes;
    const [q, k, v] = arrays(sizes);
    // Rows at position -1 have no key.
    const isMasked = (n: number): boolean => n % Tk > (Math.floor(n / Tk) % Tq) + Tk - Tq - 1 || n % 3 === 0;
    const mask = { data: Uint8Array.from({ length: B * H * Tq * Tk }, (_, n) => Number(n % 3 !== 0)), shape: [...sizes] };
    const options: DenseOptions = { causal: true, causalOffset: Tk - Tq - 1, mask, returnWeights: 'dense' };
    for (const normalizer of NORMALIZERS)
      for (const more of [{}, { pattern: pattern.all() } as object]) {
        const run = (masked: number): { weights: NDArray; output: NDArray } => {
          const data = numbers([...sizes], 4).data.map((x, n) => (isMasked(n) ? masked : x));
          const scale = { data, shape: [...sizes] };
          return fovea.attention(q, k, v, { ...options, ...more, normalizer, weightScale: scale }) as ReturnType<typeof run>;
        };
        const want = run(1);
        for (const masked of [NaN, Infinity, -Infinity]) {
          same(run(masked).weights.data, want.weights.data);
          same(run(masked).output.data, want.output.data);
        }
      }
    const broken = new Float32Array(Tq * Tk).fill(1);
    broken[Tk * (Tq - 1)] = NaN;
    const { output, weights } = fovea.attention(q, k, v, {
      weightScale: { data: broken, shape: [Tq, Tk] },
      returnWeights: true,
    });
    const plain = fovea.attention(q, k, v, { returnWeights: true });
    output.data.forEach((x, n) => {
      if (Math.floor(n / D) % Tq === Tq - 1) assert.ok(Number.isNaN(x));
      else assert.equal(x, plain.output.data[n]);
    });
    weights.data.forEach((w, n) => {
      if (n % (Tq * Tk) === Tk * (Tq - 1)) assert.ok(Number.isNaN(w));
      else assert.equal(w, plain.weights.data[n]);
    });
  }
});

test('layouts, packed heads and Tensors give the same bits', () => {
  const sizes: Sizes = [2, 2, 5, 9];
  const [q, k, v] = arrays(sizes);
  const swap = ({ data, shape: [B, H, T, W] }: NDArray): NDArray => ({
    data: data.map((_, n) => {
      const [d, h, t, b] = [n % W!, Math.floor(n / W!) % H!, Math.floor(n / W! / H!) % T!, Math.floor(n / W! / H! / T!)];
      return data[((b * H! + h) * T! + t) * W! + d]!;
    }),
    shape: [B!, T!, H!, W!],
  });
  const packed = (x: NDArray): NDArray => ({ data: swap(x).data, shape: [x.shape[0]!, x.shape[2]!, x.shape[1]! * D] });
  for (const [, weightScale] of scales(sizes)) {
    const want = fovea.attention(q, k, v, { weightScale, returnWeights: true });
    const bthd = fovea.attention(swap(q), swap(k), swap(v), { weightScale, returnWeights: true, layout: 'bthd' });
    const heads = fovea.attention(packed(q), packed(k), packed(v), { weightScale, returnWeights: true, heads: 2 });
    for (const got of [bthd, heads]) {
      same(got.weights.data, want.weights.data);
      same(got.output.data, swap(want.output).data);
    }
  }
  fovea.scope(() => {
    const array = numbers([2, 2, 5, 9], 4);
    const want = fovea.attention(q, k, v, { weightScale: array });
    const wide = fovea.tensor({
      data: Float32Array.from({ length: 2 * 2 * 5 * 11 }, (_, n) => array.data[Math.floor(n / 11) * 9 + (n % 11) - 1] ?? 0),
      shape: [2, 2, 5, 11],
    });
    same(fovea.attention(q, k, v, { weightScale: wide.slice(3, 1, 10) }).output.data, want.output.data);
    const tensor = fovea.tensor(q);
    const taken = fovea.tensor(numbers([...q.shape], 4));
    const overlapping = taken.reshape([2 * 2 * 5 * D]).slice(0, 0, 9);
    fails('value', /overlap/, () => fovea.attention(tensor, k, v, { weightScale: overlapping, out: { output: taken } }));
  });
});

test('over a cache, of every dtype and with a window, it is what it is over arrays', () => {
  const [q, k, v] = arrays([1, 4, 3, 20], 2);
  const whole = numbers([4, 3, 20], 4);
  for (const dtype of ['float32', 'float16'] as const)
    for (const window of [undefined, 9]) {
      const cache = kvCache(fovea, { kvHeads: 2, width: D, capacity: 20, dtype, ...(window && { window, sinkTokens: 1 }) });
      for (let t = 0; t < 20; t += 5) {
        const part = ({ data, shape }: NDArray): NDArray => ({
          data: data.filter((_, n) => Math.floor((Math.floor(n / D) % 20) / 5) === t / 5),
          shape: [...shape.slice(0, 2), 5, D],
        });
        cache.append(part(k), part(v));
      }
      const plain = fovea.attention(q, cache, { causal: true, returnWeights: true });
      for (const [name, weightScale, factor] of scales([1, 4, 3, 20])) {
        const got = fovea.attention(q, cache, { causal: true, returnWeights: true, weightScale });
        const want = scaled(plain.weights, v, factor);
        near(got.weights, want.weights, 1e-6);
        near(got.output, want.output, dtype === 'float16' ? 5e-3 : 1e-5);
        assert.ok(name);
      }
      fails('shape', /weightScale must broadcast to \[B, H, Tq, Tk\] = \[1, 4, 3, 20\], got \[4, 3, 19\]/, () =>
        fovea.attention(q, cache, { weightScale: numbers([4, 3, 19], 4) }),
      );
      same(
        fovea.attention(q, cache, { causal: true, weightScale: whole }).output.data,
        fovea.attention(q, cache, { causal: true, weightScale: fovea.tensor(whole) }).output.data,
      );
      cache.dispose();
    }
});

test('a trace has the weights before it, and those that are returned', () => {
  const sizes: Sizes = [2, 2, 70, 9];
  const [q, k, v] = arrays(sizes);
  for (const normalizer of NORMALIZERS)
    for (const more of [{}, { pattern: pattern.window(4, 2), bias: bias.direction('forward') } as object]) {
      const options: DenseOptions = { normalizer, returnWeights: 'dense', ...more };
      const plain = fovea.attention(q, k, v, options) as { weights: NDArray };
      const plainNames = fovea.attention(q, k, v, { ...options, trace: true }).trace.map(({ name }) => name);
      for (const [, weightScale] of scales(sizes)) {
        const { trace, weights } = fovea.attention(q, k, v, { ...options, weightScale, trace: true });
        assert.deepEqual(
          trace.map(({ name }) => name),
          plainNames.flatMap((name) => (name === 'weights' ? ['alignment', name] : [name])),
        );
        const [alignment, final] = trace.slice(-3);
        same(alignment!.data, plain.weights.data);
        same(final!.data, (weights as NDArray).data);
        assert.deepEqual(alignment!.axes, final!.axes);
        const part = fovea.attention(q, k, v, { ...options, weightScale, trace: { batch: 1, head: 1, rows: [3, 5] } }).trace;
        const first = ((1 * 2 + 1) * 70 + 3) * 9;
        same(part.at(-3)!.data, alignment!.data.slice(first, first + 18));
        same(part.at(-2)!.data, final!.data.slice(first, first + 18));
      }
    }
  const { trace } = fovea.attention(q, k, v, { weightScale: { heads: [1, 2] }, trace: true });
  assert.equal(trace.at(-3)!.formula, 'P = \\operatorname{softmax}(Z)');
  assert.equal(trace.at(-2)!.formula, 'A_{ij} = g_h \\, P_{ij}');
});

test('projected attention and modules take it, and appended keys are scaled by heads alone', () => {
  const x = numbers([1, 6, 4], 8);
  const weight = (seed: number) => numbers([4, 4], seed);
  const params = { Wq: weight(1), Wk: weight(2), Wv: weight(3), Wo: weight(4), biasK: numbers([4], 5), biasV: numbers([4], 6) };
  const options = { heads: 2, addZeroAttention: true, returnWeights: true } as const;
  const plain = fovea.multiHeadAttention(x, x, x, params, options).weights;
  for (const [name, weightScale, factor] of scales([1, 2, 6, 6])) {
    const got = fovea.multiHeadAttention(x, x, x, params, { ...options, weightScale }).weights;
    const want = scaled(plain, numbers([1, 2, 8, D]), (b, h, i, j) => (j < 6 || name === 'heads' ? factor(b, h, i, j) : 1));
    near(got, want.weights, 1e-6);
  }
  const gated = fovea.multiHeadAttention(x, x, x, { ...params, Wo: undefined }, { ...options, weightScale: { heads: [0, 1] } });
  gated.output.data.forEach((y, n) => assert.equal(y === 0, n % 4 < 2));
  const own = { Wq: weight(1), Wk: weight(2), Wv: weight(3) };
  const self = fovea.selfAttention(x, own, { weightScale: [[2]] });
  near(
    self.output,
    [...fovea.selfAttention(x, own).output.data].map((y) => 2 * y),
    1e-5,
  );
  const layer = new MultiHeadAttention(fovea, { embedDim: 4, numHeads: 2, seed: 1 });
  const { weights } = layer.forward(x, x, x, { returnWeights: true, weightScale: { heads: [0, 0] } });
  assert.ok(weights.data.every((w) => w === 0));
  layer.dispose();
});

test('calls without a key or a query', () => {
  for (const sizes of [
    [1, 2, 0, 5],
    [1, 2, 5, 0],
    [0, 2, 3, 3],
  ] as Sizes[])
    for (const [, weightScale] of scales(sizes)) {
      const [q, k, v] = arrays(sizes);
      const { output } = fovea.attention(q, k, v, { weightScale, returnWeights: true });
      assert.ok(output.data.every((x) => x === 0));
    }
});

test('what a weight scale must be is said', () => {
  const [q, k, v] = arrays([2, 3, 5, 9]);
  const bad = (weightScale: unknown) => () => fovea.attention(q, k, v, { weightScale } as object);
  const shape = /^attention: weightScale must broadcast to \[B, H, Tq, Tk\] = \[2, 3, 5, 9\], got \[4\]$/;
  fails('shape', shape, bad([1, 2, 3, 4]));
  fails('shape', /weightScale must broadcast/, bad(numbers([3, 9, 5])));
  fails('shape', /weightScale\.heads must be \[H\] = \[3\], got \[2\]/, bad({ heads: [1, 2] }));
  fails('shape', /weightScale\.heads must be \[H\] = \[3\], got \[3, 1\]/, bad({ heads: [[1], [2], [3]] }));
  fails('value', /weightScale\.heads must hold finite numbers.*got NaN at index 1/, bad({ heads: [1, NaN, 2] }));
  fails('option', /unknown option 'gate'/, bad({ heads: [1, 2, 3], gate: 1 }));
  fails('option', /unknown option 'heads'/, bad({ heads: [1, 2, 3], gaussian: { center: 1, sigma: 1 } }));
  fails('option', /weightScale\.gaussian must be \{ center, sigma \}, got 3/, bad({ gaussian: 3 }));
  fails(
    'value',
    /weightScale\.gaussian\.sigma must be greater than 0 \(in float32\), got 0/,
    bad({ gaussian: { center: 1, sigma: 0 } }),
  );
  fails('value', /weightScale\.gaussian\.center must hold finite numbers/, bad({ gaussian: { center: Infinity, sigma: 1 } }));
  fails(
    'shape',
    /weightScale\.gaussian\.center must be a number or broadcast to \[B, H, Tq\] = \[2, 3, 5\], got \[9\]/,
    bad({ gaussian: { center: numbers([9]), sigma: 1 } }),
  );
  for (const wrong of [3, null, 'heads', {}, true, [[true]], { head: [1] }, () => 1]) {
    assert.throws(
      bad(wrong),
      (error: { code: string; message: string }) =>
        /weightScale/.test(error.message) && /^(value|shape|option)$/.test(error.code),
    );
  }
});
