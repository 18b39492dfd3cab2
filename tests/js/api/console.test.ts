/** How arrays, patterns and what else lives in wasm memory are named and printed, and what `new Tensor()` says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { format, load, print, Tensor } from 'fovea';
import { kvCache } from 'fovea/cache';
import { linearState } from 'fovea/linear-attention';
import { Linear, TransformerEncoder } from 'fovea/nn';
import { pattern } from 'fovea/pattern';
import { connect } from 'fovea/worker';
import { fails, fovea } from '../support/api.ts';

test("Node's console prints shapes and sizes, and no memory", () => {
  const sizes = { kvHeads: 2, width: 4 };
  const objects: [object, name: string, text: string][] = [
    [
      kvCache(fovea, { ...sizes, capacity: 8, dtype: 'float16' }),
      'KvCache',
      'KvCache { length 0, batch 1, kvHeads 2, width 4, valueWidth 4, float16 }',
    ],
    [linearState(fovea, sizes), 'LinearState', 'LinearState { length 0, batch 1, kvHeads 2, width 4, valueWidth 4 }'],
    [new Linear(fovea, { inFeatures: 3, outFeatures: 2 }), 'Module', 'Linear { 8 parameters }'],
    [
      new TransformerEncoder(fovea, { numLayers: 1, dModel: 2, nHead: 1, dimFeedforward: 2 }),
      'Module',
      'TransformerEncoder { 44 parameters }',
    ],
  ];
  for (const [object, name, text] of objects) {
    assert.equal(inspect(object), text);
    assert.equal(inspect({ x: [object] }, { breakLength: Infinity, compact: 3 }), `{ x: [ ${text} ] }`);
    assert.equal(Object.prototype.toString.call(object), `[object ${name}]`);
    (object as Tensor).dispose();
    assert.equal(inspect(object), `${text} (disposed)`);
  }
  for (const { prototype } of [Tensor, Linear]) assert.equal(typeof inspect(prototype), 'string');
});

test("Node's console prints a pattern as its description, and a RemoteTensor's shape", async () => {
  const sliding = pattern.window(2, 0).or(pattern.atrous(4));
  assert.equal(inspect(sliding), `Pattern { ${sliding.describe()} }`);
  const remote = await connect();
  const x = await remote.tensor([[1, 2]]);
  assert.equal(inspect({ x }), '{ x: RemoteTensor [1, 2] }');
  x.dispose();
  assert.equal(inspect(x), 'RemoteTensor [1, 2] (disposed)');
  await remote.terminate();
});

test("Node's console prints a Tensor's numbers, rounded, and its shape alone where it is disposed", () => {
  const x = fovea.tensor([
    [1.66047, -2.5, 0],
    [1e-7, 100, NaN],
  ]);
  const rows = '[[  1.6605,  -2.5000,        0],\n [    1e-7, 100.0000,      NaN]]';
  assert.equal(inspect(x), `Tensor [2, 3]\n${rows}`);
  assert.equal(inspect({ x }), `{\n  x: Tensor [2, 3]\n  ${rows.replace('\n', '\n  ')}\n}`);
  assert.equal(inspect(x.slice(1, 0, 2).slice(0, 1, 2)), 'Tensor [1, 2] [[    1e-7, 100.0000]]', 'a view');
  assert.equal(Object.prototype.toString.call(x), '[object Tensor]');
  const view = x.reshape([6]);
  x.dispose();
  assert.equal(inspect(x), 'Tensor [2, 3] (disposed)');
  assert.equal(inspect(view), 'Tensor [6] (disposed)');
  fails('disposed', /^format: the tensor of shape \[2, 3\] has been disposed$/, () => format(x));
});

test('the Tensor of an instance that is disposed has a shape alone', async () => {
  const own = await load({ variant: fovea.info.variant });
  const x = own.tensor([1]);
  own.dispose();
  assert.equal(inspect(x), 'Tensor [1] (disposed)');
});

test('format rounds every kind of array alike, and keeps what is 0 apart from what is nearly 0', () => {
  const texts: [array: Parameters<typeof format>[0], text: string][] = [
    [{ data: Float32Array.of(0.66976, 0.33024), shape: [1, 2] }, '[[0.6698, 0.3302]]'],
    [[Float64Array.of(1, 2), Int8Array.of(3, -4)], '[[ 1,  2],\n [ 3, -4]]'],
    [{ data: Uint16Array.of(0x3c00, 0x3800), dims: [2], type: 'float16' } as never, '[1.0000, 0.5000]'],
    [
      [
        [[1], [2]],
        [[3], [4]],
      ],
      '[[[1],\n  [2]],\n\n [[3],\n  [4]]]',
    ],
    [{ data: [5.25], shape: [] }, '5.2500'],
    [{ data: new Float32Array(0), shape: [1e9, 0] }, '[]'],
    [[1, 0, 1e-6, -1e-6, 0.5], '[1.0000,      0,   1e-6,  -1e-6, 0.5000]'],
    [[Infinity, -Infinity, NaN, 2], '[ Infinity, -Infinity,       NaN,         2]'],
    [[2e-5, 3.5e-6], '[2.0000e-5, 3.5000e-6]'],
    [[1e9, 0.5], '[1.0000e+9, 5.0000e-1]'],
    [[9_999_999, -1], '[9999999,      -1]'],
  ];
  for (const [array, text] of texts) assert.equal(format(array), text);
  assert.equal(format([1.666, 2], { digits: 1 }), '[1.7, 2.0]');
  assert.equal(format([1.666, 2], { digits: 0 }), '[2, 2]');
});

test('format shows the ends of large arrays, of many axes, too, and breaks long rows', () => {
  const large = (...shape: number[]) => ({
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, n) => n),
    shape,
  });
  assert.equal(format(large(2000)), '[   0,    1,    2, …, 1997, 1998, 1999]\nshape [2000]');
  const rows = format(large(40, 40)).split('\n');
  assert.equal(rows[0], '[[   0,    1,    2, …,   37,   38,   39],');
  assert.deepEqual([rows[3], rows.length], [' …,', 8]);
  assert.equal(format(large(...new Array(12).fill(2))), `[…]\nshape [${new Array(12).fill(2).join(', ')}]`);
  const row = format(large(1, 100)).split('\n');
  assert.ok(row.length > 2 && row.every((line) => line.length <= 102));
  const x = fovea.tensor(large(100, 100));
  assert.match(inspect(x), /^Tensor \[100, 100\]\n\[\[ {3}0, .* …, /);
  x.dispose();
});

test('print writes to the console what format gives, with the texts beside it', (t) => {
  const lines: unknown[] = [];
  t.mock.method(console, 'log', (...line: unknown[]) => lines.push(...line));
  print('weights', [[0.25, 0.75]]);
  print('x', [[1], [2]], 'y');
  print();
  assert.deepEqual(lines, ['weights [[0.2500, 0.7500]]', 'x\n[[1],\n [2]]\ny', '']);
  fails('value', /^print: the array must be \{ data, shape \}, a nested array or a Tensor, got an object$/, () =>
    print({ a: 1 } as never),
  );
  fails('option', /^format: unknown option 'digit'/, () => format([1], { digit: 1 } as never));
  fails('value', /^format: digits must be an integer from 0 to 16, got 17$/, () => format([1], { digits: 17 }));
});

test('new Tensor() says how one is made', () => {
  const made =
    (...args: unknown[]) =>
    () =>
      new (Tensor as unknown as new (...args: unknown[]) => Tensor)(...args);
  for (const call of [made(), made([1, 2]), made(new Float32Array(2), [2])])
    fails('value', /^Tensor: a Tensor is made by fovea\.tensor\(array\)/, call);
});
