import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, type NDArray } from 'fovea';
import * as ops from 'fovea/ops';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

function lines({ data, shape }: NDArray, axis: number): { line: number[]; places: number[] }[] {
  const inner = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
  const length = shape[axis]!;
  return Array.from({ length: data.length / length }, (_, at) => {
    const start = Math.floor(at / inner) * inner * length + (at % inner);
    const places = Array.from({ length }, (_, i) => start + i * inner);
    return { line: places.map((place) => data[place]!), places };
  });
}

test('softmax, logSoftmax and logSumExp along every axis', () => {
  const x = numbers([3, 4, 5]);
  for (const axis of [0, 1, 2, -1, -2, -3]) {
    const [y, logs, sums] = leavesNothing(
      () => [ops.softmax(fovea, x, { axis }), ops.logSoftmax(fovea, x, { axis }), ops.logSumExp(fovea, x, { axis })] as const,
    );
    assert.deepEqual([y.shape, logs.shape, sums.shape], [x.shape, x.shape, x.shape.filter((_, i) => i !== (axis + 3) % 3)]);
    lines(x, (axis + 3) % 3).forEach(({ line, places }, at) => {
      const total = line.reduce((sum, value) => sum + Math.exp(value), 0);
      assert.ok(Math.abs(sums.data[at]! - Math.log(total)) < 1e-6);
      line.forEach((value, i) => {
        assert.ok(Math.abs(y.data[places[i]!]! - Math.exp(value) / total) < 1e-6);
        assert.ok(Math.abs(logs.data[places[i]!]! - (value - Math.log(total))) < 1e-6);
      });
    });
  }
});

test('the axis is the last unless given', () =>
  same(ops.softmax(fovea, numbers([2, 3])).data, ops.softmax(fovea, numbers([2, 3]), { axis: 1 }).data));

test('-Infinity has weight 0; a line of nothing else is 0, and -Infinity in its logarithms', () => {
  const x = [
    [0, -Infinity],
    [-Infinity, -Infinity],
    [NaN, 0],
  ];
  near(ops.softmax(fovea, x), [
    [1, 0],
    [0, 0],
    [NaN, NaN],
  ]);
  near(ops.logSoftmax(fovea, x), [
    [0, -Infinity],
    [-Infinity, -Infinity],
    [NaN, NaN],
  ]);
  near(ops.logSumExp(fovea, x), [0, -Infinity, NaN]);
});

test('axes of length 0', () => {
  near(ops.logSumExp(fovea, { data: [], shape: [2, 0] }), [-Infinity, -Infinity]);
  assert.deepEqual(ops.softmax(fovea, { data: [], shape: [2, 0] }).shape, [2, 0]);
  assert.deepEqual(ops.logSumExp(fovea, { data: [], shape: [2, 0] }, { axis: 0 }).shape, [0]);
});

test('softmax refuses wrong axes and arrays', () => {
  fails('value', /^softmax: axis must be an integer from -2 to 1, got 2$/, () => ops.softmax(fovea, [[1]], { axis: 2 }));
  fails('value', /^logSumExp: axis must be an integer/, () => ops.logSumExp(fovea, [[1]], { axis: 0.5 }));
  fails('option', /^logSoftmax: unknown option 'axes'; did you mean 'axis'\?$/, () =>
    ops.logSoftmax(fovea, [[1]], { axes: 0 } as never),
  );
  fails('shape', /^softmax: x must have an axis/, () => ops.softmax(fovea, { data: [1], shape: [] }));
});

function product(a: NDArray, b: NDArray, M: number, K: number, N: number): number[] {
  return Array.from({ length: M * N }, (_, at) =>
    Array.from({ length: K }, (_, i) => a.data[Math.floor(at / N) * K + i]! * b.data[i * N + (at % N)]!).reduce(
      (sum, x) => sum + x,
      0,
    ),
  );
}

test('matmul of matrices and vectors', () => {
  const [a, b] = [numbers([3, 4], 1), numbers([4, 5], 2)];
  near(
    leavesNothing(() => ops.matmul(fovea, a, b)),
    product(a, b, 3, 4, 5),
    1e-6,
  );
  const [row, column] = [numbers([4], 3), numbers([4], 4)];
  assert.deepEqual(
    [ops.matmul(fovea, a, column).shape, ops.matmul(fovea, row, b).shape, ops.matmul(fovea, row, column).shape],
    [[3], [5], []],
  );
  near(ops.matmul(fovea, a, column), product(a, column, 3, 4, 1), 1e-6);
  near(ops.matmul(fovea, row, b), product(row, b, 1, 4, 5), 1e-6);
  near(ops.matmul(fovea, row, column), product(row, column, 1, 4, 1), 1e-6);
});

