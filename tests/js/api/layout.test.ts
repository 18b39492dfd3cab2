import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { fails, fovea, leavesNothing, numbers, same } from '../support/api.ts';

/** [B, H, T, D] with the axes in another order. */
function permute({ data, shape }: NDArray, order: readonly number[]): NDArray {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1));
  const target = order.map((axis) => shape[axis]!);
  const result = new Float32Array(data.length);
  const index = target.map(() => 0);
  for (let i = 0; i < result.length; i++) {
    result[i] = data[order.reduce((sum, axis, place) => sum + strides[axis]! * index[place]!, 0)]!;
    for (let axis = index.length - 1; axis >= 0 && ++index[axis]! === target[axis]; axis--) index[axis] = 0;
  }
  return { data: result, shape: target };
}

const [B, H, Tq, Tk, D, Dv] = [2, 4, 5, 7, 3, 6];
const q = numbers([B, H, Tq, D], 1);
const k = numbers([B, H, Tk, D], 2);
const v = numbers([B, H, Tk, Dv], 3);
const wanted = fovea.attention(q, k, v, { returnWeights: true, returnLse: true });
const bthd = (x: NDArray): NDArray => permute(x, [0, 2, 1, 3]);
const packed = (x: NDArray): NDArray => {
  const { data, shape } = bthd(x);
  return { data, shape: [shape[0]!, shape[1]!, shape[2]! * shape[3]!] };
};

test("output has q's rank, weights and lse lose the axes that q lacks", () => {
  const all = { returnWeights: true, returnLse: true, returnLogits: 'raw' } as const;
  const shapes = (x: NDArray, y: NDArray, z: NDArray, more = {}): unknown => {
    const { output, weights, lse, logits } = leavesNothing(() => fovea.attention(x, y, z, { ...all, ...more }));
    return [output.shape, weights!.shape, lse!.shape, logits!.shape];
  };
  assert.deepEqual(shapes(numbers([5, 3]), numbers([7, 3]), numbers([7, 6])), [[5, 6], [5, 7], [5], [5, 7]]);
  assert.deepEqual(shapes(numbers([4, 5, 3]), numbers([2, 7, 3]), numbers([2, 7, 6])), [
    [4, 5, 6],
    [4, 5, 7],
    [4, 5],
    [4, 5, 7],
  ]);
  assert.deepEqual(shapes(q, k, v), [
    [2, 4, 5, 6],
    [2, 4, 5, 7],
    [2, 4, 5],
    [2, 4, 5, 7],
  ]);
  assert.deepEqual(shapes(bthd(q), bthd(k), bthd(v), { layout: 'bthd' }), [
    [2, 5, 4, 6],
    [2, 4, 5, 7],
    [2, 4, 5],
    [2, 4, 5, 7],
  ]);
  assert.deepEqual(shapes(numbers([2, 5, 3]), numbers([2, 7, 3]), numbers([2, 7, 6]), { layout: 'btd' }), [
    [2, 5, 6],
    [2, 5, 7],
    [2, 5],
    [2, 5, 7],
  ]);
  assert.deepEqual(shapes(packed(q), packed(k), packed(v), { heads: 4 }), [
    [2, 5, 24],
    [2, 4, 5, 7],
    [2, 4, 5],
    [2, 4, 5, 7],
  ]);
});

test("layout 'bthd' gives the bits of 'bhtd', in its own order", () => {
  const got = fovea.attention(bthd(q), bthd(k), bthd(v), { layout: 'bthd', returnWeights: true });
  same(got.output.data, bthd(wanted.output).data);
  same(got.weights?.data, wanted.weights?.data);
});

test('packed heads give the bits of heads on an axis of their own', () => {
  const got = fovea.attention(packed(q), packed(k), packed(v), { heads: H, returnLse: true });
  same(got.output.data, bthd(wanted.output).data);
  same(got.lse?.data, wanted.lse?.data);
});

test('kvHeads: query head h reads key head floor(h / group), packed or not', () => {
  const k2 = numbers([B, 2, Tk, D], 4);
  const v2 = numbers([B, 2, Tk, Dv], 5);
  const repeat = ({ data, shape }: NDArray): NDArray => {
    const size = shape[2]! * shape[3]!;
    const result = new Float32Array(2 * data.length);
    for (let head = 0; head < B * H; head++)
      result.set(data.subarray((head >> 1) * size, ((head >> 1) + 1) * size), head * size);
    return { data: result, shape: [B, H, shape[2]!, shape[3]!] };
  };
  const grouped = fovea.attention(q, k2, v2).output;
  same(grouped.data, fovea.attention(q, repeat(k2), repeat(v2)).output.data);
  same(fovea.attention(packed(q), packed(k2), packed(v2), { heads: H, kvHeads: 2 }).output.data, bthd(grouped).data);
});

test('batch sizes are equal or 1', () => {
  const one = (x: NDArray): NDArray => ({ data: x.data.slice(0, x.data.length / B), shape: [1, ...x.shape.slice(1)] });
  const { output } = fovea.attention(q, one(k), one(v));
  same(output.data.subarray(0, H * Tq * Dv), wanted.output.data.subarray(0, H * Tq * Dv));
  assert.deepEqual(fovea.attention(one(q), k, v).output.shape, [2, 4, 5, 6]);
  fails('shape', /batch sizes must be equal or 1, got q \[2, 4, 5, 3\], k \[3, 4, 7, 3\]/, () =>
    fovea.attention(q, numbers([3, 4, 7, 3]), v),
  );
  fails('shape', /q must have a batch axis/, () => fovea.attention(numbers([4, 5, 3]), k, v));
});

