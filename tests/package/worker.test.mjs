// fovea/worker from the installed package, in pages built by Vite and by esbuild, in Chromium.

import assert from 'node:assert/strict';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ISOLATION_HEADERS, serveFolder } from '../../scripts/serve.mjs';
import { openChromium, openPage } from '../browser/support.mjs';
import { buildWithVite, bundleWithEsbuild } from './support/bundles.mjs';
import { installInEmptyProject, isWorkedExample, workedExample, write } from './support/project.mjs';

const { project, installed } = await installInEmptyProject();

const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>';
const main = `import { connect } from 'fovea/worker';
import { toNested } from 'fovea';
window.run = async (options) => {
  const remote = await connect(options);
  const { output } = await remote.${workedExample};
  return { info: remote.info, printed: JSON.stringify(toNested(output)) };
};
`;

describe('fovea/worker in a bundle', () => {
  let browser;
  before(async () => {
    browser = await openChromium({ whole: true });
  });
  after(() => browser?.close());

  /** The results of the page in a folder with one thread and with two; it must ask for nothing that is not there. */
  async function check(folder, worker, thread) {
    const server = await serveFolder({ root: folder, headers: ISOLATION_HEADERS });
    const { page, problems, close } = await openPage(browser);
    try {
      await page.goto(server.url);
      await page.waitForFunction(() => window.run);
      for (const threads of [1, 2]) {
        const { info, printed } = await page.evaluate((options) => window.run(options), { threads });
        assert.deepEqual([info.threads, info.fallbackReason], [threads, null]);
        assert.ok(await isWorkedExample(printed), printed);
      }
      const names = page.workers().map((one) => one.url().slice(server.url.length));
      assert.equal(names.filter((name) => worker.test(name)).length, 2, names.join());
      assert.ok(
        names.every((name) => worker.test(name) || thread.test(name)),
        names.join(),
      );
      assert.deepEqual(problems, []);
    } finally {
      await close();
      await server.close();
    }
  }

  test('Vite takes the worker along, with nothing configured', async () => {
    const folder = join(project, 'vite_worker');
    await write(folder, { 'index.html': html, 'main.js': main });
    const assets = await buildWithVite(folder);
    const names = (await readdir(assets)).map((name) => name.replace(/-[\w-]{8}\./, '.'));
    for (const name of ['fovea-worker.js', 'fovea-simd128.wasm', 'fovea-relaxed.wasm'])
      assert.equal(names.filter((one) => one === name).length, 1, names.join());
    await check(join(folder, 'dist'), /^assets\/fovea-worker-[\w-]{8}\.js$/, /^assets\/thread-worker\.web-[\w-]{8}\.js$/);
  });

  test("esbuild builds the worker as an entry of its own, beside the page's, with the package's files copied there", async () => {
    const folder = join(project, 'esbuild_worker');
    await write(project, { 'main.js': main });
    await write(folder, { 'index.html': html });
    const entryPoints = { main: 'main.js', 'fovea-worker': 'fovea/fovea-worker.js' };
    const { warnings } = await bundleWithEsbuild(project, 'main.js', 'esbuild_worker', { entryPoints });
    assert.deepEqual(warnings, []);
    for (const name of ['fovea-relaxed.wasm', 'fovea-relaxed-threads.wasm', 'thread-worker.web.js'])
      await copyFile(join(installed, 'dist', name), join(folder, name));
    await check(folder, /^fovea-worker\.js$/, /^thread-worker\.web\.js$/);
  });
});
