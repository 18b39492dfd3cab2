// fovea/worker in Chromium, under the page's CSP: the page stays awake, and every bit is that of Node.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'fovea';
import { openChromium, openPage, servePackage } from './support.mjs';

describe('fovea/worker in a browser', () => {
  let server, browser, opened, page;
  /** What the server answers in place of a file. */
  let answers = {};

  before(async () => {
    server = await servePackage({ intercept: (path) => answers[path] });
    browser = await openChromium();
    opened = await openPage(browser);
    page = opened.page;
    await page.goto(server.url);
    await page.waitForFunction(() => window.worker);
    await page.evaluate(() => {
      window.make = (...shape) => ({
        data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => ((i * 2654435761) % 1000) / 500 - 1),
        shape,
      });
      /** What a promise rejects with, as plain data. */
      window.failure = (promise) =>
        promise.then(
          () => null,
          ({ name, code, message }) => ({ name, code, message }),
        );
    });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test('a long attention leaves the page awake, tells its progress, and has the bits of Node', async () => {
    const { info, output, ticks, told } = await page.evaluate(async () => {
      const remote = await window.worker.connect({ deterministic: true });
      const x = window.make(8, 2000, 32);
      let [ticks, running] = [0, true];
      const told = [];
      const tick = () => running && (ticks++, setTimeout(tick, 0));
      tick();
      const { output } = await remote.attention(x, x, x, {
        causal: true,
        onProgress: ({ done, total }) => told.push(done / total),
      });
      running = false;
      remote.terminate();
      return { info: remote.info, output: [...output.data], ticks, told };
    });
    assert.equal(info.variant, 'simd128');
    // One is counted before the call is made.
    assert.ok(ticks > 1, `${ticks} ticks`);
    assert.ok(told.length > 1 && told.at(-1) === 1, told.join(' '));
    assert.ok(told.every((part, i) => i === 0 || part > told[i - 1]));
    const fovea = await load({ deterministic: true });
    const data = Float32Array.from({ length: 8 * 2000 * 32 }, (_, i) => ((i * 2654435761) % 1000) / 500 - 1);
    const x = { data, shape: [8, 2000, 32] };
    assert.deepEqual(Float32Array.from(output), fovea.attention(x, x, x, { causal: true }).output.data);
    fovea.dispose();
  });

  test('an abort ends a long call, its Tensors live on, and nothing is left behind', async () => {
    const result = await page.evaluate(async () => {
      const remote = await window.worker.connect();
      const x = await remote.tensor(window.make(8, 8192, 32));
      const before = await remote.memory();
      const controller = new AbortController();
      let last = 0;
      const onProgress = ({ done, total }) => {
        last = done / total;
        controller.abort();
      };
      const error = await window.failure(remote.attention(x, x, x, { signal: controller.signal, onProgress }));
      const after = await remote.memory();
      const { output } = await remote.attention([[1]], [[1], [1]], [[2], [4]]);
      const { data } = await x.toArray();
      remote.terminate();
      return { error, last, live: [before.live, after.live], next: output.data[0], kept: data[1] };
    });
    assert.equal(result.error.name, 'AbortError');
    assert.ok(result.last < 0.5, `it went on to ${result.last}`);
    assert.equal(result.live[0], result.live[1]);
    assert.equal(result.next, 3);
    assert.ok(Math.abs(result.kept - (761 / 500 - 1)) < 1e-6);
  });

  test('transfer moves a buffer; wasm memory, which cannot be moved, stays as it is', async () => {
    const result = await page.evaluate(async () => {
      const remote = await window.worker.connect();
      const x = window.make(3, 4);
      await remote.attention(x, x, x, { transfer: true });
      const fovea = await window.fovea.load();
      const tensor = fovea.tensor([[1, 2]]);
      const error = await window.failure(remote.attention(tensor, [[1, 2]], [[1, 2]], { transfer: true }));
      const kept = [...tensor.data];
      remote.terminate();
      fovea.dispose();
      return { moved: x.data.length, error, kept };
    });
    assert.equal(result.moved, 0);
    assert.equal(result.error.code, 'value');
    assert.match(result.error.message, /^attention: the arguments cannot be sent to a worker/);
    assert.deepEqual(result.kept, [1, 2]);
  });

  test('errors arrive as AttentionErrors of the page; terminate rejects what is pending', async () => {
    const result = await page.evaluate(async () => {
      const { connect, AttentionError } = window.worker;
      const remote = await connect();
      const same = AttentionError === window.fovea.AttentionError;
      const shape = await window.failure(remote.attention([[1, 2]], [[1]], [[1]]));
      const function_ = await window.failure(remote.attention([[() => 1]], [[1]], [[1]]));
      const x = window.make(8, 8192, 32);
      const pending = window.failure(remote.attention(x, x, x));
      remote.terminate();
      return { same, shape, function_, pending: await pending };
    });
    assert.ok(result.same);
    assert.deepEqual([result.shape.code, result.function_.code, result.pending.code], ['shape', 'value', 'disposed']);
    assert.match(result.function_.message, /^attention: q\[0\]\[0\], a function, cannot be sent/);
  });

  test("a wasmUrl is the page's, and a wrong one a load error", async () => {
    const result = await page.evaluate(async () => {
      const remote = await window.worker.connect({ wasmUrl: './dist/fovea-simd128.wasm' });
      const { variant } = remote.info;
      remote.terminate();
      return { variant, error: await window.failure(window.worker.connect({ wasmUrl: './page.wasm' })) };
    });
    assert.equal(result.variant, 'simd128');
    assert.equal(result.error.code, 'load');
    assert.match(result.error.message, /^connect: no WebAssembly file at .*\/pkg\/page\.wasm: an HTML page/);
  });

  test('no console error, no violation of the CSP, no other host', () => assert.deepEqual(opened.problems, []));

  test('a worker whose script does not arrive is a load error that names the file', async () => {
    answers = { '/pkg/dist/fovea-worker.js': { status: 404, body: 'not found' } };
    const error = await page.evaluate(() => window.failure(window.worker.connect()));
    answers = {};
    assert.equal(error.code, 'load');
    assert.match(error.message, /^connect: the worker could not start: .*fovea-worker\.js/);
    assert.equal(await page.evaluate(async () => (await window.worker.connect()).info.threads), 1);
  });
});
