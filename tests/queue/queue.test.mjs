// Attention over shards of the keys in several processes, by BullMQ on Redis: the numbers are those of one call, a part that fails is tried again, what was
// asked for twice is computed once, and a worker that is killed loses nothing. npm run test:queue: it installs BullMQ from the registry.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installInEmptyProject, root, run } from '../package/support/project.mjs';
import { startRedis } from './redis.mjs';

const PACKAGES = ['bullmq@6.7.0', 'ioredis@5.8.2'];
const here = join(root, 'tests/queue');
const [heads, queries, width, valueWidth] = [3, 5, 16, 8];
/** Ragged shards, one of a single key. */
const sizes = [257, 1, 130, 64];

let redis, project, folder, asking, fovea, q, keys, values, shards;
const machines = [];

/** Seeded numbers between -1 and 1. */
function noise(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
}
const random = (seed, ...shape) => ({ shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, noise(seed)) });

before(async () => {
  redis = await startRedis();
  ({ project } = await installInEmptyProject());
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], { cwd: project, timeout: 120_000 });
  for (const name of ['attention_flow.mjs', 'worker.mjs']) await copyFile(join(here, name), join(project, name));
  await writeFile(
    join(project, 'exports.mjs'),
    "export * from 'fovea';\nexport * from 'fovea/files';\nexport * from './attention_flow.mjs';\n",
  );
  const { load, writeNpy, writeSafetensors, Attention } = await import(pathToFileURL(join(project, 'exports.mjs')));
  fovea = await load({ deterministic: true });

  folder = join(project, 'data');
  await mkdir(folder);
  const total = sizes.reduce((a, b) => a + b);
  q = random(1, heads, queries, width);
  [keys, values] = [random(2, heads, total, width), random(3, heads, total, valueWidth)];
  let first = 0;
  shards = [];
  for (const [n, size] of sizes.entries()) {
    const part = (array) => {
      const tensor = fovea.tensor(array);
      const own = tensor.slice(1, first, first + size).toArray();
      tensor.dispose();
      return own;
    };
    await writeFile(join(folder, `shard${n}.safetensors`), writeSafetensors({ keys: part(keys), values: part(values) }));
    shards.push({ name: `shard${n}`, version: 1, first, keys: size });
    first += size;
  }
  for (const n of [0, 1, 2]) await writeFile(join(folder, `page${n}.npy`), writeNpy(random(10 + n, 7 + n, width)));
  asking = new Attention({ host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null });
});

after(async () => {
  for (const machine of machines) machine.kill('SIGKILL');
  await asking?.close();
  fovea?.dispose();
  await redis?.stop();
});

/** Another process that computes; `lines` are those that it has printed. */
async function startMachine(...settings) {
  const child = spawn(process.execPath, ['worker.mjs', String(redis.port), folder, ...settings.map(String)], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  machines.push(child);
  child.lines = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => child.lines.push(line));
  await printed(child, 'ready');
  return child;
}

