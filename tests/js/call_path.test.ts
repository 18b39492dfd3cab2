/** The files of bindings/js that one plain call passes: those whose functions run in it, by the engine's own count of calls. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fovea } from './support/api.ts';

const x = [
  [1, 0],
  [0, 1],
];

/** The paths, in alphabetical order. The files for Node keep a comment with the path before each file's code. */
async function filesOf(call: () => unknown): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  call();
  await session.post('Profiler.takePreciseCoverage');
  call();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const files = new Set<string>();
  for (const { url, functions } of result) {
    if (!/\/dist\/[\w.-]+\.js$/.test(url)) continue;
    const starts = [...readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/ (\S+)$/gm)].reverse();
    for (const { ranges } of functions) {
      const path = ranges[0]!.count > 0 && starts.find(({ index }) => index <= ranges[0]!.startOffset)?.[1];
      if (path && path.startsWith('bindings/js/')) files.add(path.replace('bindings/js/', ''));
    }
  }
  return [...files].sort();
}

const EVERY_CALL = [
  'attention/attention.ts',
  'attention/options/attention_spec.ts',
  'attention/options/layout.ts',
  'attention/request/attention_request.ts',
  'attention/request/results.ts',
  'call/call.ts',
  'call/call_arena.ts',
  'call/ptr.ts',
  'call/outputs.ts',
  'call/strided_ptr.ts',
  'errors/options.ts',
  'fovea/fovea.ts',
  'runtime/engine.ts',
  'runtime/heap.ts',
  'runtime/internals.ts',
  'tensor/operands.ts',
  'tensor/shapes.ts',
  'tensor/tensor.ts',
  'tensor/typed_arrays.ts',
];

test('a plain call of attention passes 21 files of the package, none of an option that is not given', async () => {
  const found = await filesOf(() => fovea.attention(x, x, x));
  assert.deepEqual(found, [...EVERY_CALL, 'tensor/arrays.ts', 'tensor/nested_arrays.ts'].sort());
});

test('on Tensors, with a place for the result, it passes 18', async () => {
  const [q, k, v, output] = [x, x, x, x].map((one) => fovea.tensor(one)) as [never, never, never, never];
  const found = await filesOf(() => fovea.attention(q, k, v, { out: { output } }));
  assert.deepEqual(found.length, 18, found.join(', '));
});

test('an option brings its own files', async () => {
  const found = await filesOf(() => fovea.attention(x, x, x, { mask: [[true, false]], window: [1, 0] }));
  const more = found.filter((path) => !EVERY_CALL.includes(path));
  assert.deepEqual(more, [
    'attention/options/masks.ts',
    'attention/options/positions.ts',
    'tensor/arrays.ts',
    'tensor/nested_arrays.ts',
  ]);
});
