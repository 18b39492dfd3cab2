/** fovea/ops: shapes, options, memory and errors of every function. What is computed is tested by truth and in C++. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, type ArrayInput, type NDArray } from 'fovea';
import { CausalDecoderLayer, Linear } from 'fovea/nn';
import * as ops from 'fovea/ops';
import fc from 'fast-check';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

/** Every function of one array, with the shape that it gives [3, 4, 6]. */
const functions: [name: string, run: <X extends ArrayInput>(x: X) => NDArray | Tensor, shape: number[]][] = [
  ['relu', (x) => ops.relu(fovea, x), [3, 4, 6]],
  ['gelu', (x) => ops.gelu(fovea, x), [3, 4, 6]],
  ['silu', (x) => ops.silu(fovea, x), [3, 4, 6]],
  ['quickGelu', (x) => ops.quickGelu(fovea, x), [3, 4, 6]],
  ['elu', (x) => ops.elu(fovea, x), [3, 4, 6]],
  ['leakyRelu', (x) => ops.leakyRelu(fovea, x), [3, 4, 6]],
  ['tanh', (x) => ops.tanh(fovea, x), [3, 4, 6]],
  ['sigmoid', (x) => ops.sigmoid(fovea, x), [3, 4, 6]],
  ['glu', (x) => ops.glu(fovea, x), [3, 4, 3]],
  ['geglu', (x) => ops.geglu(fovea, x, { axis: 1 }), [3, 2, 6]],
  ['swiglu', (x) => ops.swiglu(fovea, x), [3, 4, 3]],
  ['reglu', (x) => ops.reglu(fovea, x, { axis: -2 }), [3, 2, 6]],
  ['layerNorm', (x) => ops.layerNorm(fovea, x), [3, 4, 6]],
  ['layerNorm, axis 1', (x) => ops.layerNorm(fovea, x, { axis: 1, weight: [1, 2, 3, 4], bias: [4, 3, 2, 1] }), [3, 4, 6]],
  ['rmsNorm', (x) => ops.rmsNorm(fovea, x), [3, 4, 6]],
  ['maxPool', (x) => ops.maxPool(fovea, x), [3, 6]],
  ['meanPool', (x) => ops.meanPool(fovea, x, { axis: 0 }), [4, 6]],
  ['meanPool, windows', (x) => ops.meanPool(fovea, x, { kernel: 3, stride: 1, padding: 1 }), [3, 4, 6]],
  ['conv1d', (x) => ops.conv1d(fovea, x, numbers([2, 4, 3], 5)), [3, 2, 4]],
  ['conv1d, btd', (x) => ops.conv1d(fovea, x, numbers([2, 6, 3], 5), { layout: 'btd', padding: 'same' }), [3, 4, 2]],
  ['linear', (x) => ops.linear(fovea, x, numbers([5, 6], 4), numbers([5], 3), { activation: 'gelu' }), [3, 4, 5]],
  ['add', (x) => ops.add(fovea, x, numbers([4, 6], 7)), [3, 4, 6]],
];

for (const [name, run, shape] of functions) {
  test(`${name}: plain in, plain out; of Tensors and their slices Tensors, in the bits of copies`, () => {
    const x = numbers([3, 4, 6]);
    const plain = leavesNothing(() => run(x));
    assert.deepEqual(plain.shape, shape);
    assert.ok(!(plain instanceof Tensor));
    leavesNothing(() => {
      // Slices along each axis of larger arrays: rows apart, and axes apart.
      const whole = [
        fovea.tensor(x),
        fovea.tensor(numbers([5, 4, 6])),
        fovea.tensor(numbers([3, 7, 6])),
        fovea.tensor(numbers([3, 4, 9])),
      ];
      const slices = [whole[0]!, whole[1]!.slice(0, 2), whole[2]!.slice(1, 1, 5), whole[3]!.slice(2, 3)];
      for (const slice of slices) {
        const got = run(slice);
        assert.ok(got instanceof Tensor);
        assert.deepEqual(got.shape, shape);
        same(got.data, (run(slice.toArray()) as NDArray).data);
        got.dispose();
      }
      for (const one of whole) one.dispose();
    });
  });

  test(`${name}: what is not an array, or no instance, is refused`, () => {
    fails('value', /must be \{ data, shape \}, a nested array or a Tensor/, () => run('x' as never));
    const gone = fovea.tensor(numbers([3, 4, 6]));
    gone.dispose();
    fails('disposed', /has been disposed/, () => run(gone));
  });
}

