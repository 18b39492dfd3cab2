/** Weights of 8 bits: the bits that the definition gives, its bound, and what an encoder makes of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { Linear, MultiHeadAttention, SelfAttention, TransformerEncoder } from 'fovea/nn';
import { embedding, linear, quantize } from 'fovea/ops';
import { fails, fovea, leavesNothing, numbers, same, works } from '../support/api.ts';

function within(data: ArrayLike<number>, { bounds, truth }: { bounds: number[]; truth: number[] }): void {
  bounds.forEach((bound, i) => assert.ok(Math.abs(data[i]! - truth[i]!) <= bound, `${data[i]}, ${truth[i]} ± ${bound}`));
}

/** To the nearest integer, halves to even. */
function round(x: number): number {
  const low = Math.floor(x);
  if (x - low !== 0.5) return Math.round(x);
  return low % 2 === 0 ? low : low + 1;
}

/** round(levels · x / max |x|), and the scale. */
function quantized(x: Float32Array, levels: number): { scale: number; values: number[] } {
  const most = x.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  const factor = Math.fround(levels / most);
  return { scale: Math.fround(most / levels), values: Array.from(x, (value) => round(Math.fround(value * factor)) + 0) }; // no -0
}

/** The most rows of a call that are rounded to 15 bits; those of more, to 7. */
const FEW_ROWS = 4;

/** x·Wᵀ + b as the documentation of `quantize` defines it, each operation in f32; and the bound of its error. */
function define(
  x: NDArray,
  W: NDArray,
  b: NDArray,
  inputs: 'fast' | 'precise' = 'fast',
): { data: Float32Array; bounds: number[]; truth: number[] } {
  const [rows, inner, outer] = [x.shape[0]!, x.shape[1]!, W.shape[0]!];
  const [data, bounds, truth] = [new Float32Array(rows * outer), [] as number[], [] as number[]];
  const [levels, half] = inputs === 'precise' ? [8191, 0.502] : rows <= FEW_ROWS ? [16383, 0.503] : [63, 0.501];
  for (let r = 0; r < rows; r++) {
    const row = x.data.subarray(r * inner, (r + 1) * inner);
    const u = quantized(row, levels);
    for (let o = 0; o < outer; o++) {
      const weights = W.data.subarray(o * inner, (o + 1) * inner);
      const q = quantized(weights, 127);
      const sum = u.values.reduce((total, value, i) => total + value * q.values[i]!, 0);
      const [lesser, greater] = u.scale > q.scale ? [q.scale, u.scale] : [u.scale, q.scale];
      const product = Math.fround(Math.fround(Math.fround(sum) * lesser) * greater);
      data[r * outer + o] = product + b.data[o]!;
      const sizes = (list: ArrayLike<number>): number => Array.from(list).reduce((total, value) => total + Math.abs(value), 0);
      const rounding = 2 ** -22 * (Math.abs(product) + Math.abs(b.data[o]!));
      bounds.push(half * u.scale * q.scale * sizes(q.values) + 0.501 * q.scale * sizes(row) + rounding);
      truth.push(row.reduce((total, value, i) => total + value * weights[i]!, b.data[o]!));
    }
  }
  return { data, bounds, truth };
}

for (const [inner, outer] of [
  [1, 1],
  [5, 9],
  [64, 8],
  [131, 37],
  [2049, 9],
] as const) {
  test(`linear with [${outer}, ${inner}] in int8 has the bits of the definition, and its error the bound`, () => {
    const [x, W, b] = [numbers([67, inner], 1), numbers([outer, inner], 2), numbers([outer], 3)];
    leavesNothing(() => {
      for (const inputs of ['fast', 'precise'] as const) {
        const weights = quantize(fovea, W, { inputs });
        for (const rows of [1, 2, 3, 4, 5, 7, 8, 9, 63, 67]) {
          const part = { data: x.data.slice(0, rows * inner), shape: [rows, inner] };
          const definition = define(part, W, b, inputs);
          same(linear(fovea, part, weights, b).data, definition.data);
          within(definition.data, definition);
        }
        weights.dispose();
      }
    });
  });
}

test('rows and outputs of any size keep the bound, where the product of their scales leaves the range of floats', () => {
  const sizes = [1e-30, 1e-22, 1e-10, 1, 1e10, 1e18, 1e22];
  const rowsOf = (x: NDArray, size: (row: number, i: number) => number): NDArray => ({
    data: x.data.map((value, n) => value * size(Math.floor(n / 6), n % 6)),
    shape: x.shape,
  });
  for (const first of sizes.keys()) {
    const sizeAt = (n: number): number => sizes[(first + n) % sizes.length]!;
    // The large numbers of a row and of an output do not always meet.
    const x = rowsOf(numbers([9, 6], 1), (row, i) => (i === 0 ? sizeAt(row) : 1));
    const W = rowsOf(numbers([11, 6], 2), (o, i) => (o % 2 === 0 && i < 5 ? 1 : sizeAt(o)));
    const b = numbers([11], 3);
    using weights = quantizedOnce(W);
    using layer = new Linear(fovea, { inFeatures: 6, outFeatures: 11 });
    layer.loadStateDict({ weight: W, bias: b }, { dtype: 'int8' });
    for (const rows of [1, 2, 3, 5, 9]) {
      const part = { data: x.data.slice(0, rows * 6), shape: [rows, 6] };
      const definition = define(part, W, b);
      same(linear(fovea, part, weights.packed, b).data, definition.data);
      same(layer.forward(part).data, definition.data);
      within(definition.data, definition);
    }
  }
  using weights = quantizedOnce({ data: Float32Array.of(1, 1e22), shape: [1, 2] });
  assert.deepEqual([...linear(fovea, [[1e22, 1]], weights.packed).data], [0]);
});

