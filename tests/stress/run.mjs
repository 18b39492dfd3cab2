// `npm run test:stress`: what nobody wrote a test for. node --expose-gc tests/stress/run.mjs [--minutes N] [--seed S]
// Ten minutes unless told otherwise; CI runs one. Every part prints its seed, its time and what it did; the first failure ends the run with 1.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.mjs';
import { soak } from './soak.mjs';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Math.floor(Date.now() / 1000) % 2 ** 31 : Number(values.seed);
const scale = minutes / 10;
const root = fileURLToPath(new URL('../..', import.meta.url));
const built = `${root}build/tests/js/`;
console.log(`stress: ${minutes} minutes, seed ${seed}`);

const start = performance.now();
const properties = readdirSync(built).filter((name) => name.startsWith('properties_') && name.endsWith('.test.js'));
const runs = { FOVEA_RUNS: String(Math.max(0.05, scale)) };
tests('random calls beside their definitions in double', properties, runs);
tests(
  'hostile values, sizes and files',
  [
    ...['fuzz', 'hostile_inputs', 'hostile_sizes', 'files_hostile'].map((name) => `api/${name}.test.js`),
    'page_state.test.js',
    'inputs/kept.test.js',
  ],
  {
    ...runs,
    FOVEA_FUZZ_RUNS: String(Math.max(50, Math.round(5000 * scale))),
  },
);
for (const [name, check] of FAULTS) await part(name, () => check(scale));
await part('soak in Node', () => soak({ minutes: Math.max(0.1, 1.5 * scale), say: () => {} }).then(describe));
await part('soak in Chromium', () => soak({ minutes: Math.max(0.1, scale), engine: 'chromium', say: () => {} }).then(describe));
console.log(`stress: passed in ${((performance.now() - start) / 1000).toFixed(0)} s, seed ${seed}`);
process.exit(0); // threads that were killed in the midst of a call may hold the process

function describe({ total, wasm }) {
  return `${total} calls with the bytes of the first, nothing live, ${wasm} bytes of wasm memory throughout`;
}

/** Files of the suite, with more runs and another seed than theirs. */
function tests(name, files, environment) {
  const begun = performance.now();
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', '--test-reporter=tap', ...files.map((file) => built + file)],
    {
      ...{ cwd: root, encoding: 'utf8', maxBuffer: 1e9, env: { ...process.env, FOVEA_SEED: String(seed), ...environment } },
    },
  );
  const count = (what) => new RegExp(`^# ${what} (\\d+)`, 'm').exec(stdout)?.[1] ?? '?';
  tell(name, begun, `${count('pass')} properties hold, ${count('fail')} fail`);
  if (status === 0) return;
  console.log(stdout.split('\n').filter((line) => !/^ *(ok|---|\.\.\.|duration_ms|type:)/.test(line)).join('\n').slice(-6000)); // prettier-ignore
  process.exit(1);
}

async function part(name, check) {
  const begun = performance.now();
  try {
    tell(name, begun, await check());
  } catch (error) {
    tell(name, begun, 'FAILED');
    console.log(error?.stack ?? error);
    process.exit(1);
  }
}

function tell(name, begun, done) {
  console.log(`stress: ${name}: ${done} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}
