// fovea/worker in Chromium, under the page's CSP: the page stays awake, and every bit is that of Node.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'fovea';
import { openChromium, openPage, servePackage } from './support.mjs';

describe('fovea/worker in a browser', () => {
  let server, browser, opened, page;
  /** The server's answers in place of files. */
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
      /** A promise's rejection as plain data. */
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

  const MODEL = `import { Linear } from './dist/nn.web.js';
import { serve } from './dist/serve.web.js';
const functions = {
  async steps(fovea, x, { signal, post }) {
    const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 2, seed: 1 });
    try {
      for (let done = 1; done <= 1e5 && !signal.aborted; done++) {
        fovea.scope(() => void layer.forward(x));
        await post(done);
      }
    } finally {
      layer.dispose();
    }
  },
  attend: (fovea, x) => fovea.attention(x, x, x),
  throws: () => { throw new RangeError('mine'); },
};
`;
  const script = (body) => ({ status: 200, type: 'text/javascript', body });

  test('a module of the page that serves: its functions, messages, an abort, errors, and no byte is left', async () => {
    answers = {
      '/pkg/model.mjs': script(`${MODEL}serve({ functions });`),
      // Messages that come while a module awaits are lost to it.
      '/pkg/late.mjs': script(`${MODEL}await new Promise((done) => setTimeout(done, 300));\nserve({ functions });`),
    };
    for (const name of ['model.mjs', 'late.mjs']) {
      const result = await page.evaluate(async (name) => {
        const remote = await window.worker.connect({ worker: new Worker(`./${name}`, { type: 'module' }) });
        const stop = new AbortController();
        const heard = [];
        const onPost = (done) => (heard.push(done), done === 3 && stop.abort());
        const x = await remote.tensor([[1, 2]]);
        const before = await remote.memory();
        const aborted = await window.failure(remote.functions.steps(x, { signal: stop.signal, onPost }));
        const after = await remote.memory();
        const thrown = await window.failure(remote.functions.throws());
        const { output } = await remote.functions.attend(x);
        const [own, plain] = [(await output.toArray()).data, (await remote.attention(x, x, x)).output];
        const same = String(own) === String((await plain.toArray()).data);
        remote.terminate();
        return { heard, aborted: aborted.name, live: [before.live, after.live], thrown, same };
      }, name);
      assert.deepEqual(result.heard, [1, 2, 3]);
      assert.equal(result.aborted, 'AbortError');
      assert.equal(result.live[0], result.live[1]);
      assert.deepEqual([result.thrown.name, result.thrown.message, result.thrown.code], ['RangeError', 'mine', undefined]);
      assert.ok(result.same);
    }
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

  test('a module that does not serve is a load error in time, whatever is wrong with it', async () => {
    const waiting = 'await new Promise((done) => setTimeout(done, 50));\n';
    answers = {
      '/pkg/silent.mjs': script(''),
      '/pkg/throws.mjs': script("throw new Error('mine');"),
      '/pkg/throws_late.mjs': script(`${waiting}throw new Error('mine');`),
      '/pkg/bare.mjs': script("import 'no-such-package';"),
      '/pkg/missing.mjs': { status: 404, body: 'not found' },
      '/pkg/wrong.mjs': script("import { serve } from './dist/serve.web.js';\nserve({ functions: 3 });"),
    };
    const failures = await page.evaluate(async (names) => {
      const { serve } = await import('./dist/serve.web.js');
      const all = {};
      for (const name of names) {
        const worker = new Worker(`.${name.replace('/pkg', '')}`, { type: 'module' });
        all[name] = await window.failure(window.worker.connect({ worker, timeout: 2000 }));
      }
      const outside = await window.failure((async () => serve({ functions: {} }))());
      return { all, outside };
    }, Object.keys(answers));
    for (const [name, { code, message }] of Object.entries(failures.all)) {
      assert.equal(code, 'load', name);
      assert.match(message, /^connect: the worker could not start: /, name);
    }
    const said = (name) => failures.all[`/pkg/${name}.mjs`].message;
    assert.match(said('silent'), /no sign within 2000 ms, the option timeout; a module of yours must call serve\(\)/);
    assert.match(said('throws'), /mine/);
    assert.match(said('throws_late'), /mine|no sign within/);
    assert.match(said('missing'), /its script cannot be loaded: see how it is served/);
    assert.match(said('wrong'), /serve: functions must be an object of functions, got 3/);
    assert.match(failures.outside.message, /^serve: it must be called in a Worker's own module/);
  });
});
