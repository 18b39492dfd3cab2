/** fovea/ops: arithmetic on two arrays, embedding and argmax against their definitions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, toNested, type NDArray } from 'fovea';
import { add, argmax, divide, embedding, maximum, minimum, multiply, subtract } from 'fovea/ops';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

const kinds = [
  { name: 'add', run: add, of: (a: number, b: number) => a + b },
  { name: 'subtract', run: subtract, of: (a: number, b: number) => a - b },
  { name: 'multiply', run: multiply, of: (a: number, b: number) => a * b },
  { name: 'divide', run: divide, of: (a: number, b: number) => a / b },
  { name: 'minimum', run: minimum, of: Math.min },
  { name: 'maximum', run: maximum, of: Math.max },
] as const;

/** Shapes of a and b, and of their result. */
const shapes: [number[], number[], number[]][] = [
  [[], [], []],
  [[7], [], [7]],
  [[1], [5], [5]],
  [
    [3, 5],
    [3, 5],
    [3, 5],
  ],
  [
    [3, 1],
    [1, 5],
    [3, 5],
  ],
  [[4], [3, 4], [3, 4]],
  [
    [2, 1, 3, 1],
    [5, 1, 65],
    [2, 5, 3, 65],
  ],
  [
    [2, 3, 4],
    [2, 1, 4],
    [2, 3, 4],
  ],
  [
    [67, 131],
    [67, 1],
    [67, 131],
  ],
  [
    [0, 3],
    [1, 3],
    [0, 3],
  ],
  [
    [2, 1],
    [2, 0],
    [2, 0],
  ],
];

/** The element of an array that element `at` of the broadcast result stands over. */
function broadcastElement({ data, shape }: NDArray, result: readonly number[], at: number): number {
  let [rest, offset, stride] = [at, 0, 1];
  for (let axis = result.length - 1; axis >= 0; axis--) {
    const index = rest % result[axis]!;
    rest = Math.floor(rest / result[axis]!);
    const length = shape[axis - result.length + shape.length] ?? 1;
    offset += length === 1 ? 0 : index * stride;
    stride *= length;
  }
  return data[offset]!;
}

for (const { name, run, of } of kinds) {
  test(`${name} broadcasts by NumPy's rule`, () => {
    for (const [aShape, bShape, shape] of shapes) {
      const [a, b] = [numbers(aShape, 3), numbers(bShape, 5)];
      const got = leavesNothing(() => run(fovea, a, b));
      assert.deepEqual(got.shape, shape);
      const size = shape.reduce((product, length) => product * length, 1);
      const want = Float32Array.from({ length: size }, (_, at) =>
        of(broadcastElement(a, shape, at), broadcastElement(b, shape, at)),
      );
      same(got.data, want);
    }
  });

  test(`${name}: a Tensor in a gives a Tensor, slices and other Tensors beside it give the same bits`, () => {
    const [a, b] = [fovea.tensor(numbers([3, 7], 1)), fovea.tensor(numbers([3, 9], 2))];
    const [left, right] = [a.slice(1, 2, 5), b.slice(1, 8)];
    const got = run(fovea, left, right);
    assert.ok(got instanceof Tensor);
    same(got.data, run(fovea, left.toArray(), right.toArray()).data);
    assert.ok(!(run(fovea, left.toArray(), right) instanceof Tensor));
    for (const one of [a, b, got]) one.dispose();
  });

  test(`${name}: shapes that do not broadcast are an error`, () => {
    fails('shape', new RegExp(`^${name}: a and b must broadcast, got a \\[4, 6\\], b \\[4\\]$`), () =>
      run(fovea, numbers([4, 6]), numbers([4])),
    );
    fails('value', new RegExp(`^${name}: b must be`), () => run(fovea, [1], 'x' as never));
  });
}

test('add scales the sum', () => {
  near(add(fovea, [1, 2], [3], { scale: 0.5 }), [2, 2.5]);
  fails('value', /^add: scale must be a finite number/, () => add(fovea, [1], [1], { scale: NaN }));
  fails('option', /^add: unknown option 'alpha'/, () => add(fovea, [1], [1], { alpha: 2 } as never));
});

test('a number stands for an array of its own', () => {
  near(divide(fovea, [[2, 4], [6, 8]], 2), [1, 2, 3, 4]); // prettier-ignore
  near(add(fovea, fovea.tensor([1, 2]), 0.5), [1.5, 2.5]);
  assert.deepEqual([...maximum(fovea, [-1, NaN, 3], 0).data], [0, NaN, 3]);
  assert.deepEqual([...minimum(fovea, [1, 2], NaN).data], [NaN, NaN]);
  assert.deepEqual([...divide(fovea, [1, 0, -1], 0).data], [Infinity, NaN, -Infinity]);
});

test('a result larger than memory is a memory error', () =>
  fails('memory', /^multiply: /, () => multiply(fovea, numbers([2 ** 17, 1]), numbers([2 ** 17]))));

