/** convolutionAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convolutionAttention } from 'fovea/mechanisms';
import { convolve, reference, type Image, type Kernel, type Wrong } from '../reference/convolution_attention.ts';
import { plus, random, times, type Matrix } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing, numbers } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(convolutionAttention);
const property = properties<Wrong>(run, reference);
const image = random([4, 5, 2], 1);
const kernel = (kh: number, kw: number, C: number, out: number, seed: number): Kernel =>
  Array.from({ length: kh }, (_, a) => random([kw, C, out], seed + a));
const W = kernel(3, 3, 2, 3, 2);
const b = random([3], 8);

test('convolutionAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { image }, { W, b }, {});
  assertAgree(run, reference(''), { image }, { W: kernel(1, 5, 2, 2, 20) }, { alpha: 0.75 });
});

agreesOnDrawnCalls(run, reference, ['no border', 'kernel turned', 'distance not squared', 'softmax over queries'], (draw) => {
  const [height, across, channels, out] = [draw.one(1, 2, 3, 4), draw.one(1, 2, 3, 5), draw.one(1, 2, 3), draw.one(1, 2, 5)];
  const [kh, kw] = [draw.one(1, 3), draw.one(1, 3, 5)];
  return {
    inputs: { image: draw.numbers([height, across, channels]) },
    params: { W: draw.numbers([kh, kw, channels, out]), ...(draw.maybe() && { b: draw.numbers([out]) }) },
    options: draw.maybe() ? { alpha: draw.one(0, 0.25, 1, 3) } : {},
  };
});

property('each row of weights sums to 1', 'softmax over queries', (attend) =>
  (attend({ image }, { W, b }, { alpha: 0.5 })['weights'] as Matrix[]).every(rowsSumToOne),
);

for (const wrong of ['no border', 'kernel turned'] as const)
  property('with a large alpha attention is the convolution', wrong, (attend) =>
    close(attend({ image }, { W, b }, {})['output'], convolve(image, W, b)),
  );

property(
  'a neighbor weighs exp(-alpha) of the place itself, a diagonal one exp(-2 alpha)',
  'distance not squared',
  (attend) => {
    const [row] = (attend({ image }, { W: kernel(1, 1, 2, 2, 9) }, { alpha: 0.5 })['weights'] as Matrix[])[0]!;
    return close(row![1]! / row![0]!, Math.exp(-0.5)) && close(row![6]! / row![0]!, Math.exp(-1));
  },
);

test('the error falls with alpha; at 0 all keys weigh the same', () => {
  const errors = [0.5, 1, 2, 4, 8].map((alpha) => {
    const { output, convolution } = run({ image }, { W, b }, { alpha }) as Record<string, Image>;
    const want = convolution!.flat(2);
    return Math.max(...output!.flat(2).map((x, n) => Math.abs(x - want[n]!)));
  });
  assert.ok(
    errors.every((error, n) => n === 0 || error < errors[n - 1]!),
    String(errors),
  );
  assert.ok(errors.at(-1)! < 1e-2);
  const flat = (run({ image }, { W, b }, { alpha: 0 })['weights'] as Matrix[]).flat(2);
  assert.ok(flat.every((weight) => close(weight, 1 / 42)));
});

test('a 1 × 1 kernel is a linear layer of each pixel', () => {
  const W = kernel(1, 1, 2, 3, 30);
  const want = image.map((row) => row.map((pixel) => plus(times(pixel, W[0]![0]!), b)));
  assert.ok(close(run({ image }, { W, b }, {})['output'], want));
});

test('the empty cases: no rows or columns; one pixel has 9 keys', () => {
  for (const shape of [
    [0, 5, 2],
    [4, 0, 2],
  ]) {
    const { output, convolution } = convolutionAttention(fovea, { image: numbers(shape) }, { W: W as never, b });
    assert.deepEqual([output.shape, convolution.shape], [[...shape.slice(0, 2), 3], [...shape.slice(0, 2), 3]]); // prettier-ignore
  }
  const one = run({ image: [[[1, 2]]] }, { W, b }, {});
  assert.deepEqual(
    (one['weights'] as Matrix[])[0]!.map((row) => row.length),
    [9],
  );
  assert.ok(close(one['output'], [[plus(times([1, 2], W[1]![1]!), b)]]));
});

test('a batch is its images one by one; nothing else is left', () => {
  const images = [image, random([4, 5, 2], 40)];
  const together = leavesNothing(() => run({ image: images }, { W, b }, { alpha: 1, trace: true }));
  images.forEach((image, n) => {
    for (const [name, one] of Object.entries(run({ image }, { W, b }, { alpha: 1 })))
      assert.deepEqual((together[name] as unknown[])[n], one, name);
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (params: object, options: object = {}) =>
    () =>
      convolutionAttention(fovea, { image }, params as never, options);
  fails('shape', /convolutionAttention: W must have odd kh and kw, got 2 and 3/, call({ W: kernel(2, 3, 2, 1, 1) }));
  fails('shape', /W must be \[kh, kw, C, C'\]/, call({ W: kernel(3, 3, 4, 1, 1) }));
  fails('shape', /b must be \[C'\] = \[3\], got \[2\]/, call({ W, b: [1, 2] }));
  fails('value', /missing W; unexpected weight$/, call({ weight: W }));
  fails('value', /alpha must be a finite number/, call({ W }, { alpha: NaN }));
});
