// Memory near its end, and objects made and disposed by the thousand.

import assert from 'node:assert/strict';
import { AttentionError, load, toNested } from 'fovea';
import { kvCache } from 'fovea/cache';
import { pattern } from 'fovea/pattern';

const GIB = 2 ** 30;
/** Bytes of one Tensor. */
const PIECE = GIB / 4;

const code = (wanted, bytes) => (error) =>
  error instanceof AttentionError && error.code === wanted && bytes.test(error.message);

/** Tensors up to 4 GiB, whose addresses are unsigned, computed on at both ends; one more names its bytes. Takes 4 GB of the machine. */
export async function memoryToItsEnd() {
  const fovea = await load({ deterministic: true });
  const numbers = new Float32Array(PIECE / 4);
  const tensors = [];
  for (;;) {
    numbers[0] = tensors.length + 1;
    numbers[numbers.length - 1] = -tensors.length - 1;
    try {
      tensors.push(fovea.tensor({ data: numbers, shape: [numbers.length] }));
    } catch (error) {
      assert.ok(code('memory', new RegExp(`\\b${PIECE}\\b`))(error), `${error?.stack}`);
      break;
    }
  }
  const { live } = fovea.memory();
  assert.ok(live > 3.25 * GIB, `${live} bytes were had`);
  assert.equal(live, tensors.length * PIECE, 'the refused one left nothing');
  assert.ok(tensors.some(({ data }) => data.byteOffset > 3 * GIB));
  for (const [n, tensor] of tensors.entries()) {
    assert.equal(tensor.data[0], n + 1);
    assert.equal(tensor.data.at(-1), -n - 1);
  }
  // A call whose own memory lies beyond 2 GiB: the mean of two values.
  const { output } = fovea.attention([[1, 0]], [[1, 0], [1, 0]], [[2], [4]]); // prettier-ignore
  assert.deepEqual(toNested(output), [[3]]);
  assert.throws(() => fovea.tensor({ data: numbers, shape: [numbers.length] }), code('memory', /\d+ bytes/));
  for (const tensor of tensors) tensor.dispose();
  assert.equal(fovea.memory().live, 0);
  const again = fovea.tensor({ data: numbers, shape: [numbers.length] });
  assert.equal(again.data[0], numbers[0]);
  fovea.dispose();
  return `${(live / GIB).toFixed(2)} GiB live`;
}

/** Tensors, caches and patterns that are made, used and disposed: live bytes, wasm memory and the heap are those of the first hundred. */
export async function objects(count) {
  const fovea = await load({ deterministic: true });
  const row = { data: new Float32Array(16).fill(0.5), shape: [2, 1, 8] };
  const use = (n) => {
    const x = fovea.tensor({ data: new Float32Array(1000 + (n % 7)), shape: [1000 + (n % 7)] });
    const cache = kvCache(fovea, { kvHeads: 2, width: 8, capacity: 4 + (n % 5) });
    cache.append(row, row);
    const { output } = fovea.attention(row, cache);
    assert.equal(output.data[0], 0.5);
    const near = pattern.window(n % 3, 1).or(pattern.random({ perQuery: 1, seed: n }));
    const made = fovea.attention(row, row, row, { pattern: near });
    assert.equal(made.output.data[15], 0.5);
    x.dispose();
    cache.dispose();
  };
  const state = async () => {
    // Registries of what was collected run between tasks.
    for (let n = 0; n < 3; n++) {
      globalThis.gc?.();
      await new Promise(setImmediate);
    }
    return { ...fovea.memory(), heap: process.memoryUsage().heapUsed };
  };
  for (let n = 0; n < 100; n++) use(n);
  const before = await state();
  for (let n = 0; n < count; n++) use(n);
  const after = await state();
  assert.equal(after.live, 0);
  assert.equal(after.total, before.total, 'the wasm memory grew');
  // 100 bytes for each object would be a leak of one small object of each.
  const gained = after.heap - before.heap;
  assert.ok(!globalThis.gc || gained < 1e6 + 100 * count, `${gained} bytes more of heap`);
  fovea.dispose();
  return `${count} of each, ${(gained / 1e3).toFixed(0)} kB more of heap`;
}