test('four rows and precise ones are as near to the product of the rounded weights as f32, five fast ones only as 7 bits', () => {
  const [x, W] = [numbers([5, 512], 1), numbers([64, 512], 2)];
  using fast = quantizedOnce(W);
  using precise = quantizedOnce(W, 'precise');
  const back = fast.packed.toArray();
  same(precise.packed.toArray().data, back.data);
  const furthest = (rows: number, weights = fast): number => {
    const part = { data: x.data.slice(0, rows * 512), shape: [rows, 512] };
    const [got, wanted] = [linear(fovea, part, weights.packed).data, linear(fovea, part, back).data];
    const largest = wanted.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
    return got.reduce((far, value, i) => Math.max(far, Math.abs(value - wanted[i]!)), 0) / largest;
  };
  const [few, many] = [furthest(FEW_ROWS), furthest(FEW_ROWS + 1)];
  const closest = furthest(FEW_ROWS + 1, precise);
  assert.ok(few < 1e-4 && closest < 1e-4 && many > 1e-3, `${few}, ${closest}, ${many}`);
});

test('a precise row has the same bits alone and among others', () => {
  const [x, W] = [numbers([70, 65], 1), numbers([19, 65], 2)];
  using weights = quantizedOnce(W, 'precise');
  const whole = linear(fovea, x, weights.packed).data;
  for (const rows of [1, 4, 5, 69]) {
    const part = { data: x.data.slice(65, 65 * (rows + 1)), shape: [rows, 65] };
    same(linear(fovea, part, weights.packed).data, whole.slice(19, 19 * (rows + 1)));
  }
});

test('an activation follows the product in int8', () => {
  const [x, W, b] = [numbers([5, 20], 1), numbers([9, 20], 2), numbers([9], 3)];
  using weights = quantizedOnce(W);
  const plain = linear(fovea, x, weights.packed, b).data.map((value) => Math.max(value, 0));
  same(linear(fovea, x, weights.packed, b, { activation: 'relu' }).data, plain);
});

function quantizedOnce(
  W: NDArray,
  inputs?: 'fast' | 'precise',
): { packed: ReturnType<typeof quantize>; [Symbol.dispose](): void } {
  const packed = quantize(fovea, W, { inputs });
  return { packed, [Symbol.dispose]: () => packed.dispose() };
}

test('weights of 8 bits tell their shape and type, give the rounded matrix, and take a quarter of the memory', () => {
  const W = numbers([64, 512]);
  const before = fovea.memory().live;
  const weights = quantize(fovea, W);
  const bytes = fovea.memory().live - before;
  assert.ok(bytes <= 64 * 512 + 64 * 8 + 16, `${bytes} bytes`);
  assert.deepEqual([weights.shape, weights.dtype, weights.inputs, weights.disposed], [[64, 512], 'int8', 'fast', false]);
  const back = weights.toArray();
  assert.deepEqual(back.shape, W.shape);
  for (let o = 0; o < 64; o++) {
    const { scale, values } = quantized(W.data.subarray(512 * o, 512 * (o + 1)), 127);
    values.forEach((value, i) => assert.equal(back.data[512 * o + i], Math.fround(scale * value)));
  }
  weights.dispose();
  weights.dispose();
  assert.equal(fovea.memory().live, before);
  fails('disposed', /linear: weight is a Tensor .* disposed/, () => linear(fovea, numbers([1, 512]), weights));
  fails('disposed', /disposed/, () => weights.toArray());
});

test('an embedding takes the rounded rows of a quantized table', () => {
  const W = numbers([21, 10]);
  leavesNothing(() => {
    const table = quantize(fovea, W);
    const { data } = table.toArray();
    const ids = [
      [20, 0, 8],
      [7, 7, 13],
    ];
    const rows = embedding(fovea, ids, table);
    assert.deepEqual(rows.shape, [2, 3, 10]);
    ids.flat().forEach((id, n) => same(rows.data.slice(10 * n, 10 * (n + 1)), data.slice(10 * id, 10 * (id + 1))));
    rows.dispose();
    assert.throws(() => embedding(fovea, [21], table), /ids/);
    table.dispose();
    assert.throws(() => embedding(fovea, [0], table), /disposed/);
  });
});