test("matmul broadcasts leading axes by NumPy's rule", () => {
  const cases: [number[], number[], number[]][] = [
    [
      [2, 3, 4],
      [4, 5],
      [2, 3, 5],
    ],
    [
      [3, 4],
      [2, 4, 5],
      [2, 3, 5],
    ],
    [
      [2, 1, 3, 4],
      [6, 4, 5],
      [2, 6, 3, 5],
    ],
    [
      [1, 3, 4],
      [2, 4, 5],
      [2, 3, 5],
    ],
    [[4], [2, 4, 5], [2, 5]],
    [[2, 3, 4], [4], [2, 3]],
    [
      [0, 3, 4],
      [4, 5],
      [0, 3, 5],
    ],
    [
      [2, 0, 4],
      [2, 4, 5],
      [2, 0, 5],
    ],
  ];
  for (const [left, right, shape] of cases) {
    const [a, b] = [numbers(left, 1), numbers(right, 2)];
    const got = leavesNothing(() => ops.matmul(fovea, a, b));
    assert.deepEqual(got.shape, shape);
    const [m, k, n] = [left.length > 1 ? left.at(-2)! : 1, 4, right.length > 1 ? right.at(-1)! : 1];
    const whole = shape.reduce((size, length) => size * length, 1) / (m * n || 1);
    const [leftBatch, rightBatch] = [left.slice(0, -2), right.slice(0, -2)];
    const batch =
      left.length > 1 && right.length > 1 ? shape.slice(0, -2) : leftBatch.length > rightBatch.length ? leftBatch : rightBatch;
    for (let at = 0; at < whole; at++) {
      const offset = (own: number[]): number => {
        let [rest, result, stride] = [at, 0, 1];
        for (let axis = 1; axis <= batch.length; axis++) {
          const index = rest % batch.at(-axis)!;
          rest = Math.floor(rest / batch.at(-axis)!);
          const length = own.at(-axis) ?? 1;
          if (length > 1) result += index * stride;
          stride *= length;
        }
        return result;
      };
      const slice = (x: NDArray, own: number[], size: number): NDArray => ({
        data: x.data.slice(offset(own) * size, (offset(own) + 1) * size),
        shape: [],
      });
      near(
        { data: got.data.slice(at * m * n, (at + 1) * m * n), shape: [m * n] },
        product(slice(a, leftBatch, m * k), slice(b, rightBatch, k * n), m, k, n),
        1e-6,
      );
    }
  }
});

test('a sum over nothing is 0', () => {
  near(ops.matmul(fovea, { data: [], shape: [2, 0] }, { data: [], shape: [0, 2] }), [
    [0, 0],
    [0, 0],
  ]);
  near(ops.linear(fovea, { data: [], shape: [2, 0] }, { data: [], shape: [2, 0] }, [1, 2]), [
    [1, 2],
    [1, 2],
  ]);
});

test('matmul refuses what does not fit', () => {
  fails('shape', /^matmul: the last axis of a must be as long as the last but one of b, got a \[1, 2\], b \[1, 2\]$/, () =>
    ops.matmul(fovea, [[1, 2]], [[1, 2]]),
  );
  fails('shape', /the leading axes of a and b must broadcast, got a \[2, 1, 1\], b \[3, 1, 1\]/, () =>
    ops.matmul(fovea, numbers([2, 1, 1]), numbers([3, 1, 1])),
  );
  fails('shape', /at least one axis/, () => ops.matmul(fovea, { data: [1], shape: [] }, [1]));
});

test("linear is PyTorch's: x·Wᵀ + b", () => {
  const [x, W, b] = [numbers([2, 3, 4], 1), numbers([5, 4], 2), numbers([5], 3)];
  const got = leavesNothing(() => ops.linear(fovea, x, W, b));
  assert.deepEqual(got.shape, [2, 3, 5]);
  near(
    got,
    Array.from(
      { length: 30 },
      (_, at) =>
        b.data[at % 5]! +
        [0, 1, 2, 3].reduce((sum, i) => sum + x.data[Math.floor(at / 5) * 4 + i]! * W.data[(at % 5) * 4 + i]!, 0),
    ),
    1e-6,
  );
  assert.deepEqual(ops.linear(fovea, numbers([4]), W).shape, [5]);
  assert.deepEqual(ops.linear(fovea, numbers([0, 4]), W).shape, [0, 5]);
});

test('linear refuses what does not fit', () => {
  fails('shape', /^linear: weight must be \[out, in\] with in = 3, the width of x, got weight \[5, 4\], x \[2, 3\]$/, () =>
    ops.linear(fovea, numbers([2, 3]), numbers([5, 4])),
  );
  fails('shape', /bias must be \[out\] = \[5\], got \[4\]/, () =>
    ops.linear(fovea, numbers([2, 4]), numbers([5, 4]), numbers([4])),
  );
  fails('shape', /weight must be \[out, in\], got \[4\]/, () => ops.linear(fovea, numbers([2, 4]), numbers([4])));
  fails('shape', /x must have at least one axis/, () => ops.linear(fovea, { data: [1], shape: [] }, [[1]]));
});

test('Tensors and their slices: Tensors out, with the bits of copies', () => {
  leavesNothing(() => {
    const whole = fovea.tensor(numbers([3, 4, 6]));
    for (const x of [whole, whole.slice(0, 1), whole.slice(1, 1, 3), whole.slice(2, 2, 6), whole.slice(1, 0, 1)]) {
      const W = numbers([x.shape[2]!, 2], 2);
      const turned = numbers([2, x.shape[2]!], 3);
      const results: [Tensor, NDArray][] = [
        [ops.softmax(fovea, x, { axis: 1 }), ops.softmax(fovea, x.toArray(), { axis: 1 })],
        [ops.logSumExp(fovea, x), ops.logSumExp(fovea, x.toArray())],
        [ops.matmul(fovea, x, W), ops.matmul(fovea, x.toArray(), W)],
        [ops.linear(fovea, x, turned), ops.linear(fovea, x.toArray(), turned)],
      ];
      for (const [got, want] of results) {
        assert.ok(got instanceof Tensor);
        assert.deepEqual(got.shape, want.shape);
        same(got.data, want.data);
        got.dispose();
      }
      assert.ok(!((ops.matmul(fovea, x.toArray(), W) as unknown) instanceof Tensor));
    }
    whole.dispose();
  });
});
