// npm run test:matrix [-- FILE...]: installs the consumers into build/matrix, packs the package, runs every case, prints the table, and
// writes it to docs/matrix.md where all files ran.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, resultsFile } from './support/consumers.mjs';
import { pageOf, tablesOf } from './support/table.mjs';
import { root } from '../package/support/project.mjs';

const here = dirname(fileURLToPath(import.meta.url));

const chosen = process.argv.slice(2);
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (chosen.length === 0 || chosen.includes(name)));

await prepare();
await rm(resultsFile, { force: true });
const args = ['--test', '--test-concurrency=2', ...files.map((name) => join(here, name))];
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
});

// A file of tests that are no rows of the table leaves no results.
const lines = existsSync(resultsFile) ? (await readFile(resultsFile, 'utf8')).trim().split('\n') : [];
const results = lines.map((line) => JSON.parse(line));
console.log(`\n${tablesOf(results)}`);

process.exitCode = status ?? 1;
if (status === 0 && chosen.length === 0) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(root, 'docs/matrix.md'), pageOf(results, version, new Date().toISOString().slice(0, 10)));
  console.log('docs/matrix.md is written');
}