test('wrong arguments are errors', () => {
  fails('shape', /quantize: weight must have two axes, got \[3\]/, () => quantize(fovea, [1, 2, 3] as unknown as number[][]));
  fails('shape', /at most 133144 inputs in int8, got \[1, 133145\]/, () => quantize(fovea, numbers([1, 133145])));
  fails('option', /dtype must be 'float32' or 'int8', got 'int4'/, () => {
    using layer = new Linear(fovea, { inFeatures: 2, outFeatures: 2, bias: false });
    layer.loadStateDict({ weight: numbers([2, 2]) }, { dtype: 'int4' as 'int8' });
  });
  fails('option', /inputs is for dtype: 'int8', got inputs 'precise', dtype 'float32'/, () => {
    using layer = new Linear(fovea, { inFeatures: 2, outFeatures: 2, bias: false });
    layer.loadStateDict({ weight: numbers([2, 2]) }, { inputs: 'precise' });
  });
  fails('option', /quantize: inputs must be 'fast' or 'precise', got 'exact'/, () =>
    quantize(fovea, numbers([2, 2]), { inputs: 'exact' as 'fast' }),
  );
  leavesNothing(() => {
    const weights = quantize(fovea, numbers([3, 4]));
    assert.throws(() => linear(fovea, numbers([2, 5]), weights), /weight must be \[out, in\]/);
    weights.dispose();
  });
  works();
});

test('a Linear that loads int8 is linear with quantize', () => {
  const [x, weight, bias] = [numbers([6, 30], 1), numbers([11, 30], 2), numbers([11], 3)];
  using layer = new Linear(fovea, { inFeatures: 30, outFeatures: 11 });
  layer.loadStateDict({ weight, bias }, { dtype: 'int8' });
  using weights = quantizedOnce(weight);
  same(layer.forward(x).data, linear(fovea, x, weights.packed, bias).data);
  same(layer.stateDict().get('weight')!.data, weights.packed.toArray().data);
  layer.loadStateDict({ weight, bias });
  same(layer.stateDict().get('weight')!.data, weight.data);
});

test('a Linear that loads int8 with precise inputs is linear with quantize', () => {
  const [x, weight, bias] = [numbers([6, 30], 1), numbers([11, 30], 2), numbers([11], 3)];
  using layer = new Linear(fovea, { inFeatures: 30, outFeatures: 11, activation: 'relu' });
  layer.loadStateDict({ weight, bias }, { dtype: 'int8', inputs: 'precise' });
  using weights = quantizedOnce(weight, 'precise');
  same(layer.forward(x).data, linear(fovea, x, weights.packed, bias, { activation: 'relu' }).data);
});

test('matrices [in, out] and the parts of a joint projection are rounded output by output', () => {
  using float = new SelfAttention(fovea, { dim: 12, heads: 2, seed: 3 });
  const dict = float.stateDict();
  using block = new SelfAttention(fovea, { dim: 12, heads: 2 });
  block.loadStateDict(dict, { dtype: 'int8' });
  for (const [name, { data, shape }] of block.stateDict()) {
    const [rows, columns] = shape as [number, number];
    for (let o = 0; o < columns; o++) {
      const { scale, values } = quantized(
        Float32Array.from({ length: rows }, (_, i) => dict.get(name)!.data[i * columns + o]!),
        127,
      );
      values.forEach((value, i) => assert.equal(data[i * columns + o], Math.fround(scale * value), `${name}[${i}, ${o}]`));
    }
  }
  using joint = new MultiHeadAttention(fovea, { embedDim: 10, numHeads: 2, seed: 4 });
  using rounded = new MultiHeadAttention(fovea, { embedDim: 10, numHeads: 2 });
  rounded.loadStateDict(joint.stateDict(), { dtype: 'int8' });
  using weights = quantizedOnce(joint.stateDict().get('in_proj_weight')!);
  same(rounded.stateDict().get('in_proj_weight')!.data, weights.packed.toArray().data);
});

test("an encoder's outputs in int8 have a cosine of at least 0.999 with those in f32, with precise inputs they are nearer", () => {
  const options = { numLayers: 6, dModel: 384, nHead: 12, dimFeedforward: 1536, activation: 'gelu' } as const;
  using encoder = new TransformerEncoder(fovea, { ...options, seed: 1 });
  const x = numbers([24, 384]);
  const wanted = encoder.forward(x).data;
  const dot = (p: Float32Array, q: Float32Array): number => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
  const [fast, precise] = (['fast', 'precise'] as const).map((inputs) => {
    using rounded = new TransformerEncoder(fovea, options);
    rounded.loadStateDict(encoder.stateDict(), { dtype: 'int8', inputs });
    const got = rounded.forward(x).data;
    return 1 - dot(wanted, got) / Math.sqrt(dot(wanted, wanted) * dot(got, got));
  });
  assert.ok(fast! <= 0.001 && precise! < fast! / 2, `${fast}, ${precise}`);
});
