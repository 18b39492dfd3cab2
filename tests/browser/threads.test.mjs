// Threads in Chromium, under the page's CSP: with cross-origin isolation and without.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ISOLATION_HEADERS } from '../../scripts/serve.mjs';
import { packageTrains, trainedInNode } from './smoke.mjs';
import { openChromium, openPage, servePackage } from './support.mjs';

describe('threads in a browser', () => {
  let browser;

  before(async () => {
    browser = await openChromium();
  });
  after(() => browser?.close());

  /** Opens the package's page, served with `options`, and gives it to `use` with its address and what went wrong in it. */
  async function onPage(options, use) {
    const server = await servePackage(options);
    const opened = await openPage(browser);
    try {
      await opened.page.goto(server.url);
      await opened.page.waitForFunction(() => window.fovea);
      return await use(opened.page, server.url, opened.problems);
    } finally {
      await opened.close();
      await server.close();
    }
  }

  /** Loads, computes, and disposes: what it ran on, how many workers the page had meanwhile and has afterwards, its bytes. */
  async function run(page, options) {
    const result = await page.evaluate(async (options) => {
      const fovea = await window.fovea.load(options);
      const length = 3 * 70 * 16;
      const x = { data: Float32Array.from({ length }, (_, i) => ((i * 2654435761) % 1000) / 500 - 1), shape: [3, 70, 16] };
      const { output } = fovea.attention(x, x, x, { causal: true });
      window.instance = fovea;
      return {
        info: fovea.info,
        output: [...output.data],
        plain: output.data.buffer instanceof ArrayBuffer,
        shared: !(fovea.tensor([1]).data.buffer instanceof ArrayBuffer),
      };
    }, options);
    const during = page.workers().length;
    await page.evaluate(() => window.instance.dispose());
    for (let tries = 0; page.workers().length > 0 && tries < 100; tries++) await new Promise((done) => setTimeout(done, 20));
    return { ...result, during, after: page.workers().length };
  }

  const isolated = { headers: ISOLATION_HEADERS };

  test('training has the same bytes with one, two and four threads, here and in Node', () =>
    onPage(isolated, async (page, url, problems) => {
      assert.equal((await trainedInNode(2)).bytes, (await trainedInNode(1)).bytes);
      const look = { open: (url) => page.goto(url), evaluate: (script) => page.evaluate(script) };
      for (const threads of [1, 4]) await packageTrains(look, url, threads);
      assert.deepEqual(problems, []);
    }));

  test('an isolated page gets the threads that it asks for, and the bits of one thread', () =>
    onPage(isolated, async (page, url, problems) => {
      const one = await run(page, { deterministic: true });
      for (const threads of [2, 3]) {
        const many = await run(page, { threads, deterministic: true });
        assert.deepEqual(many.info, { ...one.info, variant: 'simd128-threads', threads });
        assert.deepEqual(many.output, one.output);
        assert.deepEqual([many.plain, many.shared], [true, true]);
        assert.deepEqual([many.during, many.after], [threads - 1, 0], 'workers before and after dispose');
      }
      assert.equal((await run(page, { threads: 2 })).info.variant, 'relaxed-threads');
      assert.deepEqual(problems, []);
    }));

  test('one load fetches one wasm file, and a page that does not ask for threads nothing of theirs', () =>
    onPage(isolated, async (page, url) => {
      const fetched = [];
      page.on('request', (request) => fetched.push(request.url().slice(url.length)));
      await run(page, {});
      assert.deepEqual(fetched, ['dist/fovea-relaxed.wasm']);
      await run(page, { threads: 2 });
      assert.deepEqual([...new Set(fetched.slice(1))].sort(), [
        'dist/fovea-relaxed-threads.wasm',
        'dist/thread-worker.web.js',
        'dist/threads.web.js',
      ]);
    }));

  test('a worker of the page may load with threads too', () => {
    const body = `import { load } from './dist/index.web.js';
      const fovea = await load({ threads: 2 });
      const { data } = fovea.attention([[1]], [[1], [1]], [[1], [1]], { returnWeights: true }).weights;
      postMessage({ ...fovea.info, data: [...data] });`;
    const intercept = (path) => (path === '/pkg/worker.mjs' ? { status: 200, type: 'text/javascript', body } : undefined);
    return onPage({ ...isolated, intercept }, async (page, url, problems) => {
      const { threads, fallbackReason, data } = await page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker('./worker.mjs', { type: 'module' });
            worker.onmessage = (event) => resolve(event.data);
            worker.onerror = () => reject(new Error('the worker failed'));
          }),
      );
      assert.deepEqual({ threads, fallbackReason, data }, { threads: 2, fallbackReason: null, data: [0.5, 0.5] });
      assert.deepEqual(problems, []);
    });
  });

  test('a page that is not isolated runs with one thread, and is told which headers it lacks', () =>
    onPage({}, async (page, url, problems) => {
      const { info, during } = await run(page, { threads: 2 });
      assert.deepEqual([info.variant, info.threads, during], ['relaxed', 1, 0]);
      assert.match(info.fallbackReason, /not cross-origin isolated.*Cross-Origin-Opener-Policy: same-origin.*-Embedder-Policy/);
      assert.deepEqual(problems, []);
      const message = await page.evaluate(() =>
        window.fovea.load({ variant: 'simd128-threads' }).then(String, (error) => `${error.code}: ${error.message}`),
      );
      assert.match(message, /^load: load: the variant 'simd128-threads' cannot run: this page is not cross-origin isolated/);
    }));

  test('where the workers are not served, or the CSP forbids them, it runs with one thread and says so', async () => {
    const why =
      /^its workers cannot be started \(.*thread-worker\.web\.js served beside.*worker-src\?\); it runs with one thread$/;
    let asked = 0;
    const onceOnly = { '/pkg/dist/thread-worker.web.js': () => (asked++ === 0 ? undefined : { status: 404, body: 'gone' }) };
    await onPage({ ...isolated, intercept: (path) => onceOnly[path]?.() }, async (page) => {
      const { info, during } = await run(page, { threads: 2 });
      assert.deepEqual([info.variant, info.threads, during], ['relaxed', 1, 0]);
      assert.match(info.fallbackReason, why);
      assert.ok(asked > 1);
    });
    await onPage({ ...isolated, csp: (text) => text.replace("worker-src 'self'", "worker-src 'none'") }, async (page) => {
      const { info } = await run(page, { threads: 2 });
      assert.equal(info.threads, 1);
      assert.match(info.fallbackReason, why);
    });
  });

  test('where the file for threads is missing, it runs with one thread and says so', () =>
    onPage(
      { ...isolated, intercept: (path) => (path === '/pkg/dist/threads.web.js' ? { status: 404 } : undefined) },
      async (page) => {
        const { info } = await run(page, { threads: 2 });
        assert.equal(info.threads, 1);
        assert.match(info.fallbackReason, /the package's file for threads cannot be had \(.*threads\.web\.js/);
      },
    ));
});
