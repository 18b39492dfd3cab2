/**
 * npm run bits -- write FILE [--package DIR] [--variant NAME]
 * npm run bits -- compare FILE [--package DIR] [--variant NAME] [--allow PREFIX]
 * Writes the bits of the results of 2,000 seeded calls over all entries and options, or makes the same calls and compares: it shows
 * that a change of the code has changed no bit. DIR is a folder with a built package (default: this repository), NAME a build of
 * the core (default: FOVEA_VARIANT, else simd128). A call that throws counts by the code of its error.
 * --allow: calls whose function, or 'FUNCTION option', begins with PREFIX may differ; they are listed, and do not fail.
 * Compare under the version of Node that wrote the file: relaxed SIMD's bits may change from one engine to another.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeCall } from './bits/context.mjs';
import { openPackage } from './bits/names.mjs';
import { calls as attentionCalls } from './bits/calls_attention.mjs';
import { calls as layerCalls } from './bits/calls_layers.mjs';
import { calls as linearCalls } from './bits/calls_linear.mjs';
import { calls as moduleCalls } from './bits/calls_modules.mjs';
import { calls as statefulCalls } from './bits/calls_stateful.mjs';
import { printCoverage } from './bits/coverage.mjs';

const COUNT = 2000;
const FUNCTIONS = Object.entries({ ...attentionCalls, ...linearCalls, ...statefulCalls, ...layerCalls, ...moduleCalls });
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const { values, positionals } = readArguments();
const [command, given] = positionals;
const { variant, allow } = values;
// npm runs scripts in the package's folder and says in INIT_CWD where it was called.
const from = process.env.INIT_CWD ?? '.';
const file = resolve(from, given);
if (variant.startsWith('relaxed') && Number(process.versions.node.split('.')[0]) < 24) rerunWithNode24();
else await main();

async function main() {
  const api = await openPackage(values.package === undefined ? root : resolve(from, values.package));
  const fovea = await api.load({ variant, threads: variant.endsWith('-threads') ? 2 : 1 });
  const records = schedule().map(([fn, run], index) => makeCall(index, fn, run, fovea, api));
  const { live } = fovea.memory();
  fovea.dispose();
  if (live !== 0) console.log(`${live} bytes of wasm memory were not freed`);
  if (command === 'write') write(records);
  else compare(records);
}

/** The functions of all calls, spread evenly by their weights. */
function schedule() {
  const total = FUNCTIONS.reduce((sum, [, [weight]]) => sum + weight, 0);
  const used = FUNCTIONS.map(() => 0);
  return Array.from({ length: COUNT }, (_, index) => {
    const shortage = FUNCTIONS.map(([, [weight]], n) => (weight / total) * (index + 1) - used[n]);
    const n = shortage.indexOf(Math.max(...shortage));
    used[n]++;
    return [FUNCTIONS[n][0], FUNCTIONS[n][1][1]];
  });
}

function write(records) {
  const head = { calls: records.length, variant, node: process.version };
  const lines = records.map(({ message, ...kept }) => kept);
  writeFileSync(file, [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  printCoverage(records);
  console.log(`\n${records.length} calls on ${variant} written to ${file}`);
}

function compare(records) {
  const [head, ...before] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (head.node !== process.version) console.log(`written with Node ${head.node}, compared with ${process.version}`);
  if (head.variant !== variant) console.log(`written with ${head.variant}, compared with ${variant}`);
  const differences = Array.from({ length: Math.max(before.length, records.length) }, (_, n) => ({
    record: records[n] ?? before[n],
    why: differenceOf(before[n], records[n]),
  })).filter(({ why }) => why !== null);
  const allowed = differences.filter(({ record }) => isAllowed(record));
  const refused = differences.filter(({ record }) => !isAllowed(record));
  console.log(
    `${records.length} calls, ${refused.length} differ${allow === undefined ? '' : `, ${allowed.length} more are allowed to ('${allow}')`}`,
  );
  for (const { record, why } of refused.slice(0, 10)) console.log(`\n#${record.call} ${why}\n  ${record.text}`);
  if (allowed.length > 0) console.log('\nAllowed differences:');
  for (const { record, why } of allowed) console.log(`#${record.call} ${record.fn}: ${why}`);
  process.exitCode = refused.length === 0 ? 0 : 1;
}

function isAllowed({ fn, options }) {
  return allow !== undefined && [fn, ...options.map((option) => `${fn} ${option}`)].some((name) => name.startsWith(allow));
}

/** How a call's results differ from those in the file; null = not at all. */
function differenceOf(then, now) {
  if (then === undefined || now === undefined) return `only ${then === undefined ? 'now' : 'then'}: another number of calls`;
  const outcome = ({ error, message }) =>
    error === undefined ? 'results' : `the error ${error}${message === undefined ? '' : ` (${message})`}`;
  if (then.fn !== now.fn) return `was ${then.fn}, is ${now.fn}: written by another version of this script`;
  if (then.error !== now.error) return `had ${outcome(then)}, has ${outcome(now)}`;
  if (then.draws !== now.draws) return 'other arguments were drawn: written by another version of this script';
  if (then.error !== undefined) return null;
  const names = [...new Set([...Object.keys(then.results), ...Object.keys(now.results)])];
  const other = names.filter((name) => then.results[name] !== now.results[name]);
  const text = (name) =>
    `${name}${then.results[name] === undefined ? ' (new)' : now.results[name] === undefined ? ' (gone)' : ''}`;
  return other.length === 0 ? null : `differs in ${other.map(text).join(', ')} of ${names.length} results`;
}

function readArguments() {
  const string = { type: 'string' };
  const defaults = { type: 'string', default: process.env.FOVEA_VARIANT || 'simd128' };
  const parsed = parseArgs({ allowPositionals: true, options: { package: string, allow: string, variant: defaults } });
  const [command, file] = parsed.positionals;
  if (!['write', 'compare'].includes(command) || file === undefined) {
    console.error('usage: npm run bits -- write|compare FILE [--package DIR] [--variant NAME] [--allow PREFIX]');
    process.exit(2);
  }
  return parsed;
}

function rerunWithNode24() {
  const on = join(root, 'tests/runtimes/on.mjs');
  const { status } = spawnSync(process.execPath, [on, variant, ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
