// A page's bundle by each bundler, in development mode and built, in Chromium.

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importTool, makeProject, packed, write } from './support/consumers.mjs';
import { ISOLATION_HEADERS, served, withChromium } from './support/browsers.mjs';
import {
  ALL_WAYS,
  MODEL_WAYS,
  ONE_THREAD,
  checkPage,
  consumer,
  html,
  loadError,
  loadScript,
  modelPage,
  pageScript,
} from './support/matrix.mjs';

const group = 'bundlers';
const { use, checkFolder } = withChromium();
const page = { 'index.html': html(), 'main.js': pageScript };
const withModel = { 'index.html': html(), ...modelPage };
const WASM = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'].map((variant) => `fovea-${variant}.wasm`);

/** Puts files of the package's dist/ into a folder. */
const copyAssets = (names, to) => Promise.all(names.map((name) => copyFile(join(packed, 'dist', name), join(to, name))));

// --- Vite

const silent = { logLevel: 'silent', configFile: false };

async function withViteServer(vite, root, config, work) {
  const { createServer } = await importTool(vite);
  const server = await createServer({ root, ...silent, server: { host: '127.0.0.1', headers: ISOLATION_HEADERS }, ...config });
  try {
    await server.listen(0);
    return await work(`http://127.0.0.1:${server.httpServer.address().port}/`);
  } finally {
    await server.close();
  }
}

for (const [tool, major] of [
  ['vite', 8],
  ['vite-7', 7],
]) {
  consumer({ group, consumer: `Vite ${major}, \`vite build\``, tool, grade: 'works' }, async () => {
    const project = await makeProject(`vite-${major}-build`, withModel);
    const { build } = await importTool(tool);
    await build({ root: project, base: './', ...silent });
    return checkFolder(join(project, 'dist'), MODEL_WAYS);
  });
}

consumer({ group, consumer: 'Vite 8, `vite dev`', tool: 'vite', grade: 'works' }, async () => {
  const project = await makeProject('vite-8-dev', page);
  return withViteServer('vite', project, {}, (url) => use((opened) => checkPage(opened, url, ALL_WAYS)));
});

const exclude = "optimizeDeps: { exclude: ['fovea'] }";
const excluding = { optimizeDeps: { exclude: ['fovea'] } };
const line = `vite.config: \`${exclude}\``;

// Without it the page is loaded anew when Vite finds what the model's worker imports.
consumer({ group, consumer: 'Vite 8, `vite dev`, a model in a worker', tool: 'vite', grade: 'line', line }, async () => {
  const project = await makeProject('vite-8-dev-model', withModel);
  return withViteServer('vite', project, excluding, (url) => use((opened) => checkPage(opened, url, MODEL_WAYS)));
});
consumer({ group, consumer: 'Vite 7, `vite dev`', tool: 'vite-7', grade: 'line', line }, async () => {
  const project = await makeProject('vite-7-dev', withModel);
  const message = await withViteServer('vite-7', project, {}, (url) => use((opened) => loadError(opened, url)));
  assert.match(message, /^AttentionError load load: no WebAssembly file at .*\.vite.*HTML/);
  assert.ok(message.includes(exclude), message);
  return withViteServer('vite-7', project, excluding, (url) => use((opened) => checkPage(opened, url, MODEL_WAYS)));
});

// --- webpack and Rspack, whose configurations are the same

function runWebpack(webpack, config) {
  return new Promise((done, failed) => {
    webpack(config, (error, stats) => {
      if (error) return failed(error);
      const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
      const messages = [...errors, ...warnings].filter(({ message }) => !/size limit|performance/i.test(message));
      if (messages.length > 0) return failed(new Error(messages.map(({ message }) => message).join('\n')));
      done();
    });
  });
}

for (const [tool, name] of [
  ['webpack', 'webpack 5'],
  ['@rspack/core', 'Rspack 2'],
]) {
  for (const mode of ['production', 'development']) {
    consumer({ group, consumer: `${name}, mode ${mode}`, tool, grade: 'works' }, async () => {
      const project = await makeProject(`${tool.replace(/\W/g, '')}-${mode}`, withModel);
      const module = await importTool(tool);
      const webpack = module.rspack ?? module;
      const dist = join(project, 'dist');
      // An entry of the package's own name: chunks of workers must not collide with it.
      const common = { mode, context: project, performance: { hints: false } };
      await runWebpack(webpack, { ...common, entry: { fovea: './main.js' }, output: { path: dist } });
      await write(dist, { 'index.html': html('./fovea.js') });
      return checkFolder(dist, MODEL_WAYS);
    });
  }
}

// --- Rollup

async function bundleWithRollup(project, plugins, output = {}) {
  const { rollup } = await importTool('rollup');
  const { nodeResolve } = await importToolNamed('@rollup/plugin-node-resolve', 'nodeResolve');
  const bundle = await rollup({
    input: join(project, 'main.js'),
    plugins: [nodeResolve({ browser: true }), ...plugins],
    onwarn: ({ message }) => assert.fail(message),
  });
  await bundle.write({ dir: join(project, 'dist'), format: 'es', ...output });
  await write(join(project, 'dist'), { 'index.html': html() });
  return join(project, 'dist');
}

/** A plugin whose default export may be the function itself or an object that has it. */
async function importToolNamed(tool, name) {
  const found = await importTool(tool);
  return { [name]: found[name] ?? found };
}

const importMetaAssets = 'plugins: `importMetaAssets()` of @web/rollup-plugin-import-meta-assets';
const plainNames = "`output.assetFileNames: 'assets/[name][extname]'`, as the worker's file looks for the others beside it";

