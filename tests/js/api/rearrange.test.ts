/** fovea/ops: concat, transpose, gather, scatterAdd, patches and frames against their definitions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, toNested, type NDArray } from 'fovea';
import { concat, frames, gather, patches, scatterAdd, transpose } from 'fovea/ops';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

/** The element at `index`. */
function at({ data, shape }: NDArray, index: readonly number[]): number {
  return data[index.reduce((place, i, axis) => place * shape[axis]! + i, 0)]!;
}

/** Every index of a shape, in row-major order. */
function* indices(shape: readonly number[]): Generator<number[]> {
  const size = shape.reduce((product, length) => product * length, 1);
  for (let place = 0; place < size; place++) {
    let rest = place;
    const index = shape.map(() => 0);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] = rest % shape[axis]!;
      rest = Math.floor(rest / shape[axis]!);
    }
    yield index;
  }
}

/** The array whose elements are `of` their index. */
function made(shape: readonly number[], of: (index: readonly number[]) => number): Float32Array {
  return Float32Array.from([...indices(shape)].map((index) => of(index)));
}

function permutations(list: readonly number[]): number[][] {
  return list.length === 0
    ? [[]]
    : list.flatMap((one) => permutations(list.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

test('transpose gives every order of the axes, of Tensors and their slices too', () => {
  for (const shape of [[3], [5, 65], [2, 3, 17], [2, 1, 3, 5], [0, 3], [130, 67]]) {
    const x = numbers(shape, 3);
    for (const order of permutations(shape.map((_, axis) => axis))) {
      const got = leavesNothing(() => transpose(fovea, x, order));
      assert.deepEqual(
        got.shape,
        order.map((axis) => shape[axis]),
      );
      const index = order.map(() => 0);
      same(
        got.data,
        made(got.shape, (place) => (order.forEach((axis, n) => (index[axis] = place[n]!)), at(x, index))),
      );
    }
  }
  const whole = fovea.tensor(numbers([4, 7, 9]));
  const slice = whole.slice(2, 1, 6).slice(0, 1, 3);
  const got = transpose(fovea, slice, [1, -1, 0]);
  assert.ok(got instanceof Tensor);
  same(got.data, transpose(fovea, slice.toArray(), [1, 2, 0]).data);
  got.dispose();
  whole.dispose();
});

test('transpose exchanges the last two axes unless told, and refuses what is no order of the axes', () => {
  assert.deepEqual(toNested(transpose(fovea, [[[1, 2, 3], [4, 5, 6]]])), [[[1, 4], [2, 5], [3, 6]]]); // prettier-ignore
  fails('shape', /^transpose: x must have at least two axes, or axes be given, got 1$/, () => transpose(fovea, [1, 2]));
  fails('value', /^transpose: axes must list the 2 axes of x, got \[0\]$/, () => transpose(fovea, [[1]], [0]));
  fails('value', /^transpose: axes must name each axis of x once, got 1 twice$/, () => transpose(fovea, [[1]], [1, -1]));
  fails('value', /^transpose: axes\[1\] must be an integer from -2 to 1, got 2$/, () => transpose(fovea, [[1]], [0, 2]));
});

test('concat puts arrays one after another along any axis', () => {
  for (const axis of [0, 1, 2, -1]) {
    const place = axis < 0 ? 2 : axis;
    const shapes = [1, 0, 4].map((length) => [2, 3, 5].map((own, other) => (other === place ? length : own)));
    const arrays = shapes.map((shape, n) => numbers(shape, n + 1)) as [NDArray, ...NDArray[]];
    const got = leavesNothing(() => concat(fovea, arrays, { axis }));
    assert.equal(got.shape[place], 5);
    const want = made(got.shape, (index) => {
      const n = index[place]! < 1 ? 0 : 2;
      return at(
        arrays[n]!,
        index.map((i, other) => (other === place && n === 2 ? i - 1 : i)),
      );
    });
    same(got.data, want);
    const tensors = arrays.map((one) => fovea.tensor(one)) as [Tensor, ...Tensor[]];
    const joined = concat(fovea, tensors, { axis });
    assert.ok(joined instanceof Tensor);
    same(joined.data, want);
    for (const one of [...tensors, joined]) one.dispose();
  }
  fails('value', /^concat: arrays must be a list of at least one array, got \[\]$/, () => concat(fovea, [] as never));
  fails('shape', /^concat: arrays\[1\] must have the shape of arrays\[0\], \[1, 2\], but along axis 0, got \[1, 3\]$/, () =>
    concat(fovea, [[[1, 2]], [[1, 2, 3]]], { axis: 0 }),
  );
});

test('gather takes entries of any axis, and scatterAdd gives them back summed', () => {
  const x = numbers([4, 3, 5], 2);
  for (const [axis, list, shape] of [
    [0, [3, 0, 3], [3]],
    [1, [2, 2, 0, 1], [2, 2]],
    [2, [], [0]],
    [-1, [4], []],
  ] as const) {
    const place = axis < 0 ? 2 : axis;
    const got = leavesNothing(() => gather(fovea, x, { data: [...list], shape: [...shape] }, { axis }));
    const wanted = [...x.shape.slice(0, place), ...shape, ...x.shape.slice(place + 1)];
    assert.deepEqual(got.shape, wanted);
    const want = made(wanted, (index) => {
      const inner = index.slice(place, place + shape.length);
      const n = inner.reduce((sum, i, other) => sum * shape[other]! + i, 0);
      return at(x, [...index.slice(0, place), list[n]!, ...index.slice(place + shape.length)]);
    });
    same(got.data, want);
  }
  const rows = [2, 0, 2, 3];
  const sums = scatterAdd(fovea, x, rows, { length: 5 });
  const want = new Float32Array(5 * 15);
  rows.forEach((row, i) => {
    for (let e = 0; e < 15; e++) want[row * 15 + e]! += x.data[i * 15 + e]!;
  });
  assert.deepEqual(sums.shape, [5, 3, 5]);
  same(sums.data, want);
  near(scatterAdd(fovea, [[1, 2, 4]], [1, 1, 0], { axis: 1, length: 2 }), [4, 3]);
  assert.deepEqual(scatterAdd(fovea, { data: [], shape: [0, 2] }, [], { length: 2 }), {
    data: new Float32Array(4),
    shape: [2, 2],
  });
  fails('value', /^gather: indices\[1\] must be an integer from 0 to 1, got 2$/, () => gather(fovea, [1, 2], [0, 2]));
  fails('option', /^scatterAdd: the option length must be given/, () => scatterAdd(fovea, [1], [0], {} as never));
  fails('shape', /^scatterAdd: indices must be \[n\], n = 2 being the length of axis 0, got \[1\]$/, () =>
    scatterAdd(fovea, [1, 2], [0], { length: 1 }),
  );
});

test('patches of an image go row by row, and a patch by row, column, channel', () => {
  const image = numbers([2, 4, 6, 3], 1);
  for (const size of [1, 2]) {
    const got = leavesNothing(() => patches(fovea, image, { size }));
    assert.deepEqual(got.shape, [2, (4 / size) * (6 / size), size * size * 3]);
    const want = made(got.shape, ([b, n, e]) => {
      const [row, column] = [Math.floor(n! / (6 / size)), n! % (6 / size)];
      const [down, across, channel] = [Math.floor(e! / (3 * size)), Math.floor(e! / 3) % size, e! % 3];
      return at(image, [b!, row * size + down, column * size + across, channel]);
    });
    same(got.data, want);
  }
  fails('shape', /^patches: size must divide the image's height and width, got 3 and 4 × 6$/, () =>
    patches(fovea, image, { size: 3 }),
  );
  fails('shape', /^patches: image must be \[\.\.\., height, width, channels\], got \[2, 2\]$/, () =>
    patches(
      fovea,
      [
        [1, 2],
        [3, 4],
      ],
      { size: 1 },
    ),
  );
});

test('frames overlap, end with the last whole one, and are multiplied by a window', () => {
  const signal = numbers([2, 23], 4);
  for (const [length, shift, count] of [
    [5, 2, 10],
    [5, undefined, 4],
    [23, 1, 1],
    [24, 1, 0],
    [1, 30, 1],
  ] as const) {
    const options = shift === undefined ? { length } : { length, shift };
    const got = leavesNothing(() => frames(fovea, signal, options));
    assert.deepEqual(got.shape, [2, count, length]);
    same(
      got.data,
      made(got.shape, ([b, n, e]) => at(signal, [b!, n! * (shift ?? length) + e!])),
    );
  }
  const tensor = fovea.tensor(signal);
  const window = [0.5, 1, 0.25];
  const got = frames(fovea, tensor, { length: 3, shift: 1, window });
  assert.ok(got instanceof Tensor);
  same(
    got.data,
    made([2, 21, 3], ([b, n, e]) => Math.fround(at(signal, [b!, n! + e!]) * window[e!]!)),
  );
  for (const one of [tensor, got]) one.dispose();
  fails('shape', /^frames: window must be \[length\] = \[3\], got \[2\]$/, () =>
    frames(fovea, [1, 2, 3], { length: 3, window: [1, 2] }),
  );
  fails('value', /^frames: length must be an integer from 1/, () => frames(fovea, [1, 2, 3], { length: 0 }));
});
