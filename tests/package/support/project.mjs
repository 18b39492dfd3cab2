// Packs the package as `npm publish` would, installs the tarball into an empty project, and runs programs there.

import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** This Node, and the newer one of tests/runtimes where it was installed. */
export const nodes = [process.execPath, join(root, 'tests/runtimes/node_modules/node/bin/node')].filter(existsSync);

/** Without what an outer npm says of the repository, so that the inner one looks at its own folder. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|INIT_CWD)/i.test(name)));

/** Runs a program; rejects, with what it printed, when it fails or is not done after `timeout` milliseconds. */
export async function run(program, args, { cwd, timeout = 30_000 } = {}) {
  try {
    return await execute(program, args, { cwd, timeout, env: environment, maxBuffer: 2 ** 26 });
  } catch (error) {
    const why = error.killed ? `was not done after ${timeout} ms` : `failed (${error.code})`;
    throw new Error(`${program} ${args.join(' ')} ${why}\n${error.stdout}${error.stderr}`);
  }
}

/** The package as this process has packed and installed it; each file of tests gets a copy. */
let first;

async function packAndInstall() {
  const folder = await mkdtemp(join(tmpdir(), 'fovea-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root });
  const [{ filename, files }] = JSON.parse(stdout);
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...quiet, join(folder, filename)], { cwd: project });
  return { folder, project, tarball: join(folder, filename), files };
}

/**
 * A project with the packed package and nothing else in it, made without a registry or a cache. It goes when this process ends.
 *
 * @returns {Promise<{ project: string, installed: string, tarball: string, files: { path: string, size: number }[] }>} the project's
 *   folder, the package's in it, the tarball, and npm's list of what it packed
 */
export async function installInEmptyProject() {
  first ??= packAndInstall();
  const { folder, project: installedFirst, tarball, files } = await first;
  const project = await mkdtemp(join(folder, 'project-'));
  await cp(installedFirst, project, { recursive: true, verbatimSymlinks: true });
  return { project, installed: join(project, 'node_modules/fovea'), tarball, files };
}

/** Writes files into a folder; `files` is { name: text }. */
export async function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** The worked example: three tokens of width 4 with one-digit projections. */
export const workedExample = `selfAttention([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]], {
  Wq: [[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]],
  Wk: [[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]],
  Wv: [[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]],
}, { scale: 1 })`;

/** Whether a program printed the worked example's output as JSON: in double, tests/golden/seed. */
export async function isWorkedExample(printed) {
  const { outputs } = JSON.parse(await readFile(join(root, 'tests/golden/seed/worked_example.json'), 'utf8'));
  const [got, want] = [JSON.parse(printed).flat(), outputs.out_unscaled.data];
  return got.length === want.length && got.every((x, i) => Math.abs(x - want[i]) <= 2e-6);
}
