// `npx fovea` of the installed package: files in and out, what it says of bad input, and its exit codes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { installInEmptyProject, root, write } from './support/project.mjs';

const { project } = await installInEmptyProject();
const program = join(project, 'node_modules/.bin/fovea');

/** A run's output, and its exit code. */
function fovea(...args) {
  return new Promise((done) => {
    execFile(program, args, { cwd: project, timeout: 30_000 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

/** A line of a shell, `npx fovea` being the installed program: what it prints, as bytes. */
function shell(line, { input = '' } = {}) {
  return new Promise((done) => {
    const command = `set -o pipefail; ${line.replaceAll('npx fovea', program)}`;
    const options = { cwd: project, timeout: 30_000, encoding: 'buffer', maxBuffer: 2 ** 26 };
    const child = execFile('bash', ['-c', command], options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : error.code, stdout, stderr: stderr.toString() }),
    );
    child.stdin.on('error', () => {}); // a program that reads no stdin has closed it
    child.stdin.end(input);
  });
}

/** A failure is one line for people, after the progress; no stack. */
async function fails(code, pattern, ...args) {
  const result = await fovea(...args);
  assert.equal(result.code, code, `${args.join(' ')}\n${result.stderr}`);
  assert.equal(result.stdout, '');
  assert.match(result.stderr, pattern);
  assert.doesNotMatch(result.stderr, /^\s+at |node:internal|\.js:\d/m);
}

/** An npy file of version 1.0, from NumPy's description of the format. */
function npy(descr, shape, bytes) {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.map((n) => `${n},`).join(' ')}), }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n';
  const size = Buffer.alloc(2);
  size.writeUInt16LE(padded.length);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), size, Buffer.from(padded, 'latin1'), bytes]);
}

/** The numbers of an npy file of little-endian float32. */
function readFloats(file) {
  const start = 10 + file.readUInt16LE(8);
  return Array.from({ length: (file.length - start) / 4 }, (_, n) => file.readFloatLE(start + 4 * n));
}

// Ragged on purpose: 3 queries, 5 keys, keys 2 wide, values 3 wide.
const q = [
  [1, 0.5],
  [-1, 2],
  [0, 0],
];
const k = [
  [1, 0],
  [0, 1],
  [2, -1],
  [0.5, 0.5],
  [-3, 1],
];
const v = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
  [-1, 0, 1],
  [0.25, -4, 2],
];

/** Softmax attention in double, from its definition. */
function attention(allowed = () => true) {
  return q.map((query, i) => {
    const logits = k.map((key, j) =>
      allowed(i, j) ? query.reduce((sum, x, d) => sum + x * key[d], 0) / Math.SQRT2 : -Infinity,
    );
    const exps = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
    const sum = exps.reduce((a, b) => a + b);
    const weights = exps.map((one) => one / sum);
    return { weights, output: v[0].map((_, d) => weights.reduce((total, w, j) => total + w * v[j][d], 0)) };
  });
}

/** Five keys with values up to 9: 40 rounding errors of that size are more than the sums make. */
const tolerance = 40 * 9 * 2 ** -24;
function near(got, want) {
  assert.equal(got.length, want.length);
  got.forEach((x, n) => assert.ok(Math.abs(x - want[n]) <= tolerance, `${n}: ${x} where ${want[n]} is right`));
}

const floats = (rows) => Buffer.from(Float32Array.from(rows.flat()).buffer);
await writeFile(join(project, 'q.npy'), npy('<f4', [3, 2], floats(q)));
await writeFile(join(project, 'wrong.npy'), npy('<f4', [2, 3], floats(q)));
await writeFile(join(project, 'k.npy'), npy('<f8', [5, 2], Buffer.from(Float64Array.from(k.flat()).buffer)));
await write(project, {
  'v.csv': `a,b,c\n${v.map((row) => row.join(', ')).join('\n')}\n`,
  'k.json': JSON.stringify(k),
  'short.csv': '1,2\n3\n',
  'text.csv': '1,two\n',
  'broken.json': '[[1, 2',
  'cut.npy': 'not numpy',
  'big.json': JSON.stringify(Array.from({ length: 3000 }, (_, n) => Array.from({ length: 16 }, (_, d) => Math.sin(n + d)))),
});
const inputs = ['--input', 'q.npy', '--input', 'k.npy', '--input', 'v.csv'];

