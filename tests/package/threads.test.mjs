// Threads from the installed package: in Node, and in pages built by Vite and by esbuild, in Chromium.

import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ISOLATION_HEADERS, serveFolder } from '../../scripts/serve.mjs';
import { openChromium, openPage } from '../browser/support.mjs';
import { buildWithVite, bundleWithEsbuild } from './support/bundles.mjs';
import { installInEmptyProject, isWorkedExample, nodes, run, workedExample, write } from './support/project.mjs';

const { project, installed } = await installInEmptyProject();

const program = `import { load, toNested } from 'fovea';
const fovea = await load({ threads: 2 });
const { output } = fovea.${workedExample};
export const { info } = fovea;
export const printed = JSON.stringify(toNested(output));
`;

for (const node of nodes) {
  test(`a script with threads prints the worked example and ends by itself (${node})`, async () => {
    await write(project, { 'main.js': `${program}\nconsole.error(info.threads, info.fallbackReason); console.log(printed);` });
    const { stdout, stderr } = await run(node, ['--disallow-code-generation-from-strings', 'main.js'], { cwd: project });
    assert.equal(stderr, '2 null\n');
    assert.ok(await isWorkedExample(stdout), stdout);
  });
}

test('a bundle for Node that carries no file for its workers runs with one thread and says why', async () => {
  await write(project, { 'bundled.js': `${program}\nconsole.error(info.fallbackReason); console.log(printed);` });
  await bundleWithEsbuild(project, 'bundled.js', 'node_bundle', { platform: 'node' });
  for (const name of ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'].map((variant) => `fovea-${variant}.wasm`))
    await copyFile(join(installed, 'dist', name), join(project, 'node_bundle', name));
  const { stdout, stderr } = await run(nodes[0], ['node_bundle/bundled.js'], { cwd: project });
  assert.match(stderr, /^its workers cannot be started \(.*thread-worker\.node\.js.*it runs with one thread\n$/s);
  assert.ok(await isWorkedExample(stdout), stdout);
});

describe('in Chromium', () => {
  let browser;
  const html = (script) => `<!doctype html><link rel="icon" href="data:,"><script type="module" src="./${script}"></script>`;
  const main = `${program}\nwindow.result = { info, printed };`;

  before(async () => {
    browser = await openChromium({ whole: true });
  });
  after(() => browser?.close());

  /** The results of the page in a folder, with threads allowed; it must ask for nothing that is not there. */
  async function resultOf(folder, headers = ISOLATION_HEADERS) {
    const server = await serveFolder({ root: folder, headers });
    const { page, problems, close } = await openPage(browser);
    try {
      await page.goto(server.url);
      await page.waitForFunction(() => window.result);
      const workers = page.workers().map((worker) => worker.url().slice(server.url.length));
      return { ...(await page.evaluate(() => window.result)), workers, problems };
    } finally {
      await close();
      await server.close();
    }
  }

  async function checkThreads({ info, printed, workers, problems }, worker) {
    assert.deepEqual([info.variant, info.threads, info.fallbackReason], ['relaxed-threads', 2, null]);
    assert.ok(await isWorkedExample(printed), printed);
    assert.equal(workers.length, 1);
    assert.match(workers[0], worker);
    assert.deepEqual(problems, []);
  }

  test('a page built by Vite has threads', async () => {
    const folder = join(project, 'vite_threads');
    await write(folder, { 'index.html': html('main.js'), 'main.js': main });
    await buildWithVite(folder);
    await checkThreads(await resultOf(join(folder, 'dist')), /^assets\/thread-worker\.web-[\w-]{8}\.js$/);
  });

  test("a page built by esbuild has threads where the package's files are copied beside it, else one, and says why", async () => {
    const folder = join(project, 'esbuild_threads');
    await write(project, { 'page.js': main });
    await write(folder, { 'index.html': html('page.js') });
    await bundleWithEsbuild(project, 'page.js', 'esbuild_threads');
    for (const name of ['fovea-relaxed-threads.wasm', 'fovea-relaxed.wasm', 'thread-worker.web.js'])
      await copyFile(join(installed, 'dist', name), join(folder, name));
    await checkThreads(await resultOf(folder), /^thread-worker\.web\.js$/);

    await rm(join(folder, 'thread-worker.web.js'));
    const { info, printed } = await resultOf(folder);
    assert.deepEqual([info.variant, info.threads], ['relaxed', 1]);
    assert.match(info.fallbackReason, /^its workers cannot be started .*thread-worker\.web\.js/);
    assert.ok(await isWorkedExample(printed), printed);
  });

  test('supports() tells whether the page has the headers that threads need, and load() agrees', async () => {
    const folder = join(project, 'supports_page');
    await write(folder, { 'index.html': html('page.js') });
    const asked = `import { supports } from 'fovea/supports';\n${main.replace('{ info,', '{ found: supports(), info,')}`;
    await write(project, { 'supports_page.js': asked });
    await bundleWithEsbuild(project, 'supports_page.js', 'supports_page', { entryNames: 'page' });
    for (const name of ['fovea-relaxed-threads.wasm', 'fovea-relaxed.wasm', 'thread-worker.web.js'])
      await copyFile(join(installed, 'dist', name), join(folder, name));
    const isolated = await resultOf(folder);
    assert.deepEqual(isolated.found, { wasm: true, simd128: true, relaxed: true, threads: true, reasons: {} });
    assert.equal(isolated.info.threads, 2);
    const { found, info } = await resultOf(folder, {});
    assert.equal(found.threads, false);
    assert.match(found.reasons.threads, /Cross-Origin-Opener-Policy/);
    assert.equal(info.threads, 1);
  });
});
