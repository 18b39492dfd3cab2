/**
 * Compiles tests/js/**\/*.test.ts, those that run before a release alone (*.release_test.ts), and the workers that they start, into build/tests/js, for
 * `node --test build/tests/js/` (Node 20 strips no types).
 * Relative imports are bundled into each test; packages, `fovea` first among them, stay imports, so that the tests use the
 * package by its published name, as a user would.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generateAbi } from './generate_abi.mjs';
import { generateLists } from './generate_lists.mjs';
import { generateTexts } from './generate_texts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = await readdir(`${root}tests/js`, { recursive: true });
const pathsOf = (ending) => files.filter((path) => path.endsWith(ending)).map((path) => `${root}tests/js/${path}`);
const tests = [...pathsOf('.test.ts'), ...pathsOf('.release_test.ts')];

generateAbi();
generateLists();
generateTexts();
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

await rm(`${root}build/tests/js`, { recursive: true, force: true });
await build({
  entryPoints: [...tests, ...pathsOf('_worker.ts')],
  outdir: `${root}build/tests/js`,
  outbase: `${root}tests/js`,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  define: { FOVEA_VERSION: JSON.stringify(version) },
  sourcemap: 'inline',
  logLevel: 'warning',
});
console.log(`build_tests: ${tests.length} test files in build/tests/js`);
