/** docs/catalog.md has the entries as they are. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/repository.ts';

test('docs/catalog.md is current', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/docs/catalog.mjs'), '--check'], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.equal(status, 0);
});
