// npm run test:matrix [-- FILE...]: installs the consumers into build/matrix, packs the package, runs every case, prints the table, and
// writes it to docs/matrix.md where all files ran.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, resultsFile } from './support/consumers.mjs';
import { grades } from './support/matrix.mjs';
import { root } from '../package/support/project.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const ORDER = ['bundlers', 'Next', 'pages', 'runtimes', 'test runners', 'types'];

const chosen = process.argv.slice(2);
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (chosen.length === 0 || chosen.includes(name)));

await prepare();
await rm(resultsFile, { force: true });
const args = ['--test', '--test-concurrency=2', ...files.map((name) => join(here, name))];
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
});

const results = (await readFile(resultsFile, 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const rows = ORDER.flatMap((group) => results.filter((result) => result.group === group)).map(
  ({ consumer, version, grade, line, ran }) => [
    consumer,
    version,
    ran === null ? 'FAILS' : grades[grade],
    line ?? '',
    (ran ?? []).join(', '),
  ],
);
const table = [['consumer', 'version', 'grade', 'the line', 'what ran'], ['-', '-', '-', '-', '-'], ...rows]
  .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  .join('\n');
console.log(`\n${table}\n`);

process.exitCode = status ?? 1;
if (status === 0 && chosen.length === 0) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const date = new Date().toISOString().slice(0, 10);
  const text = `# Where it runs

Written by \`npm run test:matrix\` on ${date}, fovea ${version}, ${process.platform} ${process.arch}. Each line is a project with the packed
package and nothing else of it, that was built or started, and computed the worked example of README.md. A case with a line is run
without it first, where the message that names the line is checked, and then with it. Pages ran in Chromium, cross-origin isolated.

- **${grades.works}**: install, import, run.
- **${grades.line}**: the line of the table.
- **${grades.inline}**: the entry that carries the wasm file inside the JavaScript.

${table}
`;
  await writeFile(join(root, 'docs/matrix.md'), text);
  console.log('docs/matrix.md is written');
}
