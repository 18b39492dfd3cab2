/** Peers and tools that are installed for tests and benchmarks alone: each has one exact version wherever it is installed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './support/repository.ts';

type Versions = Readonly<Record<string, string>>;

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const dependenciesOf = (folder: string): Versions =>
  (readJson(`${folder}/package.json`) as { dependencies: Versions }).dependencies;
/** `npm:node@24.21.0` is version 24.21.0 of node, under another name. */
const packageOf = ([name, version]: [string, string]): string =>
  version.startsWith('npm:') ? version.slice(4) : `${name}@${version}`;

const table = dependenciesOf('tests/matrix');
const others = ['bench', 'tests/runtimes'];

test('every peer is named by an exact version, which its lock file holds', () => {
  for (const folder of ['tests/matrix', ...others]) {
    const dependencies = dependenciesOf(folder);
    for (const entry of Object.entries(dependencies)) assert.match(packageOf(entry), /^.+@\d+\.\d+\.\d+$/, folder);
    const { packages } = readJson(`${folder}/package-lock.json`) as { packages: Record<string, { dependencies?: Versions }> };
    assert.deepEqual(packages['']!.dependencies, dependencies, folder);
  }
});

test('a package of the matrix that is installed elsewhere, too, has a version of the matrix there', () => {
  const inMatrix = Object.entries(table).map(packageOf);
  const names = new Set(inMatrix.map((one) => one.slice(0, one.lastIndexOf('@'))));
  const shared = others.flatMap((folder) =>
    Object.entries(dependenciesOf(folder))
      .filter(([name]) => names.has(name))
      .map(packageOf),
  );
  assert.ok(shared.length >= 2);
  for (const one of shared) assert.ok(inMatrix.includes(one), `${one} is not in tests/matrix/package.json`);
});
