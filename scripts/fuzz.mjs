// `npm run fuzz`: the fuzz targets of tests/cpp/fuzz, natively, with 128-bit vectors as in wasm, under AddressSanitizer and UndefinedBehavior-
// Sanitizer (clang's libFuzzer; Debian: package clang).
//   node scripts/fuzz.mjs [--seconds N] [--from-nothing] [--coverage] [TARGET…]
// Each target runs for N seconds (60 unless given) from its committed inputs, tests/cpp/fuzz/corpus/TARGET (--from-nothing: from none); what it adds is kept in build/fuzz/TARGET,
// and an input that fails in build/fuzz/TARGET-crash-…: give it to the executable to see it again. --coverage runs the inputs of both folders
// once and prints which part of the lines of the target's own sources they reach.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPreset } from './cmake.mjs';
import { findGoogleTest, which } from './toolchain.mjs';

/** The folders of src that a target is to reach. */
const SOURCES = {
  attention: ['src/attention/(attention|problem|score|softmax|dense|decode|cache)', 'src/gemm/(panel_rows|stream)'],
  backward: ['src/attention/backward', 'src/gemm/(matmul_backward|column_sums|transposed_product)'],
  pattern: ['src/attention/pattern', 'src/attention/sparse'],
  linear: ['src/linear_attention'],
  ops: ['src/ops/(softmax|row_norm|conv1d|entmax|sparsemax)', 'src/gemm/(matmul|packed_weights|panels|few_rows|dot)'],
};

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    'from-nothing': { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
  },
});
const targets = positionals.length > 0 ? positionals : Object.keys(SOURCES);
const unknown = targets.find((target) => !(target in SOURCES));
if (unknown !== undefined) throw new Error(`no target "${unknown}": there are ${Object.keys(SOURCES).join(', ')}`);
if (!which('clang++')) throw new Error('clang++ not found: libFuzzer is clang\'s (Debian: "apt-get install clang")');
const googleTest = findGoogleTest();
if (!googleTest) throw new Error('GoogleTest not found: run "npm run setup", or set GOOGLETEST_DIR');

const folder = await buildPreset(
  values.coverage ? 'native-fuzz-coverage' : 'native-fuzz',
  targets.map((target) => `fovea_fuzz_${target}`),
  [`-DFOVEA_GOOGLETEST_DIR=${googleTest}`],
);
const executable = (target) => join(folder, 'tests/cpp/fuzz', `fovea_fuzz_${target}`);
const corpora = (target) =>
  [join(root, 'build/fuzz', target), join(root, 'tests/cpp/fuzz/corpus', target)].filter((path) => existsSync(path));
for (const target of targets) mkdirSync(join(root, 'build/fuzz', target), { recursive: true });
process.exitCode = targets.map(values.coverage ? cover : fuzz).every((passed) => passed) ? 0 : 1;

function fuzz(target) {
  const options = [
    `-max_total_time=${values.seconds}`,
    '-max_len=512',
    '-len_control=0',
    '-entropic=0',
    '-print_final_stats=1',
    '-verbosity=0',
  ];
  const artifacts = `-artifact_prefix=${join(root, 'build/fuzz', `${target}-`)}`;
  const inputs = values['from-nothing'] ? [] : corpora(target);
  const begun = performance.now();
  const { status, stderr } = spawnSync(executable(target), [...options, artifacts, ...inputs], { encoding: 'utf8' });
  const count = (name) => /\d+/.exec(new RegExp(`stat::${name}:\\s*\\d+`).exec(stderr)?.[0] ?? '')?.[0] ?? '?';
  const seed = /Seed: (\d+)/.exec(stderr)?.[1];
  console.log(
    `fuzz ${target}: ${count('number_of_executed_units')} executions, ${count('average_exec_per_sec')} a second, seed ${seed}, ` +
      `in ${((performance.now() - begun) / 1000).toFixed(1)} s, ` +
      `${status === 0 ? 'nothing found' : 'FAILED'}`,
  );
  if (status !== 0) console.log(stderr.slice(-4000));
  return status === 0;
}

function cover(target) {
  const raw = join(folder, `${target}.profraw`);
  const [merged, counted] = [join(folder, `${target}.profdata`), executable(target)];
  const environment = { ...process.env, LLVM_PROFILE_FILE: raw };
  // Each input once, and libFuzzer's own loop not at all.
  const inputs = corpora(target).flatMap((path) => readdirSync(path).map((name) => join(path, name)));
  execFileSync(counted, inputs, { stdio: 'ignore', env: environment, maxBuffer: 1e9 });
  execFileSync('llvm-profdata', ['merge', '-sparse', raw, '-o', merged]);
  const report = execFileSync('llvm-cov', ['export', counted, `-instr-profile=${merged}`, '-summary-only'], {
    ...{ encoding: 'utf8', maxBuffer: 1e9 },
  });
  const own = SOURCES[target].map((pattern) => new RegExp(pattern));
  const files = JSON.parse(report).data[0].files.filter(({ filename }) => own.some((pattern) => pattern.test(filename)));
  const sum = (key) => files.reduce((total, { summary }) => total + summary.lines[key], 0);
  console.log(
    `coverage ${target}: ${((100 * sum('covered')) / sum('count')).toFixed(1)}% of ${sum('count')} lines by ${inputs.length} inputs`,
  );
  for (const { filename, summary } of files)
    if (summary.lines.percent < 85) console.log(`  ${filename.slice(root.length)}: ${summary.lines.percent.toFixed(0)}%`);
  return true;
}
