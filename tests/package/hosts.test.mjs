// Hosts that are not a page beside its files: no address of its own, no compiling at run time, workers from elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { bundleWithEsbuild } from './support/bundles.mjs';
import { installInEmptyProject, isWorkedExample, run, workedExample, write } from './support/project.mjs';

const { project, installed } = await installInEmptyProject();
const print = (fovea) => `console.log(JSON.stringify(toNested(${fovea}.${workedExample}.output)));`;
const runFile = (name, ...flags) => run(process.execPath, [...flags, name], { cwd: project });

test('fovea/supports tells what wasm-feature-detect tells, at once', async () => {
  const detect = import.meta.resolve('wasm-feature-detect');
  await write(project, {
    'supports.mjs': `import { supports } from 'fovea/supports';
import { relaxedSimd, simd, threads } from '${detect}';
const found = supports();
console.log(JSON.stringify([found, [await simd(), await relaxedSimd(), await threads()]]));
const { validate } = WebAssembly;
WebAssembly.validate = () => false;
console.log(JSON.stringify(supports()));
WebAssembly.validate = validate;
delete globalThis.WebAssembly;
console.log(JSON.stringify(supports()));`,
  });
  const [here, older, none] = (await runFile('supports.mjs')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [{ wasm, simd128, relaxed, threads, reasons }, detected] = here;
  assert.deepEqual([wasm, simd128, relaxed, threads], [true, ...detected]);
  assert.deepEqual(
    Object.keys(reasons).sort(),
    ['relaxed', 'simd128', 'threads'].filter((name) => !here[0][name]),
  );
  assert.deepEqual([older.wasm, older.simd128, older.relaxed, older.threads], [true, false, false, false]);
  assert.match(older.reasons.simd128, /Chrome 91, Firefox 89, Safari 16\.4/);
  assert.equal(none.wasm, false);
  assert.match(none.reasons.threads, /no WebAssembly/);
});

test('fovea/core names no file and runs a wasm file of the caller', async () => {
  await write(project, {
    'core.mjs': `import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load, toNested } from 'fovea/core';
const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve('fovea/wasm/simd128.wasm')));
const fovea = await load({ wasmModule: new WebAssembly.Module(wasmBinary) });
${print('fovea')}
await load({}).catch(({ code, message }) => console.error(code, message));`,
  });
  const { stdout, stderr } = await runFile('core.mjs');
  assert.ok(await isWorkedExample(stdout), stdout);
  assert.match(stderr, /^option load: fovea\/core carries no wasm file: pass wasmUrl, wasmBinary or wasmModule/);
  const { metafile } = await bundleWithEsbuild(project, 'core.mjs', 'core_bundle', { platform: 'node', metafile: true });
  const inputs = Object.keys(metafile.inputs).filter((name) => name.includes('/dist/'));
  assert.ok(
    inputs.every((name) => !/index\.|worker|threads/.test(name)),
    inputs.join(),
  );
});

test('a bundle without import.meta.url says so, and what helps', async () => {
  await write(project, {
    'script.js': `import { load } from 'fovea';
load().catch(({ name, code, message }) => console.log(name, code, message));`,
  });
  await bundleWithEsbuild(project, 'script.js', 'script_bundle', {
    format: 'iife',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const { stdout } = await run(
    process.execPath,
    ['--input-type=commonjs', '--eval', `require(${JSON.stringify(join(project, 'script_bundle/script.js'))})`],
    { cwd: project },
  ).catch((error) => ({ stdout: String(error) }));
  assert.match(
    stdout,
    /^AttentionError load load: no WebAssembly file at import\.meta\.url: this script has none; .*fovea\/inline/,
  );
});

test('where compiling is forbidden, fovea/inline names wasmModule', async () => {
  await write(project, {
    'forbidden.mjs': `import { load } from 'fovea/inline';
WebAssembly.compile = async () => { throw new WebAssembly.CompileError('WebAssembly.compile(): Wasm code generation disallowed by embedder'); };
await load().catch(({ code, message }) => console.log(code, message));`,
  });
  assert.match(
    (await runFile('forbidden.mjs')).stdout,
    /^load load: this host compiles no WebAssembly at run time; .*wasmModule/,
  );
});

test('connect takes a worker from the caller', async () => {
  await write(project, {
    'worker.mjs': `import { Worker } from 'node:worker_threads';
import { toNested } from 'fovea';
import { connect } from 'fovea/worker';
const script = new URL(${JSON.stringify(`file://${join(installed, 'dist/fovea-worker.node.js')}`)});
const remote = await connect({ worker: new Worker(script) });
const { output } = await remote.${workedExample};
console.log(JSON.stringify(toNested(output)));
remote.terminate();
for (const options of [{ worker: 5 }, { worker: {} }])
  await connect(options).catch(({ code, message }) => console.error(code, message));`,
  });
  const { stdout, stderr } = await runFile('worker.mjs');
  assert.ok(await isWorkedExample(stdout), stdout);
  assert.match(stderr, /^value connect: worker must be .*, got 5\nvalue connect: worker must be .*, got an object\n$/);
});
