/** How Tensors, patterns and what else lives in wasm memory are named and printed, and what `new Tensor()` says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Tensor } from 'fovea';
import { kvCache } from 'fovea/cache';
import { linearState } from 'fovea/linear-attention';
import { Linear, TransformerEncoder } from 'fovea/nn';
import { pattern } from 'fovea/pattern';
import { connect } from 'fovea/worker';
import { fails, fovea } from '../support/api.ts';

test("Node's console prints shapes and sizes, and no memory", () => {
  const sizes = { kvHeads: 2, width: 4 };
  const objects: [object, name: string, text: string][] = [
    [fovea.tensor([[1, 2]]), 'Tensor', 'Tensor [1, 2]'],
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

test('new Tensor() says how one is made', () => {
  const made =
    (...args: unknown[]) =>
    () =>
      new (Tensor as unknown as new (...args: unknown[]) => Tensor)(...args);
  for (const call of [made(), made([1, 2]), made(new Float32Array(2), [2])])
    fails('value', /^Tensor: a Tensor is made by fovea\.tensor\(array\)/, call);
});
