import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ops from 'fovea/ops';
import { toNested } from 'fovea';
import { fails, fovea, leavesNothing, near, same } from '../support/api.ts';

const k = [
  [1, 0],
  [0, 1],
];
const v = [
  [1, 2],
  [3, 4],
];
const bad =
  (x: unknown): (() => unknown) =>
  () =>
    fovea.attention(x as never, k, v);

test('typed arrays of every numeric type, number[] and nested arrays give the same bits', () => {
  const wanted = fovea.attention([[1, 2]], k, v).output.data;
  const types = [Float32Array, Float64Array, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Int32Array, Uint32Array];
  for (const Type of types) {
    same(leavesNothing(() => fovea.attention({ data: new Type([1, 2]), shape: [1, 2] }, k, v)).output.data, wanted);
  }
  same(fovea.attention({ data: [1, 2], shape: [1, 2] }, k, v).output.data, wanted);
});

test('{ data, dims } is an array of onnxruntime or transformers.js', () => {
  const wanted = fovea.attention([[1, 2]], k, v).output.data;
  class OrtTensor {
    readonly dims = [1, 2];
    readonly type: string;
    readonly #data: Float32Array | Uint16Array;
    constructor(type: string, data: Float32Array | Uint16Array) {
      this.type = type;
      this.#data = data;
    }
    get data(): Float32Array | Uint16Array {
      return this.#data;
    }
  }
  same(fovea.attention(new OrtTensor('float32', new Float32Array([1, 2])), k, v).output.data, wanted);
  same(fovea.attention(new OrtTensor('float16', new Uint16Array([0x3c00, 0x4000])), k, v).output.data, wanted);
  fails('value', /got 'uint8'$/, () => fovea.attention(new OrtTensor('uint8', new Uint16Array(2)), k, v));
});

test('a Uint16Array says what its numbers are', () => {
  const data = new Uint16Array([0x3c00, 0x4000]);
  const wanted = fovea.attention([[1, 2]], k, v).output.data;
  for (const dtype of ['float16', 'F16'] as const)
    same(fovea.attention({ data, shape: [1, 2], dtype }, k, v).output.data, wanted);
  for (const dtype of ['uint16', 'U16'] as const)
    assert.deepEqual([...fovea.tensor({ data, shape: [2], dtype }).data], [0x3c00, 0x4000]);
  assert.deepEqual([...fovea.tensor({ data: new Uint16Array([0x3f80]), shape: [1], dtype: 'bfloat16' }).data], [1]);
  fails(
    'value',
    /^attention: q\.data is a Uint16Array.*pass dtype: 'float16' or 'uint16' beside it, got undefined$/,
    bad({ data, shape: [1, 2] }),
  );
  near(
    fovea.attention([[0, 0]], k, v, { mask: { data: new Uint16Array([0, 0xfc00]), shape: [2], dtype: 'float16' } }).output,
    [1, 2],
  );
});

test('a list of equally long typed arrays is an array of rows', () => {
  const rows = [new Float32Array([1, 0]), new Float32Array([0, 1])];
  const wanted = fovea.attention(k, k, v);
  same(fovea.attention(rows, rows, v).output.data, wanted.output.data);
  same(fovea.attention([rows], [k], [v]).output.data, wanted.output.data);
  same(fovea.attention([new Float64Array([1, 0]), new Int8Array([0, 1])], k, v).output.data, wanted.output.data);
  near(fovea.attention([[0, 0]], k, v, { mask: [Uint8Array.of(1, 0)] }).output, [1, 2]);
  fails('shape', /ragged.*got 2 and 1 entries at depth 1/, bad([new Float32Array(2), new Float32Array(1)]));
  fails('shape', /ragged.*got arrays beside 1 at depth 1/, bad([new Float32Array(2), 1]));
  fails('value', /q must be a list of typed arrays of floats or small integers, got a Uint16Array/, bad([new Uint16Array(2)]));
});

