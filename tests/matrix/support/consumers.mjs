// The projects of the matrix: the packed package alone in a folder of its own, below build/matrix, where the tools lie.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run, write } from '../../package/support/project.mjs';

export { isWorkedExample, run, workedExample, write } from '../../package/support/project.mjs';

const here = join(root, 'tests/matrix');
export const folder = join(root, 'build/matrix');
/** The package as npm unpacks it. */
export const packed = join(folder, 'package');
const projects = join(folder, 'projects');
const locked = ['package.json', 'package-lock.json'];

/** Installs the tools where they are not there as locked, and packs the package. */
export async function prepare() {
  await mkdir(folder, { recursive: true });
  const text = (from) => Promise.all(locked.map((name) => readFile(join(from, name), 'utf8').catch(() => '')));
  if (String(await text(folder)) !== String(await text(here)) || !existsSync(join(folder, 'node_modules/.package-lock.json'))) {
    for (const name of locked) await copyFile(join(here, name), join(folder, name));
    // Not `npm ci`: it asks for the binaries of every platform, also those that a registry lacks.
    const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', ['install', ...flags], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) {
      await rm(join(folder, 'package-lock.json'), { force: true });
      throw new Error('the consumers of tests/matrix/package.json could not be installed');
    }
  }
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root });
  const [{ filename }] = JSON.parse(stdout);
  await rm(packed, { recursive: true, force: true });
  await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
  await rm(projects, { recursive: true, force: true });
}

/** A project with the package and these files; `manifest` is what its package.json has beside a name and `"type": "module"`. */
export async function makeProject(name, files, manifest = {}) {
  const project = join(projects, name);
  await rm(project, { recursive: true, force: true });
  await cp(packed, join(project, 'node_modules/fovea'), { recursive: true });
  const about = { name, private: true, type: 'module', ...manifest };
  await write(project, { 'package.json': `${JSON.stringify(about, null, 2)}\n`, ...files });
  return project;
}

const require = createRequire(join(folder, 'package.json'));

/** A module of a tool, by the name of its package in tests/matrix/package.json. */
export async function importTool(name) {
  const module = await import(pathToFileURL(require.resolve(name)));
  return module.default ?? module;
}

const manifestOf = async (name) => JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'));

export const versionOf = async (name) => (await manifestOf(name)).version;

/** The path of a program of a package. */
export async function programOf(name, program = name) {
  const { bin } = await manifestOf(name);
  return join(folder, 'node_modules', name, typeof bin === 'string' ? bin : bin[program]);
}

/** Results for docs/matrix.md: one line a case. */
export const resultsFile = join(folder, 'results.jsonl');

export async function note(result) {
  await writeFile(resultsFile, `${JSON.stringify(result)}\n`, { flag: 'a' });
}
