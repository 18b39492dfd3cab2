// The package in programs outside browsers: Node, Bun, Deno, workerd.

import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, withServer } from './support/servers.mjs';
import { importTool, isWorkedExample, makeProject, packed, programOf, run, workedExample } from './support/consumers.mjs';
import { checkVectors, consumer, modelPage } from './support/matrix.mjs';

const group = 'runtimes';
const NAMES = [
  'one thread',
  'threads',
  'worker',
  'worker with threads',
  'model in a worker',
  'model in a worker with threads',
  'texts embedded',
];

/** Prints the worked example in each way. */
const program = `import { Worker } from 'node:worker_threads';
import { load, toNested } from 'fovea';
import { loadEncoder } from 'fovea/models';
import { connect } from 'fovea/worker';
import { folder, texts } from './tiny_model.js';
for (const [open, threads] of [[load, 1], [load, 2], [connect, 1], [connect, 2]]) {
  const fovea = await open({ threads });
  const { output } = await fovea.${workedExample};
  console.log(JSON.stringify({ ...fovea.info, printed: JSON.stringify(toNested(output)) }));
  if (open === connect) fovea.terminate();
}
for (const threads of [1, 2]) {
  const remote = await connect({ worker: new Worker(new URL('./model.worker.js', import.meta.url)), threads });
  const output = await remote.functions.example([[1, 2]], { onPost: () => {} });
  console.log(JSON.stringify({ ...remote.info, printed: JSON.stringify(output) }));
  remote.terminate();
}
const fovea = await load();
const { data, shape } = await (await loadEncoder(fovea, folder)).embed(texts);
console.log(JSON.stringify({ ...fovea.info, vectors: [...data], shape }));
`;
const files = { ...modelPage, 'main.mjs': program };

async function checkPrinted(stdout, ways = NAMES) {
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(lines.length, ways.length);
  for (const [index, { threads, fallbackReason, printed, vectors, shape }] of lines.entries()) {
    assert.deepEqual([ways[index], threads, fallbackReason], [ways[index], ways[index].endsWith('threads') ? 2 : 1, null]);
    if (vectors) await checkVectors(vectors, shape);
    else assert.ok(await isWorkedExample(printed), printed);
  }
  return ways;
}

const required = `const { load, toNested } = require('fovea');
load().then((fovea) => console.log(JSON.stringify({ ...fovea.info, printed: JSON.stringify(toNested(fovea.${workedExample}.output)) })));
`;

for (const [tool, major] of [
  ['node-20.0', 'Node 20, the lowest'],
  ['node-20', 'Node 20'],
  ['node-22', 'Node 22'],
  ['node-24', 'Node 24'],
]) {
  consumer({ group, consumer: `${major}, \`import\``, tool, grade: 'works' }, async () => {
    const project = await makeProject(tool, files);
    const { stdout, stderr } = await run(await programOf(tool, 'node'), ['main.mjs'], { cwd: project });
    assert.equal(stderr, '');
    return checkPrinted(stdout);
  });
  if (tool === 'node-20.0') continue;
  consumer({ group, consumer: `${major}, \`require\``, tool, grade: 'works' }, async () => {
    const project = await makeProject(`${tool}-require`, { 'main.cjs': required }, { type: 'commonjs' });
    const { stdout } = await run(await programOf(tool, 'node'), ['main.cjs'], { cwd: project });
    return checkPrinted(stdout, NAMES.slice(0, 1));
  });
}

consumer({ group, consumer: 'Bun', tool: 'bun', grade: 'works' }, async () => {
  const project = await makeProject('bun', files);
  const { stdout } = await run(await programOf('bun'), ['main.mjs'], { cwd: project });
  return checkPrinted(stdout);
});

consumer({ group, consumer: 'Deno, `--allow-read`', tool: 'deno', grade: 'works' }, async () => {
  const project = await makeProject('deno', files);
  const { stdout } = await run(await programOf('deno'), ['run', '--no-remote', '--allow-read', 'main.mjs'], { cwd: project });
  return checkPrinted(stdout);
});

// --- workerd, where compiling is forbidden at run time

const answer = (fovea) => `export default { async fetch() {
  try {
    const fovea = await ${fovea};
    return Response.json({ ...fovea.info, printed: JSON.stringify(toNested(fovea.${workedExample}.output)) });
  } catch ({ name, code, message }) {
    return new Response(\`\${name} \${code} \${message}\`, { status: 500 });
  }
} };
`;

/** The response of a worker whose script was bundled as wrangler does it: the .wasm files become modules of their own. */
async function fetchFromWorkerd(name, script) {
  const project = await makeProject(name, { 'main.js': script });
  const { build } = await importTool('esbuild');
  const wasm = [];
  const asModule = {
    name: 'wasm-modules',
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, () => {
        wasm.push('fovea-simd128.wasm');
        return { path: './fovea-simd128.wasm', external: true };
      });
    },
  };
  await build({
    absWorkingDir: project,
    entryPoints: ['main.js'],
    outfile: join(project, 'worker.js'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [asModule],
    logLevel: 'silent',
  });
  for (const file of new Set(wasm)) await copyFile(join(packed, 'dist', file), join(project, file));
  const port = await freePort();
  const modules = ['(name = "worker.js", esModule = embed "worker.js")'];
  for (const file of new Set(wasm)) modules.push(`(name = "${file}", wasm = embed "${file}")`);
  await writeFile(
    join(project, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const main :Workerd.Worker = (modules = [${modules.join(', ')}], compatibilityDate = "2026-01-01");
`,
  );
  const url = `http://127.0.0.1:${port}/`;
  return withServer(await programOf('workerd'), ['serve', 'config.capnp'], { cwd: project, url }, async () =>
    (await fetch(url)).text(),
  );
}

const onlyOne = NAMES.slice(0, 1);

consumer({ group, consumer: 'workerd (Cloudflare), bundled as by wrangler', tool: 'workerd', grade: 'works' }, async () => {
  const text = await fetchFromWorkerd('workerd', `import { load, toNested } from 'fovea';\n${answer('load()')}`);
  return checkPrinted(text, onlyOne);
});

const line = "`import wasmModule from 'fovea/wasm/simd128.wasm'`, `load({ wasmModule })` of fovea/core";
consumer({ group, consumer: 'workerd, `fovea/core`', tool: 'workerd', grade: 'line', line }, async () => {
  const inline = await fetchFromWorkerd(
    'workerd-inline',
    `import { load, toNested } from 'fovea/inline';\n${answer('load()')}`,
  );
  assert.match(inline, /^AttentionError load load: this host compiles no WebAssembly at run time;.*wasmModule/);
  const script = `import wasmModule from 'fovea/wasm/simd128.wasm';
import { load, toNested } from 'fovea/core';
${answer('load({ wasmModule })')}`;
  const text = await fetchFromWorkerd('workerd-core', script);
  return checkPrinted(text, onlyOne);
});
