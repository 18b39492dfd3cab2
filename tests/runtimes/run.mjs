/**
 * npm run test:runtimes [-- folder of other golden cases]
 * Runs the truth, NaN/Infinity and property tests in build/tests/js on every build of the core: simd128 under the Node that
 * runs this script, relaxed SIMD under Node 24 (installed into tests/runtimes on first use; Node 20 runs relaxed SIMD only
 * behind a flag).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const compiled = join(here, '../../build/tests/js');
const node24 = join(here, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const SUITES = /^(truth_.*|nonfinite|properties_.*)\.test\.js$/;

const RUNS = [
  { title: `simd128, Node ${process.versions.node}`, node: process.execPath, variant: 'simd128' },
  { title: 'relaxed, Node 24', node: node24, variant: 'relaxed' },
];

const files = existsSync(compiled) ? readdirSync(compiled).filter((name) => SUITES.test(name)) : [];
if (files.length === 0) stop('no compiled tests in build/tests/js: run `node scripts/build_tests.mjs` first');
if (!existsSync(node24)) {
  console.log('Node 24 for the relaxed build: npm ci --prefix tests/runtimes');
  const { status } = spawnSync('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0 || !existsSync(node24))
    stop('Node 24 could not be installed; run `npm ci --prefix tests/runtimes` where the npm registry can be reached');
}

const [golden] = process.argv.slice(2);
const failed = RUNS.filter(({ title, node, variant }) => {
  console.log(`\n${title}`);
  const env = {
    ...process.env,
    FOVEA_VARIANT: variant,
    ...(golden && { FOVEA_GOLDEN: resolve(process.env.INIT_CWD ?? '.', golden) }),
  };
  return spawnSync(node, ['--test', ...files.map((name) => join(compiled, name))], { stdio: 'inherit', env }).status !== 0;
});
for (const { title } of failed) console.error(`FAILED: ${title}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function stop(message) {
  console.error(`test:runtimes: ${message}`);
  process.exit(1);
}
