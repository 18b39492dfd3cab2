// No file that a worker runs leads, by imports or by workers of its own, to a file that starts the same worker: Turbopack waits for
// ever for a worker that is part of itself.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { installInEmptyProject } from './support/project.mjs';

/** A script's imports, static or not, and the workers that it names. */
function arrowsOf(path, code) {
  const target = (name) => posix.join(posix.dirname(path), name);
  const imports = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+\.js)["']/g);
  const workers = code.matchAll(/\bnew URL\(\s*["'](\.{1,2}\/[^"']+\.js)["']\s*,\s*import\.meta\.url\s*\)/g);
  return { imports: [...imports].map(([, name]) => target(name)), workers: [...workers].map(([, name]) => target(name)) };
}

/** `file → worker` for each worker whose own file leads back to `file`. `scripts` is { path: code }. */
function workerCycles(scripts) {
  const arrows = Object.fromEntries(Object.entries(scripts).map(([path, code]) => [path, arrowsOf(path, code)]));
  const reachable = (start) => {
    const seen = new Set([start]);
    for (const path of seen) for (const next of Object.values(arrows[path] ?? {}).flat()) seen.add(next);
    return seen;
  };
  return Object.entries(arrows).flatMap(([path, { workers }]) =>
    workers.filter((worker) => reachable(worker).has(path)).map((worker) => `${path} → ${worker}`),
  );
}

test('no worker leads back to the file that starts it', async () => {
  const { installed, files } = await installInEmptyProject();
  const scripts = {};
  for (const { path } of files) if (path.endsWith('.js')) scripts[path] = await readFile(join(installed, path), 'utf8');
  const named = Object.entries(scripts).flatMap(([path, code]) => arrowsOf(path, code).workers);
  for (const name of ['thread-worker.web', 'thread-worker.node', 'fovea-worker', 'fovea-worker.node'])
    assert.ok(named.includes(`dist/${name}.js`), `${name}.js is named as a worker`);
  assert.deepEqual(workerCycles(scripts), []);
});

test('a cycle is found', () => {
  const start = (name) => `new Worker(new URL("./${name}",import.meta.url),{type:"module"})`;
  assert.deepEqual(workerCycles({ 'd/a.js': start('a.js') }), ['d/a.js → d/a.js']);
  assert.deepEqual(workerCycles({ 'a.js': start('b.js'), 'b.js': 'import{x}from"./c.js";', 'c.js': 'import("./a.js")' }), [
    'a.js → b.js',
  ]);
  assert.deepEqual(workerCycles({ 'a.js': start('b.js'), 'b.js': start('a.js') }), ['a.js → b.js', 'b.js → a.js']);
  assert.deepEqual(workerCycles({ 'a.js': `import './b.js';${start('b.js')}`, 'b.js': "export * from './c.js';" }), []);
});
