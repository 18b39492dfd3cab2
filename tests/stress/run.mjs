// `npm run test:stress`: what nobody wrote a test for. node --expose-gc tests/stress/run.mjs [--minutes N] [--seed S]
// Ten minutes unless told otherwise; `npm run test:release` runs one. Every part prints its seed, its time and what it did; the first failure ends the run with 1.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.mjs';
import { describe as describeVisit, usePage } from './page.mjs';
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
const mechanisms = readdirSync(`${built}mechanisms`).map((name) => `mechanisms/${name}`);
tests('mechanisms on drawn sizes and options beside their definitions in double', mechanisms, runs);
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
// Long definitions in double: from ten minutes on.
if (scale >= 1) numerics();
for (const [name, check] of FAULTS) await part(name, () => check(scale));
await part('soak in Node', () => soak({ minutes: Math.max(0.1, 1.5 * scale), say: () => {} }).then(describe));
await part('soak in Chromium', () => soak({ minutes: Math.max(0.1, scale), engine: 'chromium', say: () => {} }).then(describe));
await part('a visitor of the page', () =>
  usePage({ minutes: Math.max(0.2, 2 * scale), seed, say: () => {} }).then(describeVisit),
);
console.log(`stress: passed in ${((performance.now() - start) / 1000).toFixed(0)} s, seed ${seed}`);
// Whatever still holds the process is a leak: it is named, and the run fails.
setTimeout(() => {
  console.log(`stress: FAILED: the process is held by ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, 10_000).unref();

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
  console.log(
    stdout
      .split('\n')
      .filter((line) => !/^ *(ok|---|\.\.\.|duration_ms|type:)/.test(line))
      .join('\n')
      .slice(-6000),
  );
  process.exit(1);
}

function numerics() {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tests/stress/numerics.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  tell('errors under hard inputs', begun, status === 0 ? stdout.trim().replace('numerics: ', '') : 'FAILED');
  if (status === 0) return;
  console.log(stderr.slice(-6000));
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
