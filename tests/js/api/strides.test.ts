/** `{ data, shape, stride, offset }`, as scijs' ndarray has its views: strides are honored, wherever an array is read. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { format, toNested, type ArrayInput } from 'fovea';
import { readNpy, writeNpy } from 'fovea/files';
import { connect } from 'fovea/worker';
import { fails, fovea, leavesNothing, same } from '../support/api.ts';
import { rejects } from '../support/remote.ts';

const remote = await connect();
after(() => remote.terminate());

/** A view of a class with getters, which structured cloning would lose. */
class View {
  readonly data: Float32Array | Float64Array | Uint8Array;
  readonly offset: number;
  readonly #shape: readonly number[];
  readonly #stride: readonly number[];

  constructor(data: View['data'], shape: readonly number[], stride: readonly number[], offset: number) {
    this.data = data;
    this.offset = offset;
    this.#shape = shape;
    this.#stride = stride;
  }

  get shape(): readonly number[] {
    return this.#shape;
  }

  get stride(): readonly number[] {
    return this.#stride;
  }
}

const base = Float32Array.from({ length: 12 }, (_, n) => n);
/** Views of the numbers 0 … 11, and what they show. */
const views: readonly [name: string, shape: number[], stride: number[], offset: number, shown: unknown][] = [
  ['transposed', [4, 3], [1, 4], 0, [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]],
  ['a part of the rows', [2, 2], [4, 1], 5, [[5, 6], [9, 10]]],
  ['every second, from the end', [3], [-2], 11, [11, 9, 7]],
  ['rows upside down', [3, 4], [-4, 1], 8, [[8, 9, 10, 11], [4, 5, 6, 7], [0, 1, 2, 3]]],
  ['one row, repeated', [2, 3], [0, 1], 4, [[4, 5, 6], [4, 5, 6]]],
  ['one number, repeated', [2, 2], [0, 0], 7, [[7, 7], [7, 7]]],
  ['a number', [], [], 3, 3],
  ['nothing', [0, 5], [100, -100], 50, []],
  ['row-major at an offset', [2, 3], [3, 1], 6, [[6, 7, 8], [9, 10, 11]]],
  ['three axes', [2, 3, 2], [1, 4, 2], 0, [[[0, 2], [4, 6], [8, 10]], [[1, 3], [5, 7], [9, 11]]]],
]; // prettier-ignore

for (const [name, shape, stride, offset, shown] of views) {
  test(`${name}: what the strides walk`, () => {
    for (const data of [base, Float64Array.from(base), Uint8Array.from(base), [...base]]) {
      const x = fovea.tensor({ data, shape, stride, offset });
      assert.deepEqual(toNested(x), shown);
      x.dispose();
      assert.deepEqual(toNested({ data, shape, strides: stride, offset } as never), shown, 'strides');
    }
    assert.deepEqual(toNested(new View(base, shape, stride, offset) as never), shown, 'a class with getters');
    assert.deepEqual(toNested({ data: base, shape, stride: Int32Array.from(stride), offset } as never), shown);
  });
}

test('attention on views has the bits of attention on their numbers, in a worker too', async () => {
  const numbers = Float32Array.from({ length: 60 }, (_, n) => Math.sin(n));
  const view = new View(numbers, [5, 4], [1, 12], 3);
  const rows = Array.from({ length: 5 }, (_, i) => Array.from({ length: 4 }, (_, j) => numbers[3 + i + 12 * j]!));
  const wanted = fovea.attention(rows, rows, rows).output.data;
  const input = view as unknown as ArrayInput;
  same(leavesNothing(() => fovea.attention(input, input, input)).output.data, wanted);
  same((await remote.attention(input, input, input)).output.data, wanted);
  const literal = { data: numbers, shape: [5, 4], stride: [1, 12], offset: 3 };
  same((await remote.attention(literal, literal, literal)).output.data, wanted);
});

test('masks, ids, halves, files and texts read the same', async () => {
  const q = [
    [0, 0],
    [0, 0],
  ];
  const v = [[1], [3]];
  const mask = { data: Uint8Array.of(1, 1, 0, 1), shape: [2, 2], stride: [1, 2], offset: 0 };
  assert.deepEqual(toNested(fovea.attention(q, q, v, { mask }).output), [[1], [2]]);
  const halves = { data: Uint16Array.of(0x3c00, 0x4000), shape: [2], stride: [-1], offset: 1, dtype: 'float16' } as const;
  assert.deepEqual([...fovea.tensor(halves).data], [2, 1]);
  const turned = { data: base, shape: [2, 3], stride: [1, 2], offset: 0, dtype: 'float32' };
  assert.deepEqual((await readNpy(writeNpy(turned as never))).data, Float32Array.of(0, 2, 4, 1, 3, 5));
  const large = { data: BigInt64Array.of(1n, 2n, 3n), shape: [2], stride: [-2], offset: 2 };
  assert.deepEqual((await readNpy(writeNpy(large as never), { as: 'stored' })).data, BigInt64Array.of(3n, 1n));
  assert.equal(format({ data: base, shape: [2, 2], stride: [1, 2], offset: 0 }), '[[0, 2],\n [1, 3]]');
});

test('strides that leave the data are refused', async () => {
  const refused = (shape: unknown, stride: unknown, offset: unknown, message: RegExp) => {
    fails('shape', message, () => fovea.tensor({ data: base, shape, stride, offset } as never));
    fails('shape', message, () => fovea.tensor({ data: [...base], shape, stride, offset } as never));
  };
  refused(
    [4, 3],
    [1, 4],
    1,
    /^tensor: x's strides must stay within its 12 numbers, got strides \[1, 4\] and offset 1 for \[4, 3\], which reach from 1 to 12$/,
  );
  refused([2], [-1], 0, /reach from -1 to 0$/);
  refused([2], [2 ** 52], 0, /reach from 0 to 4503599627370496$/);
  refused([], [], -1, /reach from -1 to -1$/);
  refused([2, 2], [1], 0, /^tensor: x\.stride must have one entry per axis of \[2, 2\], got \[1\]$/);
  refused([2], [0.5], 0, /^tensor: x\.stride must be an array of integers, got \[0\.5\]$/);
  refused([2], '1', 0, /^tensor: x\.stride must be an array of integers, got '1'$/);
  refused([2], [1], 0.5, /^tensor: x\.offset must be an integer, got 0\.5$/);
  refused([2], undefined, 11, /reach from 11 to 12$/);
  const far = { data: base, shape: [4, 3], stride: [1, 4], offset: 1 };
  await rejects('shape', /^attention: q's strides must stay within its 12 numbers/, remote.attention(far, [[1]], [[1]]));
});

test('an out target must be row-major: results would not be where its strides say', async () => {
  const x = [
    [1, 2],
    [3, 4],
  ];
  const target = (stride: number[], offset: number) => ({ data: new Float32Array(4), shape: [2, 2], stride, offset });
  const message = /^attention: out\.output must be row-major from its first number on, got strides \[1, 2\] and offset 0$/;
  fails('shape', message, () => fovea.attention(x, x, x, { out: { output: target([1, 2], 0) } }));
  await rejects('shape', message, remote.attention(x, x, x, { out: { output: target([1, 2], 0) } }));
  const out = target([2, 1], 0);
  fovea.attention(x, x, x, { out: { output: out } });
  same(out.data, fovea.attention(x, x, x).output.data);
  const remotely = target([2, 1], 0);
  await remote.attention(x, x, x, { out: { output: remotely } });
  same(remotely.data, out.data);
});
