// Builds of equal sources have equal bytes, wherever they lie: dist/ built here, and in a copy of the checkout elsewhere.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { root, run } from '../package/support/project.mjs';

const SOURCES = ['bindings', 'scripts', 'package.json', 'tsconfig.json', 'build/wasm'];

/** The hash of each file that npm run build:js makes in a checkout. */
async function built(checkout) {
  await run('npm', ['run', '--silent', 'build:js'], { cwd: checkout, timeout: 240_000 });
  const dist = join(checkout, 'dist');
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const hash = async (file) => [
    relative(dist, file),
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ];
  return Object.fromEntries(await Promise.all(files.sort().map(hash)));
}

test('npm run build:js gives the same bytes in another folder', { timeout: 300_000 }, async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'fovea-elsewhere-'));
  try {
    for (const path of SOURCES) await cp(join(root, path), join(elsewhere, path), { recursive: true });
    await symlink(await realpath(join(root, 'node_modules')), join(elsewhere, 'node_modules'));
    const [there, here] = [await built(elsewhere), await built(root)];
    assert.ok(Object.keys(here).length > 100);
    assert.deepEqual(there, here);
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
});
