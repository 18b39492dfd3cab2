/**
 * npm run conformance -- DIR
 * Runs the published cases of ONNX and ONNX Runtime in DIR/onnx and DIR/ort (format attn-truth/1) through the package and
 * prints what passed by operator. FOVEA_VARIANT picks the build. Exit code 1 when a case fails.
 */
import { resolve } from 'node:path';
import { load } from 'fovea';
import { NotApplicable } from './arrays.mjs';
import { findCases, readCase } from './case_files.mjs';
import { compare, firstDifference, sourceTolerance } from './compare.mjs';
import { operatorOf, runnerOf } from './operators/index.mjs';

const [argument] = process.argv.slice(2);
if (argument === undefined)
  stop('usage: npm run conformance -- DIR   (DIR has the folders onnx and ort of attn-truth/1 cases)');
// npm runs scripts in the package's folder and says in INIT_CWD where it was called.
const folder = resolve(process.env.INIT_CWD ?? '.', argument);
const files = findCases(folder);
if (files === null) stop(`conformance: ${folder} has no folder onnx or ort with cases`);
if (files.length === 0) stop(`conformance: no .json files in ${folder}/onnx and ${folder}/ort`);

const variant = process.env.FOVEA_VARIANT;
const fovea = await load(variant ? { variant } : {});
const results = files.map((path) => ({ path, ...runCase(path) }));
fovea.dispose();
report(results);
process.exitCode = results.some((result) => result.failure !== null) ? 1 : 0;

/** { operator, failure: null or why, notApplicable: null or why, ratio, error } */
function runCase(path) {
  const c = readCase(path);
  const operator = operatorOf(c);
  const result = { operator, failure: null, notApplicable: null, ratio: 0, error: 0 };
  const run = runnerOf(operator);
  if (run === undefined) return { ...result, notApplicable: 'no such function yet' };
  try {
    const got = run(fovea, c, { returnWeights: false });
    const tolerance = sourceTolerance(path, c.tolerance_in_source);
    for (const [name, want] of Object.entries(c.outputs)) {
      const { failure, ratio, error } = compare(name, got.outputs[name], want, tolerance);
      if (failure !== null) return { ...result, failure };
      result.ratio = Math.max(result.ratio, ratio);
      result.error = Math.max(result.error, error);
    }
    result.failure = differsWithWeights(run, c, got);
  } catch (error) {
    if (error instanceof NotApplicable) result.notApplicable = error.message;
    else result.failure = error instanceof Error ? error.message : String(error);
  }
  return result;
}

/** Asking for the weights must not change a bit of any output. */
function differsWithWeights(run, c, bare) {
  const full = run(fovea, c, { returnWeights: true });
  for (const name of Object.keys(c.outputs)) {
    const at = firstDifference(bare.outputs[name].data, full.outputs[name].data);
    if (at !== -1)
      return `${name}[${at}] is ${full.outputs[name].data[at]} with returnWeights, ${bare.outputs[name].data[at]} without`;
  }
  return null;
}

function report(results) {
  const rows = [];
  for (const operator of [...new Set(results.map((result) => result.operator))].sort()) {
    const own = results.filter((result) => result.operator === operator);
    const ran = own.filter((result) => result.notApplicable === null);
    const passed = ran.filter((result) => result.failure === null);
    rows.push({
      operator,
      passed: passed.length,
      'of these within 2^-20': passed.filter((result) => result.ratio <= 1).length,
      failed: ran.length - passed.length,
      'not applicable': own.length - ran.length,
      'worst error': passed.length === 0 ? '' : Math.max(...passed.map((result) => result.error)).toPrecision(2),
    });
  }
  const total = Object.fromEntries(
    ['passed', 'of these within 2^-20', 'failed', 'not applicable'].map((column) => [
      column,
      rows.reduce((sum, row) => sum + row[column], 0),
    ]),
  );
  printTable([...rows, { operator: 'all', ...total, 'worst error': '' }]);

  printGroups(
    'Passed at the tolerance of their own suite only (worst error over 2^-20 of the largest value):',
    results
      .filter((result) => result.failure === null && result.ratio > 1)
      .map((result) => [`${result.operator}: ${nameOf(result.path)}, ${result.ratio.toPrecision(3)}`, null]),
  );
  printGroups(
    'Not applicable:',
    grouped(
      results.filter((result) => result.notApplicable !== null),
      (result) => `${result.operator}: ${result.notApplicable}`,
    ),
  );
  printGroups(
    'FAILED:',
    results
      .filter((result) => result.failure !== null)
      .map((result) => [`${result.operator}: ${nameOf(result.path)}: ${result.failure}`, null]),
  );
  console.log(
    `\n${results.length} cases on ${fovea.info.variant}: ${total.passed} passed, ${total.failed} failed, ${total['not applicable']} not applicable`,
  );
}

function grouped(list, keyOf) {
  const counts = new Map();
  for (const entry of list) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  return [...counts].sort();
}

function printTable(rows) {
  const columns = Object.keys(rows[0]);
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells) =>
    cells
      .map((cell, n) => (n === 0 ? String(cell).padEnd(widths[n]) : String(cell).padStart(widths[n])))
      .join('  ')
      .trimEnd();
  console.log(line(columns));
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) console.log(line(columns.map((column) => row[column])));
}

function printGroups(title, entries) {
  if (entries.length === 0) return;
  console.log(`\n${title}`);
  for (const [text, count] of entries) console.log(`  ${count === null ? '' : `${String(count).padStart(3)}  `}${text}`);
}

function nameOf(path) {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .at(-1)
    .replace(/\.json$/, '');
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
