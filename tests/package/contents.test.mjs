// The tarball: what is in it, how large it is, and what is not there.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { budgetOf, bundleProgram, measure } from '../../scripts/sizes.mjs';
import { installInEmptyProject } from './support/project.mjs';

const kB = 1000;
const variants = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'];
const wasmFiles = ['fovea', 'fovea-train'].flatMap((name) => variants.map((variant) => `dist/${name}-${variant}.wasm`));
/** Files loaded when threads are asked for, and those that their workers run. */
const forThreads = { web: 'dist/threads.web.js', node: 'dist/threads.node.js' };
const threadWorkers = { web: 'dist/thread-worker.web.js', node: 'dist/thread-worker.node.js' };
/** fovea/worker, and what its workers run: on pages one file, as bundlers that copy it do not see what it imports. */
const forWorker = {
  web: ['dist/worker.web.js', 'dist/fovea-worker.js'],
  node: ['dist/worker.node.js', 'dist/fovea-worker.node.js'],
};

const { installed, files } = await installInEmptyProject();
const read = (path) => readFile(join(installed, path));
const text = (path) => readFile(join(installed, path), 'utf8');
const manifest = JSON.parse(await text('package.json'));
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** Every shipped script without its comments. */
const scripts = [];
for (const { path } of files) {
  if (!path.endsWith('.js')) continue;
  const { code } = await transform(await text(path), { legalComments: 'none', minifyWhitespace: true });
  scripts.push({ path, code });
}

/** The scripts in dist/ that are loaded with these, by static imports. */
function loadedWith(names) {
  const loaded = new Set(names);
  for (const name of loaded) {
    const { code } = scripts.find(({ path }) => path === `dist/${name}`);
    for (const [, other] of code.matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) loaded.add(other);
  }
  return [...loaded];
}

const codeLoadedWith = (path) =>
  loadedWith([path.replace('dist/', '')])
    .map((name) => scripts.find((script) => script.path === `dist/${name}`).code)
    .join('\n');

test('it holds the built files, README, licence and package.json, and nothing else', () => {
  const expected =
    /^(package\.json|README(\.zh)?\.md|LICENSE|dist\/([\w-]+(\.\w+)?\.js|(\w+\/)*\w+\.d\.ts|fovea-[\w-]+\.wasm|NOTICE\.txt))$/;
  const paths = files.map(({ path }) => path);
  assert.deepEqual(
    paths.filter((path) => !expected.test(path)),
    [],
  );
  for (const path of ['package.json', 'README.md', 'LICENSE', 'dist/NOTICE.txt', ...wasmFiles])
    assert.ok(paths.includes(path), path);
});

test('it depends on nothing and runs nothing when it is installed', () => {
  for (const kind of [
    'dependencies',
    'peerDependencies',
    'optionalDependencies',
    'bundleDependencies',
    'bundledDependencies',
  ]) {
    assert.equal(manifest[kind], undefined, kind);
  }
  for (const moment of ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare', 'preprepare', 'postprepare']) {
    assert.equal(manifest.scripts?.[moment], undefined, moment);
  }
});

test('every entry names its types first, and every file of exports is there', () => {
  const targets = [];
  const collect = (entry, where) => {
    if (typeof entry === 'string') return targets.push(entry);
    const conditions = Object.keys(entry);
    assert.equal(conditions[0], 'types', `${where}: its first condition`);
    assert.equal(conditions.at(-1), 'default', `${where}: its last condition`);
    for (const condition of conditions) collect(entry[condition], `${where} ${condition}`);
  };
  for (const [name, entry] of Object.entries(manifest.exports)) collect(entry, name);
  const paths = files.map(({ path }) => `./${path}`);
  assert.deepEqual(
    targets.filter((path) => !paths.includes(path)),
    [],
  );
  for (const path of wasmFiles) assert.ok(targets.includes(`./${path}`), `${path} is no entry`);
});

test('the package is at most 8.5 MB', (t) => {
  const unpacked = files.reduce((sum, { size }) => sum + size, 0);
  t.diagnostic(`the package: ${files.length} files, ${unpacked} bytes`);
  assert.ok(unpacked <= 8500 * kB, `the package has ${unpacked} bytes`);
});

test('no wasm file and nothing that a page loads is more than a tenth larger than bindings/js/sizes.json remembers', async (t) => {
  for (const { what, bytes } of await measure(installed)) {
    t.diagnostic(`${what}: ${bytes} bytes gzipped, of ${budgetOf(what)}`);
    assert.ok(bytes <= budgetOf(what), `${what}: ${bytes} bytes gzipped, of ${budgetOf(what)}: npm run check says what grew`);
  }
});

