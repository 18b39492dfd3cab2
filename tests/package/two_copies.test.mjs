// Two copies of the package in one program, as two bundles have them: objects of one work with the functions of the other.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleWithEsbuild } from './support/bundles.mjs';
import { installInEmptyProject, nodes, run, write } from './support/project.mjs';

const { project, installed } = await installInEmptyProject();
const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));

await write(project, {
  'loads.js': "export { load } from 'fovea/inline';",
  'entries.js': `export { AttentionError, linear, layerNorm, matmul } from 'fovea/ops';
export { pattern } from 'fovea/pattern';
export { bias, score } from 'fovea/score';
export { kvCache } from 'fovea/cache';
export { Linear } from 'fovea/nn';`,
});
for (const name of ['loads', 'entries']) await bundleWithEsbuild(project, `${name}.js`, `bundled_${name}`);

/** Imports both bundles and prints what `body` returns. */
async function runBoth(entries, body) {
  const code = `import { load } from './bundled_loads/loads.js';
import * as entries from './${entries}';
const fovea = await load();
const { AttentionError, linear, matmul, layerNorm, pattern, bias, score, kvCache, Linear } = entries;
console.log(JSON.stringify((() => { ${body} })()));
`;
  await write(project, { 'both.js': code });
  const { stdout, stderr } = await run(nodes[0], ['both.js'], { cwd: project, timeout: 20_000 });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

test('an instance, Tensors, patterns, scores, biases, caches and modules of two copies work together', async () => {
  const result = await runBoth(
    'bundled_entries/entries.js',
    `const x = fovea.tensor([[1, 2], [3, 4]]);
const y = linear(fovea, x, [[1, 0], [0, 2]]);
const again = matmul(fovea, y, [[1], [1]]);
const cache = kvCache(fovea, { kvHeads: 1, width: 2, capacity: 4 });
cache.append([[[1, 0]]], [[[5, 6]]]);
const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 1, seed: 1 });
const inScope = fovea.scope(() => layerNorm(fovea, x));
const results = {
  chained: Array.from(again.data),
  causal: Array.from(fovea.attention([[1], [1]], [[1], [1]], [[2], [4]], { pattern: pattern.causal() }).output.data),
  cosine: Array.from(fovea.attention([[3, 4]], [[3, 4], [6, 8]], [[2], [4]], { score: score.cosine() }).output.data),
  behind: Array.from(fovea.attention([[1], [1]], [[1], [1]], [[2], [4]], { bias: bias.direction('forward') }).output.data),
  cached: Array.from(fovea.attention([[[1, 0]]], cache).output.data),
  module: layer.forward(x).shape,
  kept: inScope.disposed,
};
layer.dispose();
for (const tensor of [x, y, again, inScope]) tensor.dispose();
cache.dispose();
return results;`,
  );
  assert.deepEqual(result, {
    chained: [5, 11],
    causal: [2, 3],
    cosine: [3],
    behind: [0, 2],
    cached: [5, 6],
    module: [2, 1],
    kept: false,
  });
});

test('a copy of another version is refused, and both versions are named', async () => {
  const text = await readFile(join(project, 'bundled_entries/entries.js'), 'utf8');
  assert.ok(text.includes(version));
  await writeFile(join(project, 'bundled_entries/older.js'), text.replaceAll(version, '0.0.7'));
  const messages = await runBoth(
    'bundled_entries/older.js',
    `const message = (run) => { try { run(); } catch (error) { return [error.code, error.message]; } };
return [
  message(() => linear(fovea, [[1]], [[1]])),
  message(() => fovea.attention([[1]], [[1]], [[1]], { pattern: pattern.causal() })),
  message(() => fovea.attention([[1]], [[1]], [[1]], { score: score.dot() })),
];`,
  );
  for (const [code, message] of messages) {
    assert.equal(code, 'load');
    assert.match(message, /version 0\.0\.7/);
    assert.ok(message.includes(version), message);
  }
});
