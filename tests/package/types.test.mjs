// The types, as a TypeScript user sees them: strict, with the declarations checked too.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { installInEmptyProject, root, run, write } from './support/project.mjs';

const program = `import { load, toNested, AttentionError, Tensor } from 'fovea';
import type { AttentionOptions, AttentionResult, Fovea, LoadOptions, NDArray, NumericArray, SparseWeights } from 'fovea';
import { softmax } from 'fovea/ops';
import { pattern, type Pattern } from 'fovea/pattern';
import { readNpy, readSafetensors, writeNpy, writeSafetensors, type FileTensor, type SafetensorsFile } from 'fovea/files';
import { load as loadInline } from 'fovea/inline';
import { connect, type RemoteFovea, type RemoteTensor } from 'fovea/worker';

const remote: RemoteFovea = await connect({ deterministic: true, sliceTime: 10 });
const far: RemoteTensor = await remote.tensor([[1, 2]]);
const chainedFar: RemoteTensor = (await remote.attention(far, far, [[3, 4]], { causal: true, signal: AbortSignal.timeout(9) })).output;
const near: NDArray = await chainedFar.toArray();
// @ts-expect-error a promise is not its result
const early: NDArray = far.toArray();

const read: SafetensorsFile = await readSafetensors(new Blob([writeSafetensors({ x: [[1]] }, { dtype: 'BF16' })]), { names: ['x'] });
const fromFile: FileTensor | undefined = read.tensors.get('x');
const bits: FileTensor<'stored'> = await readNpy(new URL('https://localhost/x.npy'), { as: 'stored' });
const again: Uint8Array = writeNpy(bits);
// @ts-expect-error stored numbers may be BigInts, which no function of fovea takes
const taken: NumericArray = bits.data;

const loading: LoadOptions = { deterministic: true };
const fovea: Fovea = await load(loading);
const options = { causal: true, window: [2, 0], returnWeights: true } as const satisfies AttentionOptions;
const result: AttentionResult<NDArray, NDArray> = fovea.attention([[1, 2]], { data: new Float32Array(2), shape: [1, 2] }, [[1, 2]], options);
const output: NDArray = result.output;
const data: Float32Array = output.data;
const x: Tensor = fovea.tensor([[1, 2], [3, 4]]);
const chained: Tensor = fovea.attention(x, x, x).output;
const weights: Float32Array | undefined = result.weights?.data;
const p: Pattern = pattern.window(2, 0).or(pattern.globalTokens([0]));
const lists: SparseWeights | undefined = fovea.attention(x, x, x, { pattern: p, returnWeights: true }).weights;
const caught: (error: unknown) => string = (error) => (error instanceof AttentionError ? error.code : '');

// @ts-expect-error an unknown option
fovea.attention(x, x, x, { casual: true });
// @ts-expect-error not any
const wrong: string = result.output;
// @ts-expect-error a plain call returns plain arrays
const alsoWrong: Tensor = fovea.attention([[1]], [[1]], [[1]]).output;
// @ts-expect-error not any
const alwaysWrong: number = await loadInline();

if (fromFile !== undefined) softmax(fovea, fromFile);

export { again, taken, near, early, lists, data, chained, weights, caught, wrong, alsoWrong, alwaysWrong, toNested };
`;

const strict = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true, // those of TypeScript itself
  noEmit: true,
  types: [],
};

const projects = {
  'nodenext, as in Node': { module: 'nodenext', moduleResolution: 'nodenext' },
  'bundler, as in a page': { module: 'esnext', moduleResolution: 'bundler' },
};

const { project, installed } = await installInEmptyProject();

for (const [name, options] of Object.entries(projects)) {
  test(`moduleResolution ${name}`, async () => {
    const config = `tsconfig.${options.moduleResolution}.json`;
    await write(project, {
      'main.ts': program,
      [config]: JSON.stringify({ compilerOptions: { ...strict, ...options }, files: ['main.ts'] }),
    });
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { cwd: project });
  });
}

test('a Node project without the DOM', async () => {
  const options = {
    ...strict,
    ...projects['nodenext, as in Node'],
    lib: ['es2022'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const code = `import { load } from 'fovea';
import { connect } from 'fovea/worker';
import { pattern } from 'fovea/pattern';
import { readSafetensors } from 'fovea/files';
export const fovea = await load({ wasmUrl: new URL('file:///x.wasm') });
export const kept = pattern.causal().density(fovea, { queries: 2, keys: 2 });
export const { tensors } = await readSafetensors('model.safetensors', { filter: (name) => name !== 'x' });
export const remote = await connect({ wasmUrl: new URL('file:///x.wasm') });
export const { output } = await remote.attention([[1]], [[1]], [[1]], { signal: AbortSignal.timeout(9), transfer: true });
`;
  await write(project, {
    'node.ts': code,
    'tsconfig.node.json': JSON.stringify({ compilerOptions: options, files: ['node.ts'] }),
  });
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.node.json'], { cwd: project });
});

test('no declaration says any, none names a file that is not there', async () => {
  const dist = join(installed, 'dist');
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
  for (const name of names) {
    const code = (await readFile(join(dist, name), 'utf8')).replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
    assert.doesNotMatch(code, /\bany\b/, name);
    for (const [, specifier] of code.matchAll(/(?:from\s+|import\(\s*|import\s+)["']([^"']+)["']/g)) {
      const target = posix.join(posix.dirname(name), specifier).replace(/\.js$/, '.d.ts');
      assert.ok(names.includes(target), `${name}: '${specifier}'`);
    }
  }
});