test('npy, CSV and JSON in, every format out: the numbers are those of the definition', async () => {
  const targets = ['o.npy', 'all.safetensors', 'all.json', 'weights=w.csv'].flatMap((file) => ['--output', file]);
  const { code, stdout, stderr } = await fovea('run', 'scaled_dot', ...inputs, ...targets);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^output +\[3, 3\] .*\nweights +\[3, 5\] /);
  const wanted = attention();
  const output = wanted.flatMap((row) => row.output);
  near(readFloats(await readFile(join(project, 'o.npy'))), output);
  const json = JSON.parse(await readFile(join(project, 'all.json'), 'utf8'));
  near(json.output.flat(), output);
  near(
    json.weights.flat(),
    wanted.flatMap((row) => row.weights),
  );
  const rows = (await readFile(join(project, 'w.csv'), 'utf8')).trim().split('\n');
  near(
    rows.flatMap((row) => row.split(',').map(Number)),
    wanted.flatMap((row) => row.weights),
  );
  const again = await fovea('run', 'scaled_dot', '--json', '-q', '-i', 'q=[[1,0.5]]', '-i', 'k.json', '-i', 'v.csv');
  assert.equal(again.stderr, '');
  near(JSON.parse(again.stdout).results.output.flat(), wanted[0].output);
});

test('a safetensors file of results is an input again, and options are those of the mechanism', async () => {
  await fovea('run', 'scaled_dot', ...inputs, '--output', 'first.safetensors');
  const { stdout, stderr } = await fovea('run', 'saliency', '--json', '-q', '-i', 'x=first.safetensors');
  assert.equal(stdout, '');
  assert.match(stderr, /saliency/);
  const causal = await fovea('run', 'scaled_dot', ...inputs, '-o', 'causal=true', '-o', 'mask=@mask.json', '--json', '-q');
  assert.equal(causal.code, 1);
  assert.match(causal.stderr, /mask\.json: there is no such file/);
  await write(project, { 'mask.json': JSON.stringify(q.map((_, i) => k.map((__, j) => (j === i + 1 ? '-Infinity' : 0)))) });
  const masked = await fovea('run', 'scaled_dot', ...inputs, '-o', 'causal=true', '-o', 'mask=@mask.json', '--json', '-q');
  const wanted = attention((i, j) => j <= i && j !== i + 1);
  near(
    JSON.parse(masked.stdout).results.output.flat(),
    wanted.flatMap((row) => row.output),
  );
});

test('weights come by the dotted names of a state dict', async () => {
  const { params } = JSON.parse((await fovea('list', 'disan', '--json')).stdout);
  assert.deepEqual(params['forward.Wh'], [9, 2]);
  const code = `import { list } from 'fovea/catalog';
import { writeSafetensors } from 'fovea/files';
import { writeFile } from 'node:fs/promises';
const { defaults } = list().find(({ id }) => id === 'disan');
const flat = (values, prefix) => Object.entries(values).flatMap(([name, value]) =>
  Array.isArray(value) || 'data' in value ? [[prefix + name, value]] : flat(value, prefix + name + '.'));
await writeFile('disan.safetensors', writeSafetensors(Object.fromEntries(flat(defaults.params, ''))));
await writeFile('x.json', JSON.stringify(defaults.inputs.x));
`;
  await write(project, { 'weights.mjs': code });
  await new Promise((done) => execFile(process.execPath, ['weights.mjs'], { cwd: project }, done));
  const own = await fovea('run', 'disan', '--json', '-q', '-i', 'x.json', '-p', 'disan.safetensors');
  const example = await fovea('run', 'disan', '--json', '-q');
  assert.equal(own.stderr, '');
  assert.deepEqual(JSON.parse(own.stdout).results, JSON.parse(example.stdout).results);
});

test('mechanisms of the list run on their own examples', async () => {
  const { stdout } = await fovea('list', '--json');
  const ids = JSON.parse(stdout).map(({ id }) => id);
  assert.ok(ids.length > 70);
  const few = ids.filter((_, n) => n % 10 === 0);
  for (const { code, stderr } of await Promise.all(few.map((id) => fovea('run', id, '-q')))) assert.equal(code, 0, stderr);
});

