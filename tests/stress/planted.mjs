// `npm run test:planted`: are faults found, and how soon? node tests/stress/planted.mjs [--seconds N] [WORD…]
// Each fault of planted_faults.mjs (those whose name has one of the words) is put into a copy of the sources; its finder has N seconds (300 unless told
// otherwise) to fail: a fuzz target from its committed inputs, and once more from none. Before them, each finder must find nothing without a fault.
// Prints a table, and ends with 1 where a fault was not found. Needs clang and a built core (npm run build).

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from './planted_faults.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '300' } },
});
const chosen = FAULTS.filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)));
const copy = join(root, 'build/planted');

copySources();
for (const finder of new Map(chosen.map(({ finder }) => [JSON.stringify(finder), finder])).values()) findNothing(finder);
const found = chosen.map(find);
console.log('\n| fault | found by | in |\n|---|---|---|');
for (const { name, by, seconds } of found) console.log(`| ${name} | ${by} | ${seconds ?? 'not found'} |`);
process.exitCode = found.every(({ seconds }) => seconds !== null) ? 0 : 1;

/** The files of the repository as they are now, with what building in place has made of them. */
function copySources() {
  rmSync(join(copy, 'bindings'), { recursive: true, force: true });
  for (const path of execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)) {
    if (!existsSync(join(root, path))) continue;
    const to = join(copy, path);
    const content = readFileSync(join(root, path));
    // A file that has not changed keeps its time, and is not compiled anew.
    if (existsSync(to) && readFileSync(to).equals(content)) continue;
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
  }
  for (const name of ['node_modules', '.toolchain']) {
    if (!existsSync(join(copy, name))) symlinkSync(join(root, name), join(copy, name));
  }
  for (const name of ['wasm', 'generated']) cpSync(join(root, 'build', name), join(copy, 'build', name), { recursive: true });
}

/** How long its finder took to fail, without what building takes; null where it did not fail. */
function find({ name, edits, finder }) {
  const before = new Map();
  for (const { file, before: text, after } of edits) {
    const path = join(copy, file);
    const content = readFileSync(path, 'utf8');
    if (!before.has(path)) before.set(path, content);
    if (content.split(text).length !== 2) throw new Error(`${file} does not hold once: ${text}`);
    writeFileSync(
      path,
      content.replace(text, () => after),
    );
  }
  const { by, seconds } = finder.fuzz ? findByFuzzing(finder.fuzz) : findByTests(finder.tests);
  for (const [path, content] of before) writeFileSync(path, content);
  console.log(`planted: ${name}: ${seconds === null ? `not found by ${by}` : `found by ${by} in ${seconds}`}`);
  return { name, by, seconds };
}

function findByFuzzing(target) {
  const by = `fuzz target ${target}`;
  const inputs = fuzz(target, values.seconds);
  const nothing = fuzz(target, values.seconds, '--from-nothing');
  return { by, seconds: inputs && `${inputs}; from no input ${nothing ?? `not in ${values.seconds} s`}` };
}

/** How long a target took to fail, and in how many executions; null where it did not. */
function fuzz(target, seconds, ...more) {
  rmSync(join(copy, 'build/fuzz'), { recursive: true, force: true });
  const { stdout, stderr } = run(process.execPath, ['scripts/fuzz.mjs', '--seconds', seconds, ...more, target]);
  const [, executions, took, outcome] = /(\d+) executions.*in ([\d.]+) s.*(nothing found|FAILED)/.exec(stdout) ?? [];
  if (outcome === undefined) throw new Error(`the fuzz target was not built:\n${stdout.slice(-3000)}\n${stderr.slice(-3000)}`);
  return outcome === 'FAILED' ? `${took} s (${executions} executions)` : null;
}

/** A finder that fails without a fault would find anything. */
function findNothing(finder) {
  const failed = finder.fuzz ? fuzz(finder.fuzz, '10') : findByTests(finder.tests).seconds;
  if (failed !== null) throw new Error(`${JSON.stringify(finder)} fails without a fault`);
}

function findByTests(tests) {
  for (const step of [['scripts/build_js.mjs'], ['scripts/build_tests.mjs']]) {
    const { status, stderr } = run(process.execPath, step);
    if (status !== 0) throw new Error(`${step} failed:\n${stderr.slice(-3000)}`);
  }
  const begun = performance.now();
  for (const test of tests) {
    const { status } = run(process.execPath, ['--test', `build/tests/js/${test}`], Number(values.seconds));
    if (status !== 0)
      return { by: test.replace('.test.js', ''), seconds: `${((performance.now() - begun) / 1000).toFixed(1)} s` };
  }
  return { by: tests.join(', '), seconds: null };
}

function run(command, args, seconds) {
  return spawnSync(command, args, {
    ...{ cwd: copy, encoding: 'utf8', maxBuffer: 1e9 },
    ...(seconds && { timeout: 1000 * seconds }),
  });
}
