// Other tools' judgment of the package: publint on its package.json, "are the types wrong" on the resolution of each entry.
// ESM alone is shipped (docs/loading.md): require() gets the ES module, and moduleResolution node10, which knows no exports, gets
// `fovea` only.

import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { installInEmptyProject, isWorkedExample, run, workedExample, write } from './support/project.mjs';

const { project, installed, tarball } = await installInEmptyProject();

const lint = async (pkgDir) => (await publint({ pkgDir, strict: true, pack: false })).messages.map(({ code }) => code);

test('publint has nothing to say, and says it of a package with its types last', async () => {
  assert.deepEqual(await lint(installed), []);
  const wrong = join(project, 'wrong');
  await cp(installed, wrong, { recursive: true });
  const manifest = JSON.parse(await readFile(join(wrong, 'package.json'), 'utf8'));
  const { types, ...rest } = manifest.exports['./ops'];
  manifest.exports['./ops'] = { ...rest, types };
  await writeFile(join(wrong, 'package.json'), JSON.stringify(manifest));
  assert.notDeepEqual(await lint(wrong), []);
});

test('every entry resolves to its own types, for ES modules and for bundlers', async () => {
  const { problems, entrypoints } = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  assert.ok(Object.keys(entrypoints).includes('./mechanisms'));
  const told = problems.map(({ kind, resolutionKind = '', entrypoint }) => `${kind} ${resolutionKind} ${entrypoint}`);
  const decided = [
    /^CJSResolvesToESM node16-cjs /,
    /^NoResolution node10 \.\//,
    / \.\/fovea-worker\.js$/, // a script to be started, not to be imported
  ];
  assert.deepEqual(
    told.filter((one) => !decided.some((pattern) => pattern.test(one))),
    [],
  );
  // Each decision is one that the tool still sees: a pattern that matches nothing would hide what comes later.
  for (const pattern of decided)
    assert.ok(
      told.some((one) => pattern.test(one)),
      String(pattern),
    );
});

test('require() gets the ES module, as nothing in it waits at the top', async () => {
  await write(project, {
    'required.cjs': `const { load, toNested } = require('fovea');
load().then((fovea) => console.log(JSON.stringify(toNested(fovea.${workedExample}.output))));
`,
  });
  const { stdout } = await run(process.execPath, ['required.cjs'], { cwd: project });
  assert.ok(await isWorkedExample(stdout), stdout);
});