test('load() stays under 32 kB gzipped', async (t) => {
  const { loaded, later } = await bundleProgram(installed, "import { load } from 'fovea';\nload().then(console.log);");
  t.diagnostic(`${loaded.length} bytes, ${gzipped(loaded)} gzipped; for threads ${gzipped(later)} more`);
  assert.ok(gzipped(loaded) <= 32 * kB, `${gzipped(loaded)} bytes gzipped`);
  assert.ok(later.length > 0);
});

test('the README tells the size of the wasm file as it is', async () => {
  const told = Number(/WebAssembly \((\d+) kB\)/.exec(await text('README.md'))?.[1]);
  const size = (await read(wasmFiles[0])).length / kB;
  assert.ok(Math.abs(told - size) <= 0.05 * size, `it says ${told} kB and is ${size} kB`);
});

test('the README tells what fovea costs a page, in several files of a bundler and in one', async () => {
  const [, several, one] = /(\d+) kB of `fovea` itself \((\d+) kB/.exec(await text('README.md')) ?? [];
  const program = "import { load } from 'fovea';\nload().then(console.log);";
  const { loaded } = await bundleProgram(installed, program);
  const options = { bundle: true, minify: true, format: 'esm', write: false, logLevel: 'silent' };
  const { outputFiles } = await build({ ...options, stdin: { contents: program, resolveDir: installed } });
  for (const [told, size] of [
    [several, gzipped(loaded)],
    [one, gzipped(outputFiles[0].contents)],
  ])
    assert.ok(Math.abs(told * kB - size) <= 0.05 * size, `it says ${told} kB and is ${size} bytes`);
});

/** One export of each entry. */
const exported = {
  fovea: 'load',
  'fovea/inline': 'load',
  'fovea/core': 'load',
  'fovea/pattern': 'pattern',
  'fovea/linear-attention': 'linearAttention',
  'fovea/ops': 'layerNorm',
  'fovea/nn': 'TransformerEncoder',
  'fovea/models': 'loadEncoder',
  'fovea/mechanisms': 'saliency',
  'fovea/catalog': 'list',
  'fovea/position': 'rotaryEmbedding',
  'fovea/score': 'score',
  'fovea/cache': 'kvCache',
  'fovea/files': 'readNpy',
  'fovea/serve': 'serve',
  'fovea/worker': 'connect',
  'fovea/supports': 'supports',
  'fovea/train': 'valueAndGrad',
};

test('an import that is not used costs nothing', async () => {
  const named = Object.keys(manifest.exports).filter((path) => !/\.(js|json|wasm)$/.test(path));
  assert.deepEqual(Object.keys(exported).sort(), named.map((path) => path.replace('.', 'fovea')).sort());
  for (const [entry, one] of Object.entries(exported)) {
    const { loaded } = await bundleProgram(installed, `import { ${one} } from '${entry}';`);
    assert.equal(loaded.toString().trim(), '', entry);
  }
});

test('a system of fovea/mechanisms costs a page its own code and what systems share, not the others', async () => {
  const size = async (imports, used) => {
    const program = `import { load } from 'fovea';\n${imports}\nload().then((fovea) => console.log(fovea, ${used}));`;
    return gzipped((await bundleProgram(installed, program)).loaded);
  };
  const fovea = await size('', '0');
  const all = await size("import * as all from 'fovea/mechanisms';", 'all');
  const one = await size("import { bahdanau } from 'fovea/mechanisms';", 'bahdanau');
  assert.ok(one - fovea < (all - fovea) / 2, `${one - fovea} bytes gzipped, of ${all - fovea} for all`);
});

test('the scripts evaluate no text, start no blob, wait for nothing at the top, and carry no source maps', async () => {
  for (const { path, code } of scripts) {
    assert.doesNotMatch(code, /\beval\s*\(|\bnew Function\b|(?<![.\w])Function\s*\(/, path);
    assert.doesNotMatch(code, /createObjectURL|\bimportScripts\s*\([^)]/, path);
    const starts = [...Object.values(forThreads), ...forWorker.web, forWorker.node[0]];
    if (!starts.includes(path)) assert.doesNotMatch(code, /\bnew \w*Worker\b/, path);
    assert.doesNotMatch(await text(path), /sourceMappingURL/, path);
    // A top-level await cannot be written in this form.
    await transform(code, { format: 'cjs', logLevel: 'silent', supported: { 'import-meta': true } });
  }
});

test('the scripts name no host but where papers of the catalog are found', async () => {
  for (const { path, code } of scripts) {
    const rest = /^dist\/catalog\.\w+\.js$/.test(path) ? code.replaceAll(/\burl:"https:\/\/[^"]+"/g, '') : code;
    assert.doesNotMatch(rest, /\b(https?|wss?|ftp):\/\/\w|["'`]\/\/\w+\./, path);
  }
});

test('only the files for Node mention Node', async () => {
  for (const { path, code } of scripts) {
    if (/^dist\/(node-\w+|[\w-]+\.node)\.js$/.test(path)) continue;
    const other = code.replaceAll('{type:"module",name:', '{'); // the options of a page's workers
    // 'path' alone is also a key of a model's files.
    assert.doesNotMatch(
      other,
      /["']node:\w+["']|(?:from|import|require)\s*\(?["'](?:module|fs|path|url)["']|createRequire/,
      path,
    );
  }
});

test('the wasm files are found by literals that bundlers understand', async () => {
  for (const path of ['dist/index.web.js', 'dist/index.node.js', ...forWorker.web.slice(1), ...forWorker.node.slice(1)]) {
    const code = codeLoadedWith(path);
    for (const variant of ['simd128', 'relaxed']) {
      const literal = new RegExp(`new URL\\((["'])\\./fovea-${variant}\\.wasm\\1,\\s*import\\.meta\\.url\\)`);
      assert.match(code, literal, `${path}: ${variant}`);
    }
  }
  for (const platform of ['web', 'node']) assert.doesNotMatch(codeLoadedWith(`dist/inline.${platform}.js`), /new URL\(/);
});

const threadedWasm = variants
  .slice(2)
  .map((variant) => new RegExp(`new URL\\((["'])\\./fovea-${variant}\\.wasm\\1,\\s*import\\.meta\\.url\\)`));
const startsThread =
  /new Worker\(new URL\("\.\/thread-worker\.web\.js",import\.meta\.url\),\{type:"module",name:"em-pthread"\}\)/g;

test('what threads need is named in the files for threads and in the worker alone, by literals that bundlers understand', async () => {
  const ofInference = new Set(loadedWith(['index.web.js', 'index.node.js']));
  const ofTraining = loadedWith(['train.web.js', 'train.node.js']).filter((name) => !ofInference.has(name));
  const naming = [...Object.values(forThreads), forWorker.web[1], ...ofTraining.map((name) => `dist/${name}`)];
  assert.match(await text('dist/serve.web.js'), /import ?\* ?as \w+ from ?"\.\/threads\.web\.js"/);
  for (const { path, code } of scripts) {
    if (!naming.includes(path))
      assert.doesNotMatch(code, /-threads\.wasm["'`]|thread-worker\.\w+\.js["'`],\s*import\.meta/, path);
  }
  for (const path of [forThreads.web, forWorker.web[1]]) {
    const code = await text(path);
    for (const literal of threadedWasm) assert.match(code, literal, path);
    assert.equal(code.match(startsThread)?.length, 1, path);
    assert.equal(code.match(/new Worker\b/g).length, 1, path);
  }
  for (const path of ['dist/train.web.js', 'dist/serve.web.js'])
    for (const variant of variants)
      assert.match(
        codeLoadedWith(path),
        new RegExp(`new URL\\("\\./fovea-train-${variant}\\.wasm",\\s*import\\.meta\\.url\\)`),
        path,
      );
  assert.match(await text('dist/index.web.js'), /import\("\.\/threads\.web\.js"\)/);
});

test('the files that are loaded for one thread are those of the entry, and none for threads', () => {
  for (const [entry, threads] of [
    ['index.web.js', 'threads.web.js'],
    ['index.node.js', 'threads.node.js'],
    ['index.workerd.js', undefined],
    ['core.web.js', undefined],
  ]) {
    const loaded = loadedWith([entry]);
    assert.deepEqual(
      loaded.filter((name) => /thread|worker\./.test(name)),
      [],
      entry,
    );
    const later = [...codeLoadedWith(`dist/${entry}`).matchAll(/\bimport\("\.\/([^"]+)"\)/g)].map(([, name]) => name);
    assert.deepEqual(later, threads === undefined ? [] : [threads], entry);
  }
});

test('fovea/core names no file', () => {
  assert.doesNotMatch(codeLoadedWith('dist/core.web.js'), /new URL\(|import\.meta|\.wasm["'`],/);
});

test('the worker of a page is one file', () => {
  assert.deepEqual(loadedWith(['fovea-worker.js']), ['fovea-worker.js']);
  assert.deepEqual(loadedWith(['supports.js']), ['supports.js']);
});

test('fovea/worker starts one worker, by a literal that bundlers understand', async () => {
  const code = await text(forWorker.web[0]);
  const worker =
    /new Worker\(new URL\("\.\/fovea-worker\.js",\s*import\.meta\.url\),\s*\{\s*type:\s*"module",\s*name:\s*"fovea-worker"\s*\}\)/g;
  assert.equal(code.match(worker)?.length, 1);
  assert.equal(code.match(/new Worker\b/g).length, 1);
  // A bundler that makes one file of a worker cannot follow import() there.
  for (const path of [forWorker.web[1], 'dist/serve.web.js']) assert.doesNotMatch(codeLoadedWith(path), /\bimport\(/, path);
});

test('the notice carries the licences of Emscripten and xsimd, which are compiled in', async () => {
  const notice = await text('dist/NOTICE.txt');
  for (const needed of [/== Emscripten/, /== xsimd/]) assert.match(notice, needed);
});