for (const [consumerName, line, ways, output] of [
  ['Rollup 4', importMetaAssets, ALL_WAYS.slice(0, 2), {}],
  [
    'Rollup 4, also `fovea/worker`',
    `${importMetaAssets}; ${plainNames}`,
    ALL_WAYS,
    { assetFileNames: 'assets/[name][extname]' },
  ],
]) {
  consumer({ group, consumer: consumerName, tool: 'rollup', grade: 'line', line }, async () => {
    const project = await makeProject(`rollup-plugin-${ways.length}`, page);
    const plugin = await importToolNamed('@web/rollup-plugin-import-meta-assets', 'importMetaAssets');
    return checkFolder(await bundleWithRollup(project, [plugin.importMetaAssets()], output), ways);
  });
}

const copies = 'copy `dist/fovea-*.wasm`, for workers also `fovea-worker.js` and `thread-worker.web.js`, beside the bundle';

consumer({ group, consumer: 'Rollup 4 without that plugin', tool: 'rollup', grade: 'line', line: copies }, async () => {
  const project = await makeProject('rollup-copies', page);
  const dist = await bundleWithRollup(project, []);
  const message = await served(dist, {}, (url) => use((opened) => loadError(opened, url)));
  assert.match(message, /the server answered 404.*dist\/fovea-\*\.wasm/);
  await copyAssets([...WASM, 'fovea-worker.js', 'thread-worker.web.js'], dist);
  return checkFolder(dist, ALL_WAYS);
});

// --- esbuild

async function bundleWithEsbuild(project, options = {}) {
  const { build } = await importTool('esbuild');
  const common = { bundle: true, format: 'esm', minify: true, logLevel: 'silent', absWorkingDir: project };
  const { warnings } = await build({ ...common, entryPoints: ['main.js'], outdir: join(project, 'dist'), ...options });
  assert.deepEqual(warnings, []);
  await write(join(project, 'dist'), { 'index.html': html() });
  return join(project, 'dist');
}

const ownEntry = `${copies}; a worker of yours is an entry point of its own`;
consumer({ group, consumer: 'esbuild', tool: 'esbuild', grade: 'line', line: ownEntry }, async () => {
  const project = await makeProject('esbuild-copies', withModel);
  const dist = await bundleWithEsbuild(project, { entryPoints: ['main.js', 'model.worker.js'] });
  const message = await served(dist, {}, (url) => use((opened) => loadError(opened, url)));
  assert.match(message, /the server answered 404.*dist\/fovea-\*\.wasm/);
  await copyAssets([...WASM, 'fovea-worker.js', 'thread-worker.web.js'], dist);
  return checkFolder(dist, MODEL_WAYS);
});

consumer(
  {
    group,
    consumer: 'esbuild',
    tool: 'esbuild',
    grade: 'line',
    line: "`--loader:.wasm=file`, `import wasmUrl from 'fovea/wasm/simd128.wasm'`, `load({ wasmUrl })` of fovea/core",
  },
  async () => {
    const script = `import wasmUrl from 'fovea/wasm/simd128.wasm';\n${loadScript('fovea/core', '{ wasmUrl }')}`;
    const project = await makeProject('esbuild-loader', { 'main.js': script });
    return checkFolder(await bundleWithEsbuild(project, { loader: { '.wasm': 'file' } }), ONE_THREAD);
  },
);

consumer(
  {
    group,
    consumer: 'esbuild, as a script that is no module (`--format=iife`)',
    tool: 'esbuild',
    grade: 'inline',
    line: '`fovea/inline`',
  },
  async () => {
    const project = await makeProject('esbuild-iife', { 'main.js': loadScript('fovea/inline') });
    return checkFolder(await bundleWithEsbuild(project, { format: 'iife' }), ONE_THREAD);
  },
);

// --- Parcel

async function bundleWithParcel(project, mode) {
  const { Parcel } = await importTool('@parcel/core');
  const bundler = new Parcel({
    entries: join(project, 'index.html'),
    defaultConfig: '@parcel/config-default',
    mode,
    cacheDir: join(project, '.cache'),
    defaultTargetOptions: { distDir: join(project, 'dist'), publicUrl: './', shouldOptimize: mode === 'production' },
    shouldDisableCache: true,
  });
  await bundler.run().catch((error) => {
    throw new Error((error.diagnostics ?? []).map(({ message }) => message).join('\n') || String(error), { cause: error });
  });
  return join(project, 'dist');
}

const parcelScript = { 'index.html': html(), 'main.js': loadScript() };
consumer({ group, consumer: 'Parcel 2, `fovea` alone', tool: 'parcel', grade: 'works' }, async () => {
  const project = await makeProject('parcel', parcelScript, { source: 'index.html' });
  return checkFolder(await bundleWithParcel(project, 'production'), ALL_WAYS.slice(0, 2));
});

const packageExports = '"@parcel/resolver-default": { "packageExports": true }';
for (const mode of ['production', 'development']) {
  const line = `package.json: \`${packageExports}\``;
  consumer({ group, consumer: `Parcel 2, all entries, mode ${mode}`, tool: 'parcel', grade: 'line', line }, async () => {
    if (mode === 'production') {
      const plain = await makeProject('parcel-plain', page);
      await assert.rejects(bundleWithParcel(plain, mode), /Failed to resolve 'fovea\//);
    }
    // Parcel reads it where the lock file lies.
    const files = { ...withModel, 'package-lock.json': '{}' };
    const project = await makeProject(`parcel-${mode}`, files, JSON.parse(`{ ${packageExports} }`));
    return checkFolder(await bundleWithParcel(project, mode), MODEL_WAYS);
  });
}
