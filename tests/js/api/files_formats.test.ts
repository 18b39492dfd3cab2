/** fovea/files: files that others wrote, round trips of every type, and the bytes that are written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readNpy, readSafetensors, writeNpy, writeSafetensors, type FileTensor, type NumberDtype } from 'fovea/files';
import { fails, fovea } from '../support/api.ts';
import { rawNpy, rawSafetensors, refuses } from '../support/files.ts';
import { root } from '../support/repository.ts';

interface Expected {
  readonly dtype: NumberDtype;
  readonly shape: number[];
  readonly values: string[];
}

const folder = join(root, 'tests/golden/files');
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Record<string, Expected>>;
const big = (dtype: string): boolean => dtype === 'I64' || dtype === 'U64';
const parse = (text: string): number => Number(text.replace('inf', 'Infinity').replace('nan', 'NaN'));

const arrays: Record<NumberDtype, string> = {
  F64: 'Float64Array',
  F32: 'Float32Array',
  F16: 'Float32Array',
  BF16: 'Float32Array',
  I64: 'Float64Array',
  U64: 'Float64Array',
  I32: 'Int32Array',
  U32: 'Uint32Array',
  I16: 'Int16Array',
  U16: 'Uint16Array',
  I8: 'Int8Array',
  U8: 'Uint8Array',
  BOOL: 'Uint8Array',
};

function check(got: FileTensor | FileTensor<'stored'>, { dtype, shape, values }: Expected): void {
  assert.equal(got.dtype, dtype);
  assert.deepEqual(got.shape, shape);
  const numbers = [...(got.data as Iterable<number | bigint>)];
  assert.equal(numbers.length, values.length);
  values.forEach((text, i) => assert.ok(big(dtype) ? String(numbers[i]) === text : Object.is(numbers[i], parse(text)), text));
}

describe('files that others wrote', () => {
  for (const [name, tensors] of Object.entries(expected)) {
    const isNpy = name.endsWith('.npy');
    const { __metadata__: metadata, ...wanted } = tensors;
    test(name, async () => {
      const path = join(folder, name);
      if (isNpy) {
        const as = big(wanted['']!.dtype) ? 'stored' : 'float32';
        const got = await readNpy(path, { as });
        check(got, wanted['']!);
        if (as === 'float32') assert.equal(got.data.constructor.name, arrays[got.dtype as NumberDtype]);
        return;
      }
      const { tensors: header, metadata: texts } = await readSafetensors(path, { as: 'stored' });
      assert.deepEqual([...header.keys()], Object.keys(wanted));
      assert.deepEqual(Object.fromEntries(texts), metadata ?? {});
      const names = Object.keys(wanted).filter((key) => !big(wanted[key]!.dtype));
      const { tensors: decoded } = await readSafetensors(path, { names });
      assert.deepEqual([...decoded.keys()], names);
      for (const key of names) {
        check(decoded.get(key)!, wanted[key]!);
        assert.equal(decoded.get(key)!.data.constructor.name, arrays[wanted[key]!.dtype]);
      }
      for (const key of Object.keys(wanted).filter((key) => !names.includes(key))) check(header.get(key)!, wanted[key]!);
    });
  }

  test('every one that is row-major and little-endian is written again to the same arrays', async () => {
    for (const name of Object.keys(expected)) {
      const path = join(folder, name);
      if (name.endsWith('.npy')) {
        const got = await readNpy(path, { as: 'stored' });
        assert.deepEqual(await readNpy(writeNpy(got), { as: 'stored' }), got, name);
        if (/^(le_|one|scalar|empty)/.test(name)) assert.deepEqual(Buffer.from(writeNpy(got)), readFileSync(path), name);
      } else {
        const got = await readSafetensors(path, { as: 'stored' });
        const again = await readSafetensors(writeSafetensors(got.tensors, { metadata: got.metadata }), { as: 'stored' });
        assert.deepEqual(new Map([...again.tensors].sort()), new Map([...got.tensors].sort()), name);
        assert.deepEqual(again.metadata, got.metadata);
      }
    }
  });
});

const samples = {
  Float32Array: [0, -0, 1.5, NaN, Infinity, 1e-45],
  Float64Array: [0, -0, 1 / 3, NaN, -Infinity, 5e-324],
  Int8Array: [-128, 127, 0],
  Uint8Array: [0, 255, 7],
  Int16Array: [-32768, 32767],
  Uint16Array: [65535, 1],
  Int32Array: [-(2 ** 31), 2 ** 31 - 1],
  Uint32Array: [2 ** 32 - 1, 0],
} as const;
const shapes = [[], [1], [3], [5, 63], [65, 1, 2], [0], [2, 0, 3], [1, 1, 1, 1]];

describe('round trips', () => {
  for (const [kind, some] of Object.entries(samples)) {
    test(`${kind} of every shape`, async () => {
      const Type = Float32Array;
      const Constructor = (globalThis as unknown as Record<string, typeof Type>)[kind]!;
      for (const shape of shapes) {
        const data = Constructor.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => some[i % some.length]!);
        const { dtype, ...rest } = await readNpy(writeNpy({ data, shape }));
        assert.deepEqual(rest, { data, shape });
        const { tensors } = await readSafetensors(writeSafetensors({ a: { data, shape }, b: { data, shape } }));
        assert.deepEqual(tensors.get('a'), { data, shape, dtype });
        assert.deepEqual(tensors.get('b'), { data, shape, dtype });
      }
    });
  }

  test('BigInt arrays, booleans, nested numbers, Tensors, Uint8ClampedArray and shared memory', async () => {
    const shared = new Float32Array(new SharedArrayBuffer(8));
    shared.set([1, 2]);
    const tensor = fovea.tensor([[1, 2]]);
    const file = writeSafetensors({
      i: { data: BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n), shape: [2] },
      u: { data: BigUint64Array.of(2n ** 64n - 1n), shape: [] },
      mask: [[true, false]],
      nested: [[1], [0.1]],
      tensor,
      clamped: { data: Uint8ClampedArray.of(3), shape: [1] },
      shared: { data: shared, shape: [2] },
    });
    tensor.dispose();
    const { tensors } = await readSafetensors(file, { as: 'stored' });
    const got = Object.fromEntries([...tensors].map(([name, { data, dtype }]) => [name, [dtype, data]]));
    assert.deepEqual(got, {
      i: ['I64', BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n)],
      u: ['U64', BigUint64Array.of(2n ** 64n - 1n)],
      mask: ['BOOL', Uint8Array.of(1, 0)],
      nested: ['F32', Float32Array.of(1, 0.1)],
      tensor: ['F32', Float32Array.of(1, 2)],
      clamped: ['U8', Uint8Array.of(3)],
      shared: ['F32', Float32Array.of(1, 2)],
    });
    fails('disposed', /dispose/, () => writeNpy(tensor));
  });

  test('I64 becomes numbers where they are exact, and goes back', async () => {
    const most = 2n ** 53n - 1n;
    const file = writeNpy({ data: BigInt64Array.of(most, -most, 0n), shape: [3] });
    const got = await readNpy(file);
    assert.deepEqual(got, { data: Float64Array.of(Number(most), -Number(most), 0), shape: [3], dtype: 'I64' });
    assert.deepEqual(writeNpy(got), file);
    assert.deepEqual(writeNpy(got, { dtype: 'F16' }), file);
    for (const beyond of [most + 1n, -most - 1n, 2n ** 63n - 1n])
      await refuses(
        'value',
        /readNpy: .* has -?\d+, .*as: 'stored'/,
        readNpy(writeNpy({ data: BigInt64Array.of(beyond), shape: [1] })),
      );
  });

  test('the option dtype is for floats, those that came out of files too', async () => {
    const floats = { x: [0.1, 65504], n: { data: Int8Array.of(3), shape: [1] } };
    const bf16 = await readSafetensors(writeSafetensors(floats, { dtype: 'BF16' }));
    assert.deepEqual(bf16.tensors.get('n')!.data, Int8Array.of(3));
    assert.deepEqual(bf16.tensors.get('x')!.data, Float32Array.of(0.10009765625, 65536));
    const stored = await readSafetensors(writeSafetensors(floats, { dtype: 'BF16' }), { as: 'stored' });
    for (const { tensors } of [bf16, stored as unknown as typeof bf16]) {
      const f32 = (await readSafetensors(writeSafetensors(tensors, { dtype: 'F32' }))).tensors.get('x')!;
      assert.deepEqual(f32, { data: Float32Array.of(0.10009765625, 65536), shape: [2], dtype: 'F32' });
    }
    const f64 = await readNpy(writeNpy([0.1], { dtype: 'F64' }));
    assert.deepEqual(f64, { data: Float64Array.of(0.1), shape: [1], dtype: 'F64' });
  });

  test('what is read is taken by attention', async () => {
    const x = await readNpy(writeNpy([[1, 2]], { dtype: 'F16' }));
    assert.deepEqual(fovea.attention(x, x, x).output.shape, [1, 2]);
    const mask = await readNpy(writeNpy([[true]]));
    assert.deepEqual(
      [...fovea.attention(x, x, x, { mask: { data: mask.data as Uint8Array, shape: mask.shape } }).output.data],
      [1, 2],
    );
  });
});

describe('the bytes that are written', () => {
  test('a safetensors file: the header padded to 8 bytes with spaces, wide types first, offsets without holes', () => {
    const file = writeSafetensors({ b: { data: Uint8Array.of(9), shape: [] }, a: [1, -2] }, { metadata: { k: 'v"' } });
    const header =
      '{"__metadata__":{"k":"v\\""},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[],"data_offsets":[8,9]}}';
    const padded = header.padEnd(Math.ceil(header.length / 8) * 8);
    assert.deepEqual(file, rawSafetensors(padded, [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 9]));
    assert.deepEqual(writeSafetensors({}), rawSafetensors('{}      '));
  });

  test('an npy file: version 1.0, its data at a multiple of 64', () => {
    const file = writeNpy({ data: Int16Array.of(1, -1), shape: [2, 1] });
    const header = `${"{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }".padEnd(117)}\n`;
    assert.deepEqual(file, rawNpy(header, [1, 0, 255, 255]));
    assert.equal(writeNpy({ data: new Int8Array(1), shape: new Array<number>(60).fill(1) }).length % 64, 1);
  });

  test('names may be anything, __proto__ too', async () => {
    const names = ['__proto__', 'constructor', 'a b', '', '世界 😀 "\\\n', '1', '0'];
    const file = writeSafetensors(new Map(names.map((name, i) => [name, [i]])), { metadata: new Map([['__proto__', 'x']]) });
    const { tensors, metadata } = await readSafetensors(file);
    assert.deepEqual(
      [...tensors].map(([name, { data }]) => [name, ...data]),
      names.map((name, i) => [name, i]),
    );
    assert.deepEqual([...metadata], [['__proto__', 'x']]);
    assert.equal(({} as { dtype?: string }).dtype, undefined);
  });
});

describe('what cannot be written', () => {
  const wrong = (code: string, message: RegExp, tensor: unknown, options?: object): void =>
    fails(code, message, () => writeSafetensors({ w: tensor as never }, options));

  test('is an error that names the tensor', () => {
    wrong('shape', /^writeSafetensors: tensor 'w'.* got 2 numbers for \[3\]/, { data: [1, 2], shape: [3] });
    wrong('shape', /got 1 numbers for \[3\]/, { data: BigInt64Array.of(1n), shape: [3] });
    wrong('shape', /shape must be an array of integers/, { data: BigInt64Array.of(1n), shape: [1.5] });
    wrong('shape', /must not be ragged/, [[1], [1, 2]]);
    wrong('value', /tensor 'w' must be/, undefined);
    wrong('value', /tensor 'w' must be/, 'text');
    wrong('value', /dtype that can be written, got 'F4'/, { data: [1], shape: [1], dtype: 'F4' });
    wrong('value', /dtype that can be written, got 'constructor'/, { data: [1], shape: [1], dtype: 'constructor' });
    wrong('value', /has 128 at 1, which I8 does not hold/, { data: [0, 128], shape: [2], dtype: 'I8' });
    wrong('value', /has 0.5 at 0/, { data: [0.5], shape: [1], dtype: 'I64' });
    wrong('value', /has NaN at 0/, { data: [NaN], shape: [1], dtype: 'U8' });
    wrong('value', /has 9007199254740992 at 0/, { data: [2 ** 53], shape: [1], dtype: 'I64' });
    wrong('value', /has -1 at 0, which U64/, { data: [-1], shape: [1], dtype: 'U64' });
    wrong('value', /has 18446744073709551615n at 0, which I64/, {
      data: BigUint64Array.of(2n ** 64n - 1n),
      shape: [1],
      dtype: 'I64',
    });
    wrong('value', /BigInts, which F32/, { data: BigInt64Array.of(1n), shape: [1], dtype: 'F32' });
    wrong('option', /dtype must be/, [1], { dtype: 'F8' });
    wrong('option', /unknown option 'meta'/, [1], { meta: {} });
    wrong('value', /metadata must hold well-formed texts, got 1/, [1], { metadata: { a: 1 } });
    wrong('value', /well-formed/, [1], { metadata: { a: '\ud800' } });
    fails('value', /'__metadata__'; pass the option/, () => writeSafetensors({ __metadata__: [1] }));
    fails('value', /tensors must have well-formed texts as names/, () => writeSafetensors({ '\udc00': [1] }));
    fails('value', /names, got 1/, () => writeSafetensors(new Map([[1, [1]]]) as never));
    fails('value', /must be an object or a Map, got an array/, () => writeSafetensors([[1]] as never));
    fails('value', /must have a type that NumPy has, got BF16/, () => writeNpy([1], { dtype: 'BF16' }));
    fails('value', /array must be/, () => writeNpy(null as never));
  });

  test('a Map of another realm is one', async () => {
    const { runInNewContext } = await import('node:vm');
    const map = runInNewContext('new Map([["w", [[1, 2]]]])') as Map<string, number[][]>;
    assert.deepEqual([...(await readSafetensors(writeSafetensors(map))).tensors.keys()], ['w']);
  });
});