test('every command of docs/cli.md runs', async () => {
  await write(project, { 'keys.csv': k.map((row) => row.join()).join('\n') });
  await writeFile(join(project, 'v.npy'), npy('<f4', [5, 3], floats(v)));
  const page = await readFile(join(root, 'docs/cli.md'), 'utf8');
  const commands = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block]) => block.trim().split('\n'));
  assert.ok(commands.length >= 8);
  for (const command of commands) {
    assert.match(command, /npx fovea /);
    const { code, stdout, stderr } = await shell(command);
    assert.equal(code, 0, `${command}\n${stderr}`);
    if (!command.includes(' > ')) assert.notEqual(stdout.length, 0);
  }
  near(
    readFloats(await readFile(join(project, 'output.npy'))),
    attention().flatMap((row) => row.output),
  );
});

test('- is stdin and stdout, in the formats of --from and --to, and stdout holds nothing else', async () => {
  const wanted = attention();
  const output = wanted.flatMap((row) => row.output);
  const others = '-i k.npy -i v.csv';
  const npyOf = await readFile(join(project, 'q.npy'));
  for (const [from, input] of [
    ['npy', npyOf],
    ['csv', q.map((row) => row.join()).join('\n')],
    ['json', JSON.stringify(q)],
  ]) {
    const { code, stdout, stderr } = await shell(`npx fovea run scaled_dot -i q=- --from ${from} ${others} --to npy`, {
      input,
    });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /stdout: output/);
    near(readFloats(stdout), output);
  }
  const piped = await shell(`cat q.npy | npx fovea run scaled_dot -q -i q=- --from npy ${others} --output weights=- --to csv`);
  assert.equal(piped.stderr, '');
  near(
    piped.stdout.toString().trim().split(/[\n,]/).map(Number),
    wanted.flatMap((row) => row.weights),
  );
  const named = JSON.stringify({ q, k, v });
  const json = await shell('npx fovea run scaled_dot -q -i - --from json --to json', { input: named });
  near(JSON.parse(json.stdout).output.flat(), output);
  const chained = await shell(
    `npx fovea run scaled_dot -q ${inputs.join(' ')} --to safetensors | npx fovea run scaled_dot -q -i q=q.npy -i k.npy -i v.csv -o mask=@- --from csv --to csv`,
  );
  assert.equal(chained.code, 1);
  assert.match(chained.stderr, /^fovea: stdin/);
  const masked = await shell(`npx fovea run scaled_dot -q ${inputs.join(' ')} -o mask=@- --from csv --to csv`, {
    input: q.map(() => k.map((_, j) => (j === 0 ? 0 : '-Infinity')).join()).join('\n'),
  });
  near(
    masked.stdout.toString().trim().split(/[\n,]/).map(Number),
    q.flatMap(() => v[0]),
  );
});

test('a reader of stdout that has seen enough ends the program without a word', async () => {
  const { code, stderr } = await shell(
    'npx fovea run scaled_dot -q -i q=big.json -i k=big.json -i v=big.json --to csv | head -c 1; test ${PIPESTATUS[0]} -eq 0',
  );
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
});

test('doctor says which builds work and which load() takes, and computes with each', async () => {
  const { code, stdout } = await fovea('doctor', '--json');
  const { healthy, variants, choices } = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.equal(healthy, true);
  assert.equal(variants.simd128.works, true);
  assert.match(choices['load({ deterministic: true })'].says, /^simd128, 1 thread: /);
  assert.match((await fovea('doctor')).stdout, /builds of the core\n(yes|no ) {2}relaxed/);
});

test('bench prints the median, the quartiles and how many calls they are of', async () => {
  const { code, stdout } = await fovea(
    'bench',
    '--tokens',
    '32',
    '--heads',
    '2',
    '--width',
    '8',
    '--seconds',
    '1',
    '--json',
    '-q',
  );
  const { median, quartiles, runs, milliseconds, gflops } = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.equal(milliseconds.length, runs);
  assert.ok(quartiles[0] <= median && median <= quartiles[1]);
  const sorted = milliseconds.toSorted?.((a, b) => a - b) ?? [...milliseconds].sort((a, b) => a - b);
  assert.ok(sorted[Math.floor((runs - 1) / 2)] <= median && median <= sorted[Math.ceil((runs - 1) / 2)]);
  assert.ok(Math.abs(gflops - (4 * 2 * 32 * 32 * 8) / median / 1e6) <= 1e-9 * gflops);
});

