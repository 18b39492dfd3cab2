// The installed package at work in Node: as an ES module, inline, beside code that forbids eval, where there is no browser.

import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { installInEmptyProject, isWorkedExample, nodes, run, workedExample, write } from './support/project.mjs';

const { project, installed } = await installInEmptyProject();

const program = (entry) => `import { load, toNested } from '${entry}';
const fovea = await load();
const { output } = fovea.${workedExample};
console.log(JSON.stringify(toNested(output)));
`;

await write(project, { 'main.js': program('fovea'), 'inline.js': program('fovea/inline') });

for (const node of nodes) {
  test(`a script with a worker prints the worked example and ends by itself (${node})`, async () => {
    const code = `import { connect } from 'fovea/worker';
import { toNested } from 'fovea';
const remote = await connect();
const { output } = await remote.${workedExample};
console.log(JSON.stringify(toNested(output)));
`;
    await write(project, { 'worker.js': code });
    const { stdout, stderr } = await run(node, ['--disallow-code-generation-from-strings', 'worker.js'], {
      cwd: project,
      timeout: 10_000,
    });
    assert.equal(stderr, '');
    assert.ok(await isWorkedExample(stdout), stdout);
  });

  test(`a script prints the worked example and ends by itself (${node})`, async (t) => {
    const start = performance.now();
    const { stdout, stderr } = await run(node, ['main.js'], { cwd: project, timeout: 10_000 });
    t.diagnostic(`${(performance.now() - start).toFixed(0)} ms from start to end of the process`);
    assert.equal(stderr, '');
    assert.ok(await isWorkedExample(stdout), stdout);
  });
}

test('patterns are known to every entry', async () => {
  for (const entry of ['fovea', 'fovea/inline', 'fovea/worker']) {
    const start = entry === 'fovea/worker' ? 'connect' : 'load';
    const code = `import { ${start} } from '${entry}';
import { pattern } from 'fovea/pattern';
const fovea = await ${start}();
const { output } = await fovea.attention([[1], [1]], [[1], [1]], [[2], [4]], { pattern: pattern.causal() });
console.log(output.data.join());
`;
    await write(project, { 'pattern.js': code });
    const { stdout, stderr } = await run(nodes[0], ['pattern.js'], { cwd: project, timeout: 10_000 });
    assert.deepEqual([stdout, stderr], ['2,3\n', '']);
  }
});

test('a file on the disk is read, and its weights compute', async () => {
  const code = `import { load } from 'fovea';
import { matmul } from 'fovea/ops';
import { readSafetensors, writeSafetensors, AttentionError } from 'fovea/files';
import { writeFile } from 'node:fs/promises';
await writeFile('w.safetensors', writeSafetensors({ Wq: [[1], [2]] }, { dtype: 'F16' }));
const { tensors } = await readSafetensors('w.safetensors');
const fovea = await load();
const { data } = matmul(fovea, [[3, 4]], tensors.get('Wq'));
const code = await readSafetensors('none.safetensors').catch((error) => error instanceof AttentionError && error.code);
console.log(data.join(), code);
`;
  await write(project, { 'files.js': code });
  const { stdout, stderr } = await run(nodes[0], ['files.js'], { cwd: project, timeout: 10_000 });
  assert.deepEqual([stdout, stderr], ['11 load\n', '']);
});

test('scores are known to every entry that computes', async () => {
  for (const entry of ['fovea', 'fovea/inline']) {
    const code = `import { load } from '${entry}';
import { multiDimensionalAttention, score } from 'fovea/score';
const fovea = await load();
const { output } = fovea.attention([[3, 4]], [[3, 4], [6, 8]], [[2], [4]], { score: score.cosine() });
const { output: features } = multiDimensionalAttention(fovea, null, [[1], [1]], [[2], [4]], { Wk: [[1]] });
console.log(output.data.join(), features.data.join());
`;
    await write(project, { 'score.js': code });
    const { stdout, stderr } = await run(nodes[0], ['score.js'], { cwd: project, timeout: 10_000 });
    assert.deepEqual([stdout, stderr], ['3 3\n', '']);
  }
});

test('it runs where evaluating text is forbidden', async () => {
  for (const file of ['main.js', 'inline.js']) {
    const { stdout } = await run(nodes[0], ['--disallow-code-generation-from-strings', file], { cwd: project });
    assert.ok(await isWorkedExample(stdout), stdout);
  }
});

test('fovea/inline needs no file but its JavaScript', async () => {
  const copy = join(project, 'without_wasm');
  const copied = join(copy, 'node_modules/fovea');
  await cp(installed, copied, { recursive: true });
  for (const name of ['fovea-simd128.wasm', 'fovea-relaxed.wasm', 'index.node.js', 'index.web.js'])
    await rm(join(copied, 'dist', name));
  await write(copy, { 'inline.js': program('fovea/inline') });
  const { stdout, stderr } = await run(nodes[0], ['inline.js'], { cwd: copy });
  assert.equal(stderr, '');
  assert.ok(await isWorkedExample(stdout), stdout);
});

test('CommonJS reaches it by import(), and by require where Node can', async () => {
  await write(project, {
    'main.cjs': `import('fovea').then(async ({ load, toNested }) => console.log(JSON.stringify(toNested((await load()).${workedExample}.output))));`,
    'require.cjs': `if (process.features.require_module && require('fovea').load !== undefined) console.log('required');`,
  });
  const { stdout } = await run(nodes[0], ['main.cjs'], { cwd: project });
  assert.ok(await isWorkedExample(stdout), stdout);
  for (const node of nodes) {
    const canRequire = (await run(node, ['-p', 'Boolean(process.features.require_module)'])).stdout.trim() === 'true';
    assert.equal((await run(node, ['require.cjs'], { cwd: project })).stdout.trim(), canRequire ? 'required' : '');
  }
});

// Globals that pages, workers and Node have and other engines may lack.
const platform = `window self document navigator location process Buffer fetch Response URL WebAssembly Worker SharedArrayBuffer
  XMLHttpRequest FinalizationRegistry performance crypto setTimeout queueMicrotask`.split(/\s+/);

for (const entry of [
  'index.web.js',
  'index.node.js',
  'inline.web.js',
  'inline.node.js',
  'worker.web.js',
  'worker.node.js',
  'files.web.js',
  'files.node.js',
]) {
  test(`importing ${entry} needs no global of a platform and leaves none`, async () => {
    const bare = `const write = process.stdout.write.bind(process.stdout);
for (const name of ${JSON.stringify(platform)}) delete globalThis[name];
const names = () => JSON.stringify(Reflect.ownKeys(globalThis).map(String).sort());
const before = names();
const { load, connect, readNpy } = await import('./node_modules/fovea/dist/${entry}');
write(JSON.stringify({ load: typeof (load ?? connect ?? readNpy), sameGlobals: before === names() }));
`;
    await write(project, { 'bare.mjs': bare });
    const { stdout, stderr } = await run(nodes[0], ['bare.mjs'], { cwd: project, timeout: 10_000 });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), { load: 'function', sameGlobals: true });
  });
}
