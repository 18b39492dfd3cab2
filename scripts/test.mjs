// `npm test`: makes what is missing, then runs every suite, prints its time, and repeats the runners' own summaries at the end.
//   --browsers   also gets Firefox and WebKitGTK, so that the smoke tests run in them

import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCollected } from './processes.mjs';
import { ready } from './ready.mjs';
import { slowest } from './test_times.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** `beside`: a script that keeps one core busy while the suite runs, and that a later suite needs; its output is printed where it fails. */
const suites = [
  { name: 'C++, native, sanitized', script: 'test:cpp' },
  { name: 'C++, wasm', script: 'test:wasm' },
  { name: 'JavaScript API and truth', script: 'test:js' },
  { name: 'truth on the other builds, with threads and on relaxed SIMD (Node 24)', script: 'test:variants' },
  { name: 'the packed tarball', script: 'test:package', beside: 'build:page' },
  { name: 'the page and browsers', script: 'test:browsers' },
];

/** Files whose times are printed, of each suite. */
const SHOWN = 5;

/** A line by which CTest, GoogleTest or Node's runner closes. */
const isSummary = (line) =>
  /^(stress: passed|\[ {2}(PASSED|FAILED) {2}\]|\d+% tests passed|(# |ℹ )(tests|pass|fail|skipped) \d)/.test(line);

/** Runs an npm script, its output passed on as it comes. */
function runSuite(suite) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', suite.script], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      chunks.push(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const summary = Buffer.concat(chunks).toString().split('\n').filter(isSummary);
      resolve({ ...suite, passed: code === 0, seconds: (performance.now() - start) / 1000, summary });
    });
  });
}

await ready(process.argv.slice(2));
const results = [];
for (const suite of suites) {
  console.log(`\n=== ${suite.name} (npm run ${suite.script})`);
  const beside = suite.beside && runCollected('npm', ['run', '--silent', suite.beside], { cwd: root });
  const result = await runSuite(suite);
  const { status, output } = (await beside) ?? { status: 0 };
  if (status !== 0) console.log(`npm run ${suite.beside} failed:\n${output}`);
  results.push({ ...result, passed: result.passed && status === 0 });
}
console.log('\n=== All suites');
for (const { name, script, passed, seconds, summary } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(0)} s: ${name}`);
  for (const line of [...summary, ...slowest(script, SHOWN)]) console.log(line);
}
if (results.some((result) => !result.passed)) process.exitCode = 1;
