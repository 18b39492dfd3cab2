/** imageSelfAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { imageSelfAttention } from 'fovea/mechanisms';
import { random, times, type Matrix } from '../reference/equations/rows.ts';
import { reference, type Image, type Wrong } from '../reference/image_self_attention.ts';
import { fails, fovea, leavesNothing, numbers } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(imageSelfAttention);
const property = properties<Wrong>(run, reference);
const [height, width, C] = [4, 6, 2];
const image = random([height, width, C], 1);
const square = (D: number, seed: number) => ({
  Wq: random([D, D], seed),
  Wk: random([D, D], seed + 1),
  Wv: random([D, D], seed + 2),
});
const identity = (D: number): Matrix =>
  Array.from({ length: D }, (_, i) => Array.from({ length: D }, (_, j) => Number(i === j)));

test('imageSelfAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { image }, { ...square(C, 2), Wo: random([C, 3], 5) }, { heads: 2 });
  assertAgree(run, reference(''), { image }, square(8, 6), { patch: 2, heads: 4, residual: true, scale: 1 });
  const vit = { E: random([8, 5], 9), positions: random([6, 5], 10), ...square(5, 11), Wo: random([5, 8], 14), gamma: 0.5 };
  assertAgree(run, reference(''), { image }, vit, { patch: 2 });
});

agreesOnDrawnCalls(
  run,
  reference,
  ['softmax over queries', 'patches by columns', 'channel first in a patch', 'gamma left out'],
  (draw) => {
    const [down, across, patch, channels] = [draw.one(1, 2, 3), draw.one(1, 2, 4), draw.one(1, 2, 3), draw.one(1, 2, 3, 5)];
    const [heads, keyWidth, valueWidth] = [draw.one(1, 2, 3), draw.one(1, 3, 5), draw.one(1, 2, 4)];
    const pixels = patch * patch * channels;
    const [embeds, projects, residual] = [draw.maybe(), draw.maybe(), draw.maybe()];
    const width = embeds ? draw.width() : pixels;
    // Tokens go back to pixels: a whole number of channels each. A residual adds the tokens themselves.
    const outWidth = patch * patch * draw.one(1, 2, 3);
    const residualFits = residual && width % (patch * patch) === 0;
    const needsWo = projects || residualFits || (heads * valueWidth) % (patch * patch) !== 0;
    return {
      inputs: { image: draw.numbers([down * patch, across * patch, channels]) },
      params: {
        ...(embeds && { E: draw.numbers([pixels, width]) }),
        ...(draw.maybe() && { positions: draw.numbers([down * across, width]) }),
        ...{ Wq: draw.numbers([width, heads * keyWidth]), Wk: draw.numbers([width, heads * keyWidth]) },
        Wv: draw.numbers([width, heads * valueWidth]),
        ...(needsWo && { Wo: draw.numbers([heads * valueWidth, residualFits ? width : outWidth]) }),
        ...(draw.maybe() && { gamma: 0.375 }),
      },
      options: { patch, heads, residual: residualFits, ...(draw.maybe() && { scale: draw.one(0.25, 1) }) },
    };
  },
);

property('each row of weights sums to 1', 'softmax over queries', (attend) =>
  (attend({ image }, square(8, 20), { patch: 2, heads: 2 })['weights'] as Matrix[]).every(rowsSumToOne),
);

property('patches follow each other row by row', 'patches by columns', (attend) => {
  const { tokens } = attend({ image }, square(8, 20), { patch: 2 }) as { tokens: Matrix };
  return close(tokens[1], [image[0]![2]!, image[0]![3]!, image[1]![2]!, image[1]![3]!].flat(), 0);
});

property('the channels of a pixel lie side by side', 'channel first in a patch', (attend) => {
  const { tokens } = attend({ image }, square(8, 20), { patch: 2 }) as { tokens: Matrix };
  return close(tokens[0]!.slice(0, C), image[0]![0], 0);
});

property('with gamma 0 and residual the image comes back, its patches in their places', 'gamma left out', (attend) =>
  close(attend({ image }, { ...square(8, 20), gamma: 0 }, { patch: 2, residual: true })['output'], image, 0),
);

test('pixels as tokens are plain attention; a permutation of the patches permutes the output', () => {
  const params = square(C, 30);
  const X = image.flat();
  const { output } = fovea.selfAttention(X, params);
  assert.ok(close(run({ image }, params, {})['outputTokens'], toNested(output), 0));
  const turned = [...image].reverse();
  assert.ok(
    close(run({ image: turned }, params, {})['output'], [...(run({ image }, params, {})['output'] as Image)].reverse()),
  );
});

test('the empty cases: no rows or columns, one pixel', () => {
  for (const shape of [
    [0, 6, 2],
    [4, 0, 2],
  ])
    assert.deepEqual(imageSelfAttention(fovea, { image: numbers(shape) }, square(8, 1), { patch: 2 }).output.shape, [
      ...shape.slice(0, 2),
      2,
    ]);
  const { Wv, ...rest } = square(2, 3);
  const one = run({ image: [[[0.5, -1]]] }, { ...rest, Wv, Wo: identity(2) }, {});
  assert.deepEqual(one['weights'], [[[1]]]);
  assert.ok(close(one['output'], [[times([0.5, -1], Wv)]]));
});

test('a batch is its images one by one; nothing else is left', () => {
  const images = [image, random([height, width, C], 40)];
  const params = square(8, 41);
  const together = leavesNothing(() => run({ image: images }, params, { patch: 2, trace: true }));
  images.forEach((image, b) => {
    for (const [name, one] of Object.entries(run({ image }, params, { patch: 2 })))
      assert.deepEqual((together[name] as unknown[])[b], one, name);
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (params: object, options: object = {}) =>
    () =>
      imageSelfAttention(fovea, { image }, params as never, options);
  fails('shape', /size must divide the image's height and width, got 4/, call(square(32, 1), { patch: 4 }));
  fails('shape', /imageSelfAttention: Wq must have s²·C = 8 rows, got 2/, call(square(2, 1), { patch: 2 }));
  fails('shape', /positions must be \[N, D\] = \[24, 2\], got 5 rows/, call({ ...square(2, 1), positions: random([5, 2], 1) }));
  fails(
    'shape',
    /residual needs an output as wide as the tokens, 2, got 3/,
    call({ ...square(2, 1), Wo: random([2, 3], 1) }, { residual: true }),
  );
  fails(
    'shape',
    /the width of Wo must be s²·C' with s² = 4, got 3/,
    call({ ...square(8, 1), Wo: random([8, 3], 1) }, { patch: 2 }),
  );
  fails('value', /missing Wk, Wv; unexpected W$/, call({ Wq: random([2, 2], 1), W: [[1]] }));
  fails('value', /patch must be an integer from 1/, call(square(2, 1), { patch: 0 }));
});
