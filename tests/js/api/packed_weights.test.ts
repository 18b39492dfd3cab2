/** Modules keep their matrices packed: the bits of their results, of their state dict, and the memory that they hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { FeedForward, Linear, MultiHeadAttention, SelfAttention } from 'fovea/nn';
import { linear } from 'fovea/ops';
import { fails, fovea, leavesNothing, numbers, same } from '../support/api.ts';

const rowCounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 65, 200];

/** The first rows of a matrix. */
function firstRows({ data, shape }: NDArray, rows: number): NDArray {
  return { data: data.slice(0, rows * shape[1]!), shape: [rows, shape[1]!] };
}

for (const [inFeatures, outFeatures] of [
  [5, 3],
  [16, 8],
  [37, 70],
  [400, 21],
] as const) {
  test(`a packed [${outFeatures}, ${inFeatures}] gives a row the bits of its array, among any number of rows`, () => {
    const weight = numbers([outFeatures, inFeatures], 2);
    const bias = numbers([outFeatures], 3);
    const x = numbers([200, inFeatures], 4);
    for (const activation of [undefined, 'gelu'] as const) {
      using layer = new Linear(fovea, { inFeatures, outFeatures, activation });
      layer.loadStateDict({ weight, bias });
      const whole = linear(fovea, x, weight, bias, { activation });
      for (const rows of rowCounts) {
        const expected = whole.data.slice(0, rows * outFeatures);
        same(layer.forward(firstRows(x, rows)).data, expected);
        same(linear(fovea, firstRows(x, rows), weight, bias, { activation }).data, expected);
      }
    }
  });
}

test('any kind of array is packed to the same weights', () => {
  const { data, shape } = numbers([300, 1000]);
  const rows = Array.from({ length: 300 }, (_, n) => Array.from(data.subarray(1000 * n, 1000 * (n + 1))));
  using tensor = fovea.tensor({ data, shape });
  using wide = fovea.tensor(numbers([300, 1007]));
  wide.slice(1, 3, 1003).set({ data, shape });
  const arrays = [{ data, shape }, { data: Float64Array.from(data), shape }, rows, tensor, wide.slice(1, 3, 1003)];
  using layer = new Linear(fovea, { inFeatures: 1000, outFeatures: 300, bias: false });
  for (const weight of arrays) {
    layer.loadStateDict({ weight });
    same(layer.stateDict().get('weight')!.data, data);
  }
});

test('attention packs its three projections by themselves, of widths that are no multiple of eight', () => {
  using attention = new MultiHeadAttention(fovea, { embedDim: 10, numHeads: 2, seed: 5 });
  const dict = attention.stateDict();
  const matrix = dict.get('in_proj_weight')!;
  const parts = [0, 1, 2].map((n) => ({ data: matrix.data.slice(100 * n, 100 * (n + 1)), shape: [10, 10] }));
  const [Wq, Wk, Wv] = parts as [NDArray, NDArray, NDArray];
  const zeros = { data: new Float32Array(10), shape: [10] };
  const x = numbers([7, 10]);
  const params = { Wq, Wk, Wv, Wo: dict.get('out_proj.weight')!, bq: zeros, bk: zeros, bv: zeros, bo: zeros };
  const expected = fovea.multiHeadAttention(x, x, x, params, { heads: 2, weightLayout: 'outIn' });
  same(attention.forward(x).output.data, expected.output.data);
});

test('matrices [in, out] are packed, too', () => {
  using block = new SelfAttention(fovea, { dim: 9, heads: 1, outDim: 5, seed: 6 });
  const { Wq, Wk, Wv, Wo } = Object.fromEntries(block.stateDict()) as Record<'Wq' | 'Wk' | 'Wv' | 'Wo', NDArray>;
  assert.deepEqual(Wo.shape, [9, 5]);
  const x = numbers([12, 9]);
  same(block.forward(x).output.data, fovea.selfAttention(x, { Wq, Wk, Wv, Wo }, { heads: 1 }).output.data);
  using other = new SelfAttention(fovea, { dim: 9, heads: 1, outDim: 5 });
  other.loadStateDict(block.stateDict());
  same(other.forward(x).output.data, block.forward(x).output.data);
});

test('a module holds its matrices once', () => {
  leavesNothing(() => {
    const before = fovea.memory().live;
    const layer = new FeedForward(fovea, { dModel: 1024, dimFeedforward: 4096, bias: false });
    const weights = { 'linear1.weight': numbers([4096, 1024]), 'linear2.weight': numbers([1024, 4096]) };
    layer.loadStateDict(weights);
    const live = fovea.memory().live - before;
    assert.ok(live < 1.001 * 4 * layer.parameters, `${live} bytes for ${layer.parameters} weights`);
    layer.dispose();
  });
});

test('weights that cannot be loaded leave no memory, and the module as it was', () => {
  using layer = new Linear(fovea, { inFeatures: 4, outFeatures: 3, seed: 1 });
  const before = layer.forward([[1, 2, 3, 4]]);
  fails('shape', /weight must be \[3, 4\], got \[4, 3\]/, () =>
    layer.loadStateDict({ weight: numbers([4, 3]), bias: [1, 2, 3] }),
  );
  same(layer.forward([[1, 2, 3, 4]]).data, before.data);
});

test('a scope that returns the module keeps its packed weights, another frees them', () => {
  leavesNothing(() => {
    const kept = fovea.scope(() => new Linear(fovea, { inFeatures: 2, outFeatures: 2, seed: 1 }));
    assert.equal(kept.forward([[1, 2]]).shape[1], 2);
    kept.dispose();
    fovea.scope(() => void new Linear(fovea, { inFeatures: 2, outFeatures: 2, seed: 1 }));
  });
});