test('tensor takes numbers with their shape beside them', () => {
  const x = fovea.tensor(new Float32Array([1, 2, 3, 4]), [2, 2]);
  assert.deepEqual(toNested(x), [
    [1, 2],
    [3, 4],
  ]);
  assert.deepEqual(fovea.tensor([1, 2], [1, 2]).shape, [1, 2]);
  fails('shape', /^tensor: x's data must fill its shape, got 2 numbers for \[3\]$/, () => fovea.tensor([1, 2], [3]));
});

test('lengths and ids may be 64-bit integers', () => {
  near(fovea.attention([[0, 0]], k, v, { keyLengths: BigInt64Array.of(1n) }).output, [1, 2]);
  fails('value', /keyLengths\[0\] must be an integer from 0 to 2, got 5/, () =>
    fovea.attention([[0, 0]], k, v, { keyLengths: BigInt64Array.of(5n) }),
  );
});

test('Float16Array is taken where the engine has it', { skip: !('Float16Array' in globalThis) }, () => {
  const Float16 = (globalThis as never)['Float16Array'] as new (values: number[]) => Float32Array;
  same(
    fovea.attention({ data: new Float16([1, 2]), shape: [1, 2] }, k, v).output.data,
    fovea.attention([[1, 2]], k, v).output.data,
  );
});

test('Float64 is rounded to float32', () => {
  const x = fovea.tensor({ data: new Float64Array([0.1, 2 ** 24 + 1]), shape: [2] });
  assert.deepEqual([...x.data], [Math.fround(0.1), 2 ** 24]);
  x.dispose();
});

test('a result is a fresh array that JavaScript owns', () => {
  const { output } = fovea.attention([[1, 0]], k, v);
  assert.equal(output.data.byteOffset, 0);
  assert.equal(output.data.buffer.byteLength, output.data.byteLength);
  assert.deepEqual(output.shape, [1, 2]);
});

test('inputs are not changed and may be one array for all three', () => {
  const x = { data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] };
  const apart = fovea.attention(x, { ...x, data: x.data.slice() }, { ...x, data: x.data.slice() });
  same(fovea.attention(x, x, x).output.data, apart.output.data);
  assert.deepEqual([...x.data], [1, 2, 3, 4]);
});

test('a view of a Tensor is read whole, even where the call grows the memory that it lies in', async () => {
  const { load } = await import('fovea');
  const own = await load({ deterministic: true });
  const rows = 100_000;
  const q = own.tensor({ data: new Float32Array(16 * rows).fill(0.5), shape: [rows, 16] });
  const before = own.memory().total;
  const { output } = own.attention({ data: q.data, shape: [rows, 16] }, [Array(16).fill(1)], [Array(64).fill(3)]);
  assert.ok(own.memory().total > before, 'the call has grown the memory');
  assert.ok(output.data.every((value) => value === 3));
});

test('nested arrays must not be ragged', () => {
  fails('shape', /^attention: q must not be ragged.*got 2 and 1 entries at depth 1$/, bad([[1, 2], [3]]));
  fails('shape', /ragged.*got arrays beside 3 at depth 1/, bad([[1, 2], 3]));
  fails('shape', /ragged.*depth 2/, bad([[1, [2]]]));
});

test('data must fill its shape', () =>
  fails(
    'shape',
    /^attention: q's data must fill its shape, got 3 numbers for \[2, 2\]$/,
    bad({ data: [1, 2, 3], shape: [2, 2] }),
  ));

test('a shape is an array of integers of at least 0', () => {
  for (const shape of [[-1, 2], [1.5, 2], ['1', 2], 4, null])
    fails('shape', /^attention: q\.shape must be an array of integers/, bad({ data: [1, 2], shape }));
});

test('BigInt arrays are refused, with the remedy', () => {
  fails(
    'value',
    /q\.data must hold numbers, got a BigInt64Array; convert its entries with Number\(\)/,
    bad({ data: new BigInt64Array(2), shape: [1, 2] }),
  );
  fails('value', /q must hold numbers only, got 1n/, bad([[1n, 2n]]));
});

test('a typed array without a shape is refused', () =>
  fails('shape', /got a Float32Array of length 2 without a shape/, bad(new Float32Array(2))));

test('what is not an array is refused', () => {
  for (const x of [undefined, null, 1, 'x', {}, { data: [1] }, new DataView(new ArrayBuffer(4))])
    fails('value', /q must be \{ data, shape \}, a nested array or a Tensor, got /, bad(x));
  fails('value', /q\.data must be a typed array or an array of numbers, got 'x'/, bad({ data: 'x', shape: [1] }));
  fails('value', /q must hold numbers only, got 'x'/, bad([['x', 1]]));
  fails('value', /q must hold numbers only, got undefined/, bad({ data: [1, undefined], shape: [1, 2] }));
  fails('value', /q must hold numbers only, got true/, bad([[true, false]]));
});

test('NaN and Infinity are numbers like others', () => near(ops.softmax(fovea, [[NaN, 1]]), [NaN, NaN]));

test('toNested gives nested arrays of any depth', () => {
  assert.deepEqual(toNested({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 1, 2] }), [[[1, 2]], [[3, 4]]]);
  assert.deepEqual(toNested({ data: new Float32Array(0), shape: [2, 0] }), [[], []]);
  assert.deepEqual(toNested({ data: new Float32Array(0), shape: [0, 2] }), []);
  assert.equal(toNested({ data: new Float32Array([7]), shape: [] }), 7);
  const x = fovea.tensor([[1, 2]]);
  assert.deepEqual(toNested(x), [[1, 2]]);
  x.dispose();
  fails('shape', /^toNested: /, () => toNested({ data: new Float32Array(3), shape: [2] }));
  fails('value', /^toNested: /, () => toNested([[1]] as never));
});