test('no tokens and no batch give empty results', () => {
  for (const [name, run, shape] of functions) {
    if (name === 'meanPool') continue; // over the axis that is empty
    const none = run({ data: [], shape: [0, 4, 6] });
    assert.deepEqual(none.shape, [0, ...shape.slice(1)], name);
  }
  assert.deepEqual(ops.layerNorm(fovea, { data: [], shape: [2, 0] }).shape, [2, 0]);
  assert.deepEqual(ops.glu(fovea, { data: [], shape: [2, 0] }).shape, [2, 0]);
  assert.deepEqual(ops.conv1d(fovea, { data: [], shape: [2, 0] }, numbers([3, 2, 1]), { padding: 1 }).shape, [3, 2]);
});

test('a residual is added before the norm', () => {
  const [x, residual] = [numbers([3, 5], 1), numbers([3, 5], 2)];
  for (const norm of [ops.layerNorm, ops.rmsNorm])
    same(norm(fovea, x, { residual }).data, norm(fovea, ops.add(fovea, x, residual)).data);
});

test('a linear layer that ends in an activation has the bits of both in turn', () => {
  const [x, W, b] = [numbers([2, 7, 9], 1), numbers([5, 9], 2), numbers([5], 3)];
  const plain = ops.linear(fovea, x, W, b);
  same(ops.linear(fovea, x, W, b).data, plain.data);
  same(ops.linear(fovea, x, W, b, { activation: 'silu' }).data, ops.silu(fovea, plain).data);
  same(ops.linear(fovea, x, W, b, { activation: 'elu' }).data, ops.elu(fovea, plain).data);
  same(ops.linear(fovea, x, W, b, { activation: 'leakyRelu' }).data, ops.leakyRelu(fovea, plain).data);
  same(ops.linear(fovea, numbers([0, 9]), W, undefined, { activation: 'relu' }).data, new Float32Array(0));
  assert.deepEqual(ops.linear(fovea, numbers([9]), W, b, { activation: 'tanh' }).shape, [5]);
});