test('embedding gives the rows that the ids name, whatever holds the ids', () => {
  const table = numbers([5, 3], 2);
  const row = (id: number): number[] => [...table.data.subarray(3 * id, 3 * id + 3)];
  const want = [...row(4), ...row(0), ...row(0), ...row(2)];
  const ids = [4, 0, 0, 2];
  for (const one of [
    ids,
    Int32Array.from(ids),
    BigInt64Array.from(ids.map(BigInt)),
    Uint8Array.from(ids),
    Uint16Array.from(ids),
  ]) {
    const got = leavesNothing(() => embedding(fovea, one, table));
    assert.deepEqual(got.shape, [4, 3]);
    near(got, want, 0);
    near(embedding(fovea, { data: one, shape: [2, 2] }, table), want, 0);
  }
  const nested = embedding(fovea, [[4, 0], [0, 2]], table); // prettier-ignore
  assert.deepEqual(nested.shape, [2, 2, 3]);
  near(nested, want, 0);
  assert.deepEqual(embedding(fovea, { data: ids, dims: [4, 1] }, table).shape, [4, 1, 3]);
  assert.deepEqual(embedding(fovea, { data: [3], shape: [] }, table).shape, [3]);
  assert.deepEqual(embedding(fovea, [], table).shape, [0, 3]);
  assert.deepEqual(embedding(fovea, new Int32Array(0), { data: [], shape: [0, 3] }).shape, [0, 3]);
});

test('embedding: a Tensor where the table is one, a slice too', () => {
  const whole = fovea.tensor(numbers([4, 5]));
  const table = whole.slice(1, 1, 4);
  const got = embedding(fovea, [3, 1], table);
  assert.ok(got instanceof Tensor);
  same(got.data, embedding(fovea, [3, 1], table.toArray()).data);
  got.dispose();
  whole.dispose();
});

test('embedding: ids outside of the table and what is no integer are value errors', () => {
  const table = numbers([3, 2]);
  fails('value', /^embedding: ids\[1\] must be an integer from 0 to 2, got 3$/, () => embedding(fovea, [0, 3], table));
  fails('value', /ids\[0\] must be an integer from 0 to 2, got -1/, () => embedding(fovea, BigInt64Array.of(-1n), table));
  fails('value', /ids\[0\] must be an integer from 0 to 2, got 0.5/, () => embedding(fovea, [0.5], table));
  fails('value', /ids\[0\] must be an integer from 0 to -1, got 0/, () => embedding(fovea, [0], { data: [], shape: [0, 2] }));
  fails('shape', /^embedding: table must be \[rows, width\], got \[3\]$/, () => embedding(fovea, [0], [1, 2, 3]));
  fails('value', /^embedding: ids must be/, () => embedding(fovea, 'x' as never, table));
});

test('argmax is the lowest index of the largest number, or the first NaN', () => {
  const x = [
    [1, 3, 3],
    [NaN, 7, NaN],
    [-Infinity, -Infinity, -Infinity],
    [-0, 0, -1],
  ];
  const got = leavesNothing(() => argmax(fovea, x));
  assert.ok(got.data instanceof Int32Array);
  assert.deepEqual(got, { data: Int32Array.of(1, 0, 0, 0), shape: [4] });
  assert.deepEqual(argmax(fovea, x, { axis: 0 }), { data: Int32Array.of(1, 1, 1), shape: [3] });
});

test('argmax along every axis is that of the definition, of slices too', () => {
  const whole = fovea.tensor(numbers([3, 67, 9], 4));
  const slice = whole.slice(2, 1, 6);
  const plain = slice.toArray();
  const nested = toNested(plain) as number[][][];
  for (const axis of [0, 1, 2, -1]) {
    const { data, shape } = argmax(fovea, plain, { axis });
    const place = axis < 0 ? 2 : axis;
    assert.deepEqual(
      shape,
      [3, 67, 5].filter((_, at) => at !== place),
    );
    assert.deepEqual(argmax(fovea, slice, { axis }), { data, shape });
    data.forEach((best, at) => {
      const [first, second] = [Math.floor(at / shape[1]!), at % shape[1]!];
      const line = Array.from({ length: [3, 67, 5][place]! }, (_, l) => {
        const index = [first, second];
        index.splice(place, 0, l);
        return nested[index[0]!]![index[1]!]![index[2]!]!;
      });
      assert.equal(best, line.indexOf(Math.max(...line)));
    });
  }
  whole.dispose();
});

test('argmax: an empty axis is an error where there is a result, and embedding takes its result', () => {
  fails('shape', /^argmax: axis -1 must have at least one entry, got x \[2, 0\]$/, () =>
    argmax(fovea, { data: [], shape: [2, 0] }),
  );
  assert.deepEqual(argmax(fovea, { data: [], shape: [0, 0] }), { data: new Int32Array(0), shape: [0] });
  fails('value', /^argmax: axis must be an integer from -1 to 0, got 1$/, () => argmax(fovea, [1, 2], { axis: 1 }));
  fails('shape', /^argmax: x must have an axis/, () => argmax(fovea, { data: [1], shape: [] }));
  near(embedding(fovea, argmax(fovea, [[0, 2], [3, 1]]), [[5], [6]]), [6, 5]); // prettier-ignore
});