async function printed(machine, line) {
  for (let tries = 0; !machine.lines.some((one) => one.startsWith(line)); tries++) {
    assert.ok(tries < 600, `no line '${line}' in a minute; there are ${machine.lines.join(', ')}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function stop(machine) {
  const exit = machine.exitCode === null && machine.signalCode === null ? once(machine, 'exit') : undefined;
  machine.kill('SIGKILL');
  await exit;
}

/** Attention from its definition, in double; `allowed` says which query sees which key. */
function definition(allowed, scale = 1 / Math.sqrt(width)) {
  const total = keys.shape[1];
  const output = new Float64Array(heads * queries * valueWidth);
  const lse = new Float64Array(heads * queries);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < queries; i++) {
      const logits = Array.from({ length: total }, (_, j) => {
        if (!allowed(i, j)) return -Infinity;
        let sum = 0;
        for (let d = 0; d < width; d++) sum += q.data[(h * queries + i) * width + d] * keys.data[(h * total + j) * width + d];
        return sum * scale;
      });
      const most = Math.max(...logits);
      const exps = logits.map((logit) => Math.exp(logit - most));
      const sum = exps.reduce((a, b) => a + b);
      lse[h * queries + i] = most + Math.log(sum);
      for (let d = 0; d < valueWidth; d++)
        for (let j = 0; j < total; j++)
          output[(h * queries + i) * valueWidth + d] += (exps[j] / sum) * values.data[(h * total + j) * valueWidth + d];
    }
  }
  return { output, lse };
}

const worst = (got, want) => got.reduce((most, x, n) => Math.max(most, Math.abs(x - want[n])), 0);

/** Twice the error of one call in float32, and the roundings of joining the parts: some 4 for each of them, of numbers up to `scale`. */
function isAsGoodAsOneCall(got, one, truth, scale) {
  const bound = 2 * worst(one, truth) + 4 * sizes.length * 2 ** -24 * scale;
  assert.equal(got.length, truth.length);
  assert.ok(worst(got, truth) <= bound, `off by ${worst(got, truth)}, at most ${bound} is right`);
}

function check(result, options, allowed) {
  const one = fovea.attention(q, keys, values, { ...options, returnLse: true });
  const truth = definition(allowed, options.scale);
  isAsGoodAsOneCall(result.output.data, one.output.data, truth.output, 1);
  isAsGoodAsOneCall(result.lse.data, one.lse.data, truth.lse, Math.max(...truth.lse.map(Math.abs)));
  assert.deepEqual([result.output.shape, result.lse.shape], [one.output.shape, one.lse.shape]);
}

const begun = () => machines.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')));

test(
  'parts of several machines make the result of one call, at its bound; asked for again, nothing is computed',
  { timeout: 60_000 },
  async () => {
    const both = [await startMachine(), await startMachine()];
    const results = await Promise.all([asking.attend(q, shards), asking.attend(q, shards)]);
    for (const result of results) check(result, {}, () => true);
    assert.deepEqual(
      begun().sort(),
      shards.map(({ name }) => `begin ${name}`),
    );
    const again = await asking.attend(q, shards);
    assert.deepEqual(again, results[0]);
    assert.equal(begun().length, shards.length);
    const three = await asking.attend(q, shards.slice(0, 3));
    assert.throws(() => check(three, {}, () => true), /at most .* is right/); // a part left out is found
    await Promise.all(both.map(stop));
  },
);

test('causal masks and windows count positions over all shards', { timeout: 60_000 }, async () => {
  const machine = await startMachine();
  const options = { causal: true, causalOffset: 300, window: [200, 0] };
  check(await asking.attend(q, shards, options), options, (i, j) => j <= i + 300 && j >= i + 300 - 200);
  await stop(machine);
});

test('a part that fails is tried again', { timeout: 60_000 }, async () => {
  const machine = await startMachine(0, 'shard2');
  check(await asking.attend(q, shards, { scale: 0.25 }), { scale: 0.25 }, () => true);
  assert.equal(machine.lines.filter((line) => line === 'begin shard2').length, 2);
  await stop(machine);
});

test('a worker that is killed in the midst of a part loses nothing', { timeout: 60_000 }, async () => {
  const dying = await startMachine(60_000); // it would take a minute
  const result = asking.attend(q, shards, { scale: 0.5 });
  await printed(dying, 'begin shard');
  const [, held] = dying.lines.find((line) => line.startsWith('begin')).split(' ');
  const living = await startMachine();
  await stop(dying);
  const { output, lse } = await result;
  assert.ok(!dying.lines.some((line) => line.startsWith('done')));
  assert.ok(living.lines.includes(`begin ${held}`), 'the part of the dead worker was begun anew');
  check({ output, lse }, { scale: 0.5 }, () => true);
  // And the bytes are those of parts that nobody has killed.
  const parts = shards.map(({ first, keys: size }) => {
    const of = (array) => fovea.tensor(array).slice(1, first, first + size);
    return fovea.scope(() => {
      const part = fovea.attention(fovea.tensor(q), of(keys), of(values), { scale: 0.5, returnLse: true });
      return { output: part.output.toArray(), lse: part.lse.toArray() };
    });
  });
  assert.deepEqual(Buffer.from(output.data.buffer), Buffer.from(fovea.combine(parts).output.data.buffer));
  await stop(living);
});

test('a batch of documents comes back in its order', { timeout: 60_000 }, async () => {
  const machine = await startMachine();
  const outputs = await asking.attendDocuments([2, 0, 1].map((n) => ({ name: `page${n}`, version: 1 })));
  assert.deepEqual(
    outputs.map(({ shape }) => shape),
    [9, 7, 8].map((tokens) => [tokens, width]),
  );
  const x = random(12, 9, width);
  assert.deepEqual(outputs[0].data, fovea.attention(x, x, x).output.data);
  await stop(machine);
});

test(
  'a part that cannot be had fails the whole and says why; once it is there, the same question is answered',
  { timeout: 60_000 },
  async () => {
    const machine = await startMachine();
    const late = { name: 'late', version: 1, first: 0, keys: sizes[0] };
    await assert.rejects(asking.attend(q, [late]), /shard: .*late\.safetensors.*no such file/);
    await copyFile(join(folder, 'shard0.safetensors'), join(folder, 'late.safetensors'));
    const { output } = await asking.attend(q, [late]);
    assert.deepEqual(output, (await asking.attend(q, shards.slice(0, 1))).output);
    await stop(machine);
  },
);

test('the programs of the recipe run, with this Redis and these folders in place of theirs', { timeout: 60_000 }, async () => {
  const page = await readFile(join(root, 'docs/recipes/many-machines.md'), 'utf8');
  const [machine, asker] = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) =>
    code.replace("'redis.internal', port: 6379", `'127.0.0.1', port: ${redis.port}`).replaceAll('/data/', `${folder}/`),
  );
  await copyFile(join(folder, 'shard0.safetensors'), join(folder, 'chapter1.safetensors'));
  await copyFile(join(folder, 'shard2.safetensors'), join(folder, 'chapter2.safetensors'));
  const before = "import { writeSafetensors } from 'fovea/files';\nimport { writeFileSync } from 'node:fs';\n";
  const pages = `for (const n of [1, 2]) writeFileSync('${folder}/page' + n + '.safetensors', writeSafetensors({ x: [[n, 0], [0, n]] }));\n`;
  await writeFile(join(project, 'machine.mjs'), `${before}${pages}${machine}console.log('ready');\n`);
  const query = `const q = { data: new Float32Array(${q.data.length}).fill(0.1), shape: [${q.shape}] };\n`;
  const print =
    'console.log(JSON.stringify([output.shape, lse.shape, pages.map(({ shape }) => shape)]));\nawait attention.close();\n';
  await writeFile(join(project, 'asker.mjs'), `${query}${asker}${print}`);
  const child = spawn(process.execPath, ['machine.mjs'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  machines.push(child);
  child.lines = [];
  createInterface(child.stdout).on('line', (line) => child.lines.push(line));
  await printed(child, 'ready');
  const { stdout } = await run(process.execPath, ['asker.mjs'], { cwd: project });
  assert.deepEqual(JSON.parse(stdout), [[heads, queries, valueWidth], [heads, queries], [[2, 2], [2, 2]]]); // prettier-ignore
  await stop(child);
});

test('the recipe has the module as it is tested here', { timeout: 60_000 }, async () => {
  const page = await readFile(join(root, 'docs/recipes/many-machines.md'), 'utf8');
  const [, shown] = /^```mjs\n([^]*?)^```$/m.exec(page);
  assert.equal(shown, await readFile(join(here, 'attention_flow.mjs'), 'utf8'));
});