test('B, H, Tq or Dv = 0 gives an empty output', () => {
  const shape = (...x: number[][]): number[] => {
    const [a, b, c] = x.map((one) => numbers(one)) as [NDArray, NDArray, NDArray];
    const { output, weights, lse } = leavesNothing(() => fovea.attention(a, b, c, { returnWeights: true, returnLse: true }));
    assert.equal(output.data.length, 0);
    assert.equal(
      weights!.data.length,
      weights!.shape.reduce((product, length) => product * length, 1),
    );
    assert.equal(
      lse!.data.length,
      lse!.shape.reduce((product, length) => product * length, 1),
    );
    return output.shape;
  };
  assert.deepEqual(shape([0, 2, 3, 4], [0, 2, 5, 4], [0, 2, 5, 6]), [0, 2, 3, 6]);
  assert.deepEqual(shape([0, 2, 3, 4], [1, 2, 5, 4], [1, 2, 5, 6]), [0, 2, 3, 6]);
  assert.deepEqual(shape([1, 0, 3, 4], [1, 0, 5, 4], [1, 0, 5, 6]), [1, 0, 3, 6]);
  assert.deepEqual(shape([1, 0, 3, 4], [1, 2, 5, 4], [1, 2, 5, 6]), [1, 0, 3, 6]);
  assert.deepEqual(shape([0, 4], [5, 4], [5, 6]), [0, 6]);
  assert.deepEqual(shape([3, 4], [5, 4], [5, 0]), [3, 0]);
});

test('Dv = 0 still gives weights', () => {
  const options = { returnWeights: true };
  same(
    fovea.attention(numbers([3, 4], 1), numbers([5, 4], 2), numbers([5, 0]), options).weights?.data,
    fovea.attention(numbers([3, 4], 1), numbers([5, 4], 2), numbers([5, 6]), options).weights?.data,
  );
});

test('Tk = 0 gives zero rows and lse -Infinity', () => {
  const { output, weights, lse, logits } = leavesNothing(() =>
    fovea.attention(numbers([3, 4]), numbers([0, 4]), numbers([0, 2]), {
      returnWeights: true,
      returnLse: true,
      returnLogits: 'biased',
    }),
  );
  assert.deepEqual([...output.data], [0, 0, 0, 0, 0, 0]);
  assert.deepEqual([...lse!.data], [-Infinity, -Infinity, -Infinity]);
  assert.deepEqual(
    [weights!.shape, logits!.shape],
    [
      [3, 0],
      [3, 0],
    ],
  );
});

test('the rules of shapes, each with its message', () => {
  const call =
    (a: number[], b: number[], c: number[], options = {}) =>
    () =>
      fovea.attention(numbers(a), numbers(b), numbers(c), options);
  fails(
    'shape',
    /^attention: q and k must share their width, got q \[8, 128, 64\], k \[8, 128, 32\], v \[8, 128, 64\]; are k and v exchanged\?$/,
    call([8, 128, 64], [8, 128, 32], [8, 128, 64]),
  );
  fails(
    'shape',
    /^attention: the width of q and k must be at least 1, got q \[2, 0\], k \[3, 0\], v \[3, 1\]$/,
    call([2, 0], [3, 0], [3, 1]),
  );
  fails('shape', /k and v must have as many tokens/, call([2, 3], [4, 3], [5, 3]));
  fails('shape', /k and v must have as many heads/, call([4, 2, 3], [2, 4, 3], [4, 4, 3]));
  fails('shape', /the 3 heads of k and v must equal or divide the 4 of q/, call([4, 2, 3], [3, 4, 3], [3, 4, 3]));
  fails('shape', /the 2 heads of k and v must equal or divide the 1 of q/, call([2, 3], [2, 4, 3], [2, 4, 3]));
  fails('shape', /q must be \[T, D\], \[H, T, D\], \[B, H, T, D\], got \[3\]/, call([3], [4, 3], [4, 3]));
  fails('shape', /q must be .*got \[1, 1, 1, 1, 1\]/, call([1, 1, 1, 1, 1], [1, 1], [1, 1]));
  fails('shape', /with layout 'btd', got \[1, 2, 3, 4\]/, call([1, 2, 3, 4], [4, 4], [4, 4], { layout: 'btd' }));
  fails('shape', /with heads packed in the width, got \[1, 2, 3, 4\]/, call([1, 2, 3, 4], [4, 4], [4, 4], { heads: 2 }));
  fails('shape', /q's width must be a multiple of its 2 heads, got \[3, 5\]/, call([3, 5], [3, 5], [3, 5], { heads: 2 }));
  fails('shape', /kvHeads must divide heads, got heads 4, kvHeads 3/, call([3, 4], [3, 3], [3, 3], { heads: 4, kvHeads: 3 }));
});

test('options of the layout that contradict each other are refused', () => {
  const call = (options: object) => () => fovea.attention([[1]], [[1]], [[1]], options);
  fails('option', /kvHeads must go with heads/, call({ kvHeads: 1 }));
  fails('option', /heads are packed .* got heads with layout 'bthd'/, call({ heads: 1, layout: 'bthd' }));
  fails('option', /layout must be 'bhtd' or 'bthd' or 'btd', got 'btdh'; did you mean/, call({ layout: 'btdh' }));
  fails('value', /heads must be an integer from 1/, call({ heads: 0 }));
  fails('value', /heads must be an integer/, call({ heads: 1.5 }));
});