test('a wrong command line exits with 2, a file or computation that fails with 1, each with one kind line', async () => {
  await fails(2, /there is no command 'rum'; there are run, list, bench, doctor/, 'rum');
  await fails(2, /there is no mechanism 'sparse'; near it: sparse_transformer, sparsemax/, 'run', 'sparse');
  await fails(2, /Unknown option '--frob'/, 'run', 'scaled_dot', '--frob');
  await fails(2, /takes the inputs q, k, v; got them without k, v/, 'run', 'scaled_dot', '-i', 'q.npy');
  await fails(2, /with weird/, 'run', 'scaled_dot', ...inputs, '-i', 'weird=[1]');
  await fails(2, /'q' is given twice/, 'run', 'scaled_dot', '-i', 'q.npy', '-i', 'q.npy');
  await fails(2, /ends in none of/, 'run', 'scaled_dot', '--output', 'x.txt');
  await fails(2, /--seconds must be a whole number from 1 on, got '0'/, 'bench', '--seconds', '0');
  await fails(2, /'1x' is no JSON/, 'run', 'scaled_dot', '-o', 'causal=1x');
  await fails(2, /'-Infinity' is no JSON/, 'run', 'scaled_dot', '-o', 'scale=-Infinity');
  await fails(2, /'NaN' is no JSON/, 'run', 'scaled_dot', '-o', 'scale=NaN');
  await fails(2, /is no JSON/, 'run', 'scaled_dot', '-i', 'q=[[1,2]');
  await fails(2, /--from says its format, npy, safetensors, csv, json/, 'run', 'scaled_dot', '-i', 'q=-');
  await fails(2, /--from must be one of .*, got 'xml'/, 'run', 'scaled_dot', '-i', 'q=-', '--from', 'xml');
  await fails(2, /no argument reads it/, 'run', 'scaled_dot', '--from', 'npy');
  await fails(2, /beside the id of a mechanism/, 'bench', '--from', 'npy');
  await fails(2, /--to says its format/, 'run', 'scaled_dot', '--output', '-');
  await fails(2, /2 results are for stdout/, 'run', 'scaled_dot', '--output', '-', '--output', 'weights=-', '--to', 'csv');
  await fails(2, /would both write to stdout/, 'run', 'scaled_dot', '--json', '--to', 'csv');
  const twice = await shell('npx fovea run scaled_dot -i q=- -i k=- --from csv', { input: '1,2\n' });
  assert.equal(twice.code, 2);
  assert.match(twice.stderr, /stdin is read by another argument already/);
  const nameless = await shell('npx fovea run scaled_dot -i - --from csv', { input: '1,2\n' });
  assert.equal(nameless.code, 2);
  assert.match(nameless.stderr, /write --input NAME=-/);
  const broken = await shell('npx fovea run scaled_dot -i q=- --from npy', { input: 'text' });
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /^fovea: stdin: /m);
  await fails(1, /^fovea: none\.npy: there is no such file\n$/, 'run', 'scaled_dot', '-i', 'q=none.npy');
  await fails(1, /cut\.npy/, 'run', 'scaled_dot', '-i', 'q=cut.npy');
  await fails(1, /short\.csv, line 2: 1 numbers where the first row has 2/, 'run', 'scaled_dot', '-i', 'q=short.csv');
  await fails(1, /text\.csv, line 1, column 2: 'two' is no number/, 'run', 'scaled_dot', '-i', 'q=text.csv');
  await fails(1, /broken\.json is no JSON/, 'run', 'scaled_dot', '-i', 'broken.json');
  await fails(1, /q and k must/, 'run', 'scaled_dot', '-i', 'q=wrong.npy', '-i', 'k.npy', '-i', 'v.csv');
  await fails(1, /did you mean 'causal'/, 'run', 'scaled_dot', '-o', 'causl=true');
  await fails(1, /cannot be written/, 'run', 'scaled_dot', '--output', 'no/such/folder/o.npy');
  await fails(1, /variant/, 'run', 'scaled_dot', '--variant', 'fast');
  const { code, stdout } = await fovea('run', '--help');
  assert.equal(code, 0);
  assert.match(stdout, /-i, --input FILE/);
  assert.equal((await fovea()).code, 2);
  assert.equal((await fovea('--version')).stdout, '0.1.0\n');
});
