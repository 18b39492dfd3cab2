// Makes the requirements of `npm start` and `npm test` where they are missing: toolchain, dependencies, the built package.

import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program in the project's folder; ends this process with its code when it fails. */
export async function run(program, ...args) {
  const [status] = await once(spawn(program, args, { cwd: root, stdio: 'inherit' }), 'close');
  if (status !== 0) process.exit(status ?? 1);
}

function dependenciesAreInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Each step is quick when there is nothing to do. */
export async function ready(setupOptions = []) {
  await Promise.all([
    run('npm', 'run', '--silent', 'setup', '--', ...setupOptions),
    dependenciesAreInstalled() || run('npm', 'ci', '--no-audit', '--no-fund'),
  ]);
  await run('npm', 'run', '--silent', 'build');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ready(process.argv.slice(2));
