/**
 * npm run test:relaxed [-- folder of other golden cases]
 * Runs the truth, NaN/Infinity and property tests in build/tests/js on the relaxed build, under Node 24, which is installed
 * into tests/runtimes on first use: Node 20 runs relaxed SIMD only behind a flag. (On simd128 `npm run test:js` runs them.)
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const compiled = join(here, '../../build/tests/js');
const node24 = join(here, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const SUITES = /^(truth_.*|nonfinite|properties_.*)\.test\.js$/;

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
const env = {
  ...process.env,
  FOVEA_VARIANT: 'relaxed',
  ...(golden && { FOVEA_GOLDEN: resolve(process.env.INIT_CWD ?? '.', golden) }),
};
const tests = files.map((name) => join(compiled, name));
process.exitCode = spawnSync(node24, ['--test', '--test-reporter=tap', ...tests], { stdio: 'inherit', env }).status ?? 1;

function stop(message) {
  console.error(`test:relaxed: ${message}`);
  process.exit(1);
}