test('a convolution is the same in both layouts, and a causal one sees no later token', () => {
  const shapes = fc.record({
    tokens: fc.integer({ min: 1, max: 9 }),
    inner: fc.integer({ min: 1, max: 5 }),
    outer: fc.integer({ min: 1, max: 5 }),
    kernel: fc.integer({ min: 1, max: 4 }),
    dilation: fc.integer({ min: 1, max: 3 }),
  });
  const turned = ({ data, shape: [rows, columns] }: NDArray): NDArray => ({
    data: data.map((_, at) => data[(at % rows!) * columns! + Math.floor(at / rows!)]!),
    shape: [columns!, rows!],
  });
  fc.assert(
    fc.property(shapes, ({ tokens, inner, outer, kernel, dilation }) => {
      const [x, weight] = [numbers([inner, tokens], 1), numbers([outer, inner, kernel], 2)];
      const options = { padding: 'causal', dilation } as const;
      const y = ops.conv1d(fovea, x, weight, options);
      assert.deepEqual(y.shape, [outer, tokens]);
      near(turned(ops.conv1d(fovea, turned(x), weight, { ...options, layout: 'btd' })), [...y.data], 1e-5);
      const changed = { ...x, data: x.data.map((value, at) => (at % tokens === tokens - 1 ? 1e6 : value)) };
      const later = ops.conv1d(fovea, changed, weight, options);
      y.data.forEach((value, at) => at % tokens < tokens - 1 && assert.equal(later.data[at], value));
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('means with and without padding', () => {
  const x = [[2], [4]];
  near(ops.meanPool(fovea, x, { kernel: 2, stride: 1, padding: 1 }), [1, 3, 2]);
  near(ops.meanPool(fovea, x, { kernel: 2, stride: 1, padding: 1, countPadding: false }), [2, 3, 4]);
  near(ops.maxPool(fovea, [[-2], [-4]], { kernel: 2, stride: 1, padding: [1, 0] }), [-2, -2]);
  near(ops.maxPool(fovea, [1, 3, 2]), [3]);
});

test('wrong options are refused by name and value', () => {
  const x = numbers([4, 6]);
  fails('option', /^layerNorm: unknown option 'epsilon'/, () => ops.layerNorm(fovea, x, { epsilon: 1 } as never));
  fails('option', /^rmsNorm: unknown option 'bias'/, () => ops.rmsNorm(fovea, x, { bias: [1] } as never));
  fails('value', /^layerNorm: eps must be at least 0, got -1$/, () => ops.layerNorm(fovea, x, { eps: -1 }));
  fails('value', /^layerNorm: eps must be a finite number/, () => ops.layerNorm(fovea, x, { eps: NaN }));
  fails('value', /^layerNorm: axis must be an integer from -2 to 1, got 2$/, () => ops.layerNorm(fovea, x, { axis: 2 }));
  fails('shape', /^layerNorm: weight must be \[n\], n being the length of axis -1 = \[6\], got \[4\]$/, () =>
    ops.layerNorm(fovea, x, { weight: numbers([4]) }),
  );
  fails('shape', /^rmsNorm: residual must be x's shape = \[4, 6\], got \[6\]$/, () =>
    ops.rmsNorm(fovea, x, { residual: numbers([6]) }),
  );
  fails('shape', /^rmsNorm: x must have an axis/, () => ops.rmsNorm(fovea, { data: [1], shape: [] }));
  fails('option', /^gelu: unknown option 'kind'; use geluTanh for the approximation by tanh$/, () =>
    ops.gelu(fovea, [1], { kind: 'tanh' } as object),
  );
  fails('option', /^gelu: unknown option 'approximate'; use geluTanh for the approximation by tanh$/, () =>
    ops.gelu(fovea, [1], { approximate: 'tanh' } as object),
  );
  fails('value', /^silu: beta must be greater than 0, got 0$/, () => ops.silu(fovea, x, { beta: 0 }));
  fails('value', /^elu: alpha must be a finite number/, () => ops.elu(fovea, x, { alpha: Infinity }));
  fails('option', /^leakyRelu: unknown option 'alpha'/, () => ops.leakyRelu(fovea, x, { alpha: 1 } as never));
  fails('shape', /^glu: axis 0 must have an even length, got 3 in x \[3, 2\]$/, () =>
    ops.glu(fovea, numbers([3, 2]), { axis: 0 }),
  );
  fails('option', /^linear: activation must be 'relu' or/, () =>
    ops.linear(fovea, x, numbers([5, 6]), undefined, { activation: 'none' as never }),
  );
  fails('shape', /^linear: weight must be \[out, in\], in being the width of x, got weight \[5, 4\], x \[4, 6\]$/, () =>
    ops.linear(fovea, x, numbers([5, 4]), undefined, { activation: 'relu' }),
  );
  fails('shape', /^linear: bias must be \[out\] = \[5\], got \[4\]$/, () =>
    ops.linear(fovea, x, numbers([5, 6]), numbers([4]), { activation: 'relu' }),
  );
});

test('wrong windows are refused', () => {
  const x = numbers([4, 6]);
  fails('option', /^maxPool: stride goes with kernel, got 2 alone$/, () => ops.maxPool(fovea, x, { stride: 2 }));
  fails('value', /^maxPool: kernel must be an integer from 1 to/, () => ops.maxPool(fovea, x, { kernel: 0 }));
  fails('value', /^meanPool: padding must be an integer from 0 to 1, got 2$/, () =>
    ops.meanPool(fovea, x, { kernel: 2, padding: [2, 0] }),
  );
  fails('value', /^meanPool: padding must be a number or \[before, after\], got 'same'$/, () =>
    ops.meanPool(fovea, x, { kernel: 2, padding: 'same' as never }),
  );
  fails('value', /^meanPool: countPadding must be true or false, got 1$/, () =>
    ops.meanPool(fovea, x, { kernel: 2, countPadding: 1 as never }),
  );
  fails('shape', /^maxPool: the kernel must fit into the padded tokens, got one that reaches over 5 of 4$/, () =>
    ops.maxPool(fovea, x, { kernel: 5 }),
  );
  fails('shape', /^maxPool: axis -2 must have at least one entry, got x \[0, 6\]$/, () =>
    ops.maxPool(fovea, { data: [], shape: [0, 6] }),
  );
  const weight = numbers([2, 4, 3]);
  fails('shape', /^conv1d: x must be \[Ci, T\] or \[B, Ci, T\], got x \[4\], weight \[2, 4, 3\]$/, () =>
    ops.conv1d(fovea, numbers([4]), weight),
  );
  fails('shape', /^conv1d: weight must be \[Co, Ci \/ groups, K\], none of them 0/, () =>
    ops.conv1d(fovea, x, numbers([2, 4])),
  );
  fails('shape', /^conv1d: groups must divide Co, and weight's second axis must be Ci \/ groups/, () =>
    ops.conv1d(fovea, x, weight, { groups: 2 }),
  );
  fails('shape', /^conv1d: the kernel must fit into the padded tokens, got one that reaches over 9 of 6$/, () =>
    ops.conv1d(fovea, x, weight, { dilation: 4 }),
  );
  fails('option', /^conv1d: padding 'same' needs a stride of 1, got 2$/, () =>
    ops.conv1d(fovea, x, weight, { padding: 'same', stride: 2 }),
  );
  fails('option', /^conv1d: padding must be 'causal' or 'same', got 'valid'$/, () =>
    ops.conv1d(fovea, x, weight, { padding: 'valid' as never }),
  );
  fails('value', /^conv1d: \(K - 1\)·dilation must be an integer from 0 to 1073741824, got 2096103424$/, () =>
    ops.conv1d(fovea, x, numbers([1, 4, 2000]), { dilation: 2 ** 20, padding: 'causal' }),
  );
  fails('option', /^conv1d: layout must be 'bct' or 'btd'/, () => ops.conv1d(fovea, x, weight, { layout: 'bhtd' as never }));
  fails('shape', /^conv1d: bias must be \[Co\] = \[2\], got \[3\]$/, () =>
    ops.conv1d(fovea, x, weight, { bias: numbers([3]) }),
  );
});

test('without an instance', () => {
  fails('value', /^relu: fovea must be what load\(\) returned, on this thread, got an object$/, () =>
    ops.relu({} as never, [1]),
  );
  fails('value', /^softmax: fovea must be/, () => ops.softmax(undefined as never, [1]));
});

test('quickGelu is x·sigmoid(1.702·x), by itself and as an activation of linear and of layers', () => {
  const x = numbers([5, 6], 1);
  const got = ops.quickGelu(fovea, x);
  got.data.forEach((y, i) => {
    const wanted = x.data[i]! / (1 + Math.exp(-1.702 * x.data[i]!));
    assert.ok(Math.abs(y - wanted) <= 10 * 2 ** -23 * Math.abs(wanted), `${y}, wanted ${wanted}`);
  });
  same(got.data, ops.silu(fovea, x, { beta: 1.702 }).data);
  const W = numbers([4, 6], 2);
  const activated = ops.quickGelu(fovea, ops.linear(fovea, x, W)).data;
  same(ops.linear(fovea, x, W, undefined, { activation: 'quickGelu' }).data, activated);
  using layer = new Linear(fovea, { inFeatures: 6, outFeatures: 4, bias: false, activation: 'quickGelu' });
  layer.loadStateDict({ weight: W });
  same(layer.forward(x).data, activated);
  const sizes = { dModel: 6, nHead: 2, dimFeedforward: 9, seed: 1 } as const;
  using quick = new CausalDecoderLayer(fovea, { ...sizes, activation: 'quickGelu' });
  using exact = new CausalDecoderLayer(fovea, { ...sizes, activation: 'gelu' });
  const difference = exact.forward(x).data.map((y, i) => Math.abs(y - quick.forward(x).data[i]!));
  const largest = Math.max(...difference);
  // The two functions are at most 0.021 apart.
  assert.ok(largest > 1e-4 && largest < 0.1, `${largest}`);
});
