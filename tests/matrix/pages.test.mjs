// Pages and workers without a bundler, each with a host's own rules, in Chromium.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { importTool, makeProject, workedExample, write } from './support/consumers.mjs';
import { served, withChromium } from './support/browsers.mjs';
import {
  ALL_WAYS,
  DIST,
  MODEL_WAYS,
  byPath,
  checkPage,
  consumer,
  html,
  loadScript,
  modelPage,
  pageScript,
} from './support/matrix.mjs';

const group = 'pages';
const { use, checkFolder } = withChromium();

const importMap = JSON.stringify({
  imports: {
    fovea: `${DIST}/index.web.js`,
    'fovea/files': `${DIST}/files.web.js`,
    'fovea/models': `${DIST}/models.web.js`,
    'fovea/ops': `${DIST}/ops.web.js`,
    'fovea/worker': `${DIST}/worker.web.js`,
  },
});
const withMap = (map = importMap, head = '') =>
  html().replace('<script', `${head}<script type="importmap">${map}</script><script`);
consumer({ group, consumer: '`<script type="module">` with an import map', version: '', grade: 'works' }, async () => {
  // The map does not reach workers: the model's names the files of the package.
  const files = { ...modelPage, 'model.worker.js': byPath(modelPage['model.worker.js']) };
  const project = await makeProject('import-map', { 'index.html': withMap(), ...files });
  return checkFolder(project, MODEL_WAYS);
});

const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";
consumer(
  { group, consumer: `the policy of extensions: \`script-src 'self' 'wasm-unsafe-eval'\``, version: '', grade: 'works' },
  async () => {
    const project = await makeProject('policy', { 'index.html': html(), 'main.js': byPath(pageScript) });
    const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
    return checkFolder(project, ALL_WAYS, { headers: { ...isolated, 'Content-Security-Policy': CSP } });
  },
);

/** A page whose run() asks a worker of the page's own. */
const asking = (start) => `const worker = ${start};
let number = 0;
window.run = (kind, options) => new Promise((resolve, reject) => {
  const id = ++number;
  const listen = ({ data }) => {
    if (data.id !== id) return;
    data.error === undefined ? resolve(data.result) : reject(new Error(data.error));
  };
  (worker.onmessage === undefined ? navigator.serviceWorker : worker).addEventListener('message', listen);
  worker.postMessage({ id, kind, options });
});
`;
const answering = (script) => `${script.replaceAll('window.run', 'self.run')}
self.addEventListener('message', ({ data: { id, kind, options }, source }) => {
  const reply = (message) => (source ?? self).postMessage({ id, ...message });
  const answered = self.run(kind, options).then((result) => reply({ result }), (error) => reply({ error: String(error) }));
});
`;

consumer({ group, consumer: 'a module worker that imports it', version: '', grade: 'works' }, async () => {
  const project = await makeProject('module-worker', {
    'index.html': html(),
    'main.js': asking("new Worker('./own.js', { type: 'module' })"),
    'own.js': answering(byPath(pageScript)),
  });
  return checkFolder(project, ALL_WAYS);
});

const ready = `navigator.serviceWorker.register('./own.js', { type: 'module' });
const worker = (await navigator.serviceWorker.ready).active;`;
consumer({ group, consumer: 'a service worker that is a module', version: '', grade: 'works' }, async () => {
  const project = await makeProject('service-worker', {
    'index.html': html(),
    'main.js': asking('0').replace('const worker = 0;', ready),
    'own.js': answering(byPath(loadScript())),
  });
  return checkFolder(project, [['load', 1]]);
});

consumer(
  { group, consumer: 'a service worker of one file', tool: 'esbuild', grade: 'inline', line: '`fovea/inline`, bundled' },
  async () => {
    const project = await makeProject('service-worker-classic', { 'own.src.js': answering(loadScript('fovea/inline')) });
    const { build } = await importTool('esbuild');
    const common = { bundle: true, format: 'iife', logLevel: 'silent', absWorkingDir: project };
    await build({ ...common, entryPoints: ['own.src.js'], outfile: join(project, 'own.js') });
    const main = asking('0').replace('const worker = 0;', ready.replace(", { type: 'module' }", ''));
    await write(project, { 'index.html': html(), 'main.js': main });
    return checkFolder(project, [['load', 1]]);
  },
);

// --- the package on another origin

const line =
  "`connect({ worker: new Worker('/fovea-worker.js', { type: 'module' }), wasmUrl })`: a copy of the worker's file on the page's own origin";
consumer({ group, consumer: 'the package on another origin (a CDN)', version: '', grade: 'line', line }, async () => {
  const project = await makeProject('cdn', {});
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
  return served(join(project, 'node_modules/fovea/dist'), { headers }, (cdn) => {
    const script = `import { load, toNested } from '${cdn}index.web.js';
import { connect } from '${cdn}worker.web.js';
const line = () => ({ worker: new Worker('/fovea-worker.js', { type: 'module' }), wasmUrl: '${cdn}fovea-simd128.wasm' });
window.refused = () => connect().catch(({ name, code, message }) => \`\${name} \${code} \${message}\`);
window.run = async (kind, options) => {
  const fovea = await (kind === 'load' ? load(options) : connect({ ...options, ...line() }));
  const { output } = await fovea.${workedExample};
  return { info: fovea.info, printed: JSON.stringify(toNested(output)) };
};
`;
    const body = { '/': ['text/html', html('/main.js')], '/main.js': ['text/javascript', script] };
    const intercept = (path) => body[path] && { status: 200, type: body[path][0], body: body[path][1] };
    return served(join(project, 'node_modules/fovea/dist'), { intercept }, (url) =>
      use(async (opened) => {
        const ran = await checkPage(opened, url, [
          ['load', 1],
          ['connect', 1],
        ]);
        assert.match(await opened.page.evaluate(() => window.refused()), /^AttentionError load connect: .*worker/);
        return ran;
      }),
    );
  });
});

// --- other realms

consumer({ group, consumer: 'arrays of an `<iframe>`', version: '', grade: 'works' }, async () => {
  const script = `import { load, toNested } from '${DIST}/index.web.js';
const frame = document.body.appendChild(document.createElement('iframe'));
window.run = async (kind, options) => {
  const { Float32Array, Array } = frame.contentWindow;
  const fovea = await load(options);
  const rows = (of, n) => Array.from(of, (row) => n(row));
  const foreign = (of) => ({ data: new Float32Array(of.flat()), shape: Array.of(of.length, of[0].length) });
  const { output } = fovea.selfAttention(foreign([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]), {
    Wq: foreign([[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]),
    Wk: rows([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]], (row) => new Float32Array(row)),
    Wv: rows([[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]], (row) => Array.from(row)),
  }, { scale: 1 });
  return { info: fovea.info, printed: JSON.stringify(toNested(output)) };
};
`;
  const project = await makeProject('iframe', { 'index.html': html(), 'main.js': script });
  return checkFolder(project, [['load', 1]]);
});
