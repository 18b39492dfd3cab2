// Installs a run's missing requirements: the peers in bench/node_modules, the limits' wasm. fovea itself must be built.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLimits } from './limits/build.mjs';
import { benchDir, rootDir } from './paths.mjs';

const { dependencies } = readJson(join(benchDir, 'package.json'));

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The installed version of a package, or undefined. */
function installed(name) {
  const file = join(benchDir, 'node_modules', name, 'package.json');
  return existsSync(file) ? readJson(file).version : undefined;
}

/** Versions by package. */
export function versions() {
  return { fovea: readJson(join(rootDir, 'package.json')).version, ...dependencies };
}

export function install() {
  if (!existsSync(join(rootDir, 'dist/index.web.js'))) throw new Error('fovea is not built: run "npm run build"');
  if (Object.entries(dependencies).some(([name, version]) => installed(name) !== version)) {
    console.error('bench: installing the peers (npm ci in bench/) …');
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: benchDir, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  buildLimits();
}
