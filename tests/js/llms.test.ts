/** llms.txt is that of the pages as they are. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './support/repository.ts';

test('llms.txt is current', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/docs/llms.mjs'), '--check'], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

test('llms.txt lists pages that exist, each with a sentence', () => {
  const lines = readFileSync(join(root, 'llms.txt'), 'utf8').split('\n');
  const entries = lines.filter((line) => line.startsWith('- ['));
  assert.ok(entries.length > 20);
  for (const line of entries) {
    const found = /^- \[[^\]]+\]\((?<path>[^)]+)\): \S.+\.$/.exec(line);
    assert.ok(found, line);
    assert.ok(existsSync(join(root, found.groups!['path']!)), line);
  }
});
