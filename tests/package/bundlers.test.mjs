// The package in a page's bundle, by esbuild and by Vite.

import assert from 'node:assert/strict';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildWithVite, bundleWithEsbuild, vites } from './support/bundles.mjs';
import { installInEmptyProject, isWorkedExample, run, workedExample, write } from './support/project.mjs';

const asPage = fileURLToPath(new URL('support/as_page.mjs', import.meta.url));
const page = (load) => `import { load, toNested } from 'fovea';
${load.includes('url') ? "import url from 'fovea/wasm/simd128.wasm';" : ''}
const fovea = await ${load};
console.log(JSON.stringify(toNested(fovea.${workedExample}.output)));
`;

const { project, installed } = await installInEmptyProject();

/** Runs a bundle as a page would; returns the names of what it fetched, all of which must lie in `folder`. */
async function runAsPage(bundle, folder) {
  const { stdout, stderr } = await run(process.execPath, [asPage, bundle], { cwd: project });
  assert.ok(await isWorkedExample(stdout), stdout);
  const base = pathToFileURL(join(folder, '/')).href;
  return stderr
    .trim()
    .split('\n')
    .map((url) => {
      assert.ok(url.startsWith(base), `it fetched ${url}`);
      return url.slice(base.length);
    });
}

test('esbuild, with the wasm files copied beside the bundle', async () => {
  await write(project, { 'copied.js': page('load()') });
  const { warnings } = await bundleWithEsbuild(project, 'copied.js', 'esbuild_copied');
  assert.deepEqual(warnings, []);
  const out = join(project, 'esbuild_copied');
  for (const name of ['fovea-simd128.wasm', 'fovea-relaxed.wasm'])
    await copyFile(join(installed, 'dist', name), join(out, name));
  const [asked, ...more] = await runAsPage(join(out, 'copied.js'), out);
  assert.match(asked, /^fovea-(simd128|relaxed)\.wasm$/);
  assert.deepEqual(more, []);
});

test('esbuild, with wasmUrl from its file loader', async () => {
  await write(project, { 'by_url.js': page('load({ wasmUrl: new URL(url, import.meta.url) })') });
  const { warnings } = await bundleWithEsbuild(project, 'by_url.js', 'esbuild_url', { loader: { '.wasm': 'file' } });
  assert.deepEqual(warnings, []);
  const out = join(project, 'esbuild_url');
  const asked = await runAsPage(join(out, 'by_url.js'), out);
  assert.deepEqual(
    asked,
    (await readdir(out)).filter((name) => name.endsWith('.wasm')),
  );
});

for (const vite of vites) {
  test(`Vite ${vite.version} emits all wasm files as assets, and what threads need apart; a page that asks for none fetches none of it`, async () => {
    const folder = `vite_${vite.version}`;
    await write(project, {
      [`${folder}/index.html`]: '<!doctype html><script type="module" src="./main.js"></script>',
      [`${folder}/main.js`]: page('load()'),
    });
    const assets = await buildWithVite(join(project, folder), vite);
    const names = await readdir(assets);
    assert.deepEqual(names.map((name) => name.replace(/-[\w-]{8}\./, '.')).sort(), [
      'fovea-relaxed-threads.wasm',
      'fovea-relaxed.wasm',
      'fovea-simd128-threads.wasm',
      'fovea-simd128.wasm',
      'index.js',
      'thread-worker.web.js',
      'threads.web.js',
    ]);
    const index = names.find((name) => name.startsWith('index'));
    const [asked, ...more] = await runAsPage(join(assets, index), assets);
    assert.match(asked, /^fovea-(simd128|relaxed)-[\w-]{8}\.wasm$/);
    assert.doesNotMatch(asked, /threads/);
    assert.deepEqual(more, []);
  });
}
