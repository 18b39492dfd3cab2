// Programs of TypeScript users, and the configurations under which each must compile.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/** The strictest settings, which check the package's declarations too. */
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
/** The settings that Next writes into a project that was JavaScript. */
const notStrict = { strict: false, strictNullChecks: false, exactOptionalPropertyTypes: false };
const nodenext = { ...strict, module: 'nodenext', moduleResolution: 'nodenext' };

const everything = `import { load, toNested, AttentionError, Tensor } from 'fovea';
import type { AttentionOptions, AttentionResult, Fovea, LoadOptions, NDArray, NumericArray, SparseWeights } from 'fovea';
import { softmax } from 'fovea/ops';
import { pattern, type Pattern } from 'fovea/pattern';
import { readNpy, readSafetensors, writeNpy, writeSafetensors, type FileTensor, type SafetensorsFile } from 'fovea/files';
import { load as loadInline } from 'fovea/inline';
import { load as loadCore } from 'fovea/core';
import { supports, type Support } from 'fovea/supports';
import wasmFile from 'fovea/wasm/simd128.wasm';
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

const rows: number[][] = toNested(output);
const heads: number[][][] = toNested(output);
// @ts-expect-error strings are not numbers
const words: string[] = toNested(output);
const support: Support = supports();
const byUrl: Fovea = await loadCore({ wasmUrl: wasmFile });
const byModule: Fovea = await loadCore({ wasmModule: wasmFile });
// @ts-expect-error where the wasm file comes from is required
await loadCore({});
{
  using kept = fovea.tensor([[1]]);
  console.log(kept.shape);
}

if (fromFile !== undefined) softmax(fovea, fromFile);

export { rows, heads, words, support, byUrl, byModule, again, taken, near, early, lists, data, chained, weights, caught, wrong, alsoWrong, alwaysWrong, toNested };
`;

const withoutDom = `import { load } from 'fovea';
import { connect } from 'fovea/worker';
import { pattern } from 'fovea/pattern';
import { readSafetensors } from 'fovea/files';
export const fovea = await load({ wasmUrl: new URL('file:///x.wasm') });
export const kept = pattern.causal().density(fovea, { queries: 2, keys: 2 });
export const { tensors } = await readSafetensors('model.safetensors', { filter: (name) => name !== 'x' });
export const remote = await connect({ wasmUrl: new URL('file:///x.wasm') });
export const { output } = await remote.attention([[1]], [[1]], [[1]], { signal: AbortSignal.timeout(9), transfer: true });
`;

/** No name of a host in it. */
const bare = `import { load, toNested, AttentionError, type NDArray } from 'fovea';
import { softmax } from 'fovea/ops';
import { connect } from 'fovea/worker';
import { kvCache } from 'fovea/cache';
import { Linear } from 'fovea/nn';
import { bahdanau } from 'fovea/mechanisms';
import { readNpy } from 'fovea/files';
const fovea = await load({ wasmUrl: './x.wasm' });
const { output }: { output: NDArray } = fovea.attention([[1]], [[1]], [[1]], { causal: true });
export const rows: number[][] = toNested(softmax(fovea, output));
export const remote = await connect({ timeout: 1000 });
export const error = new AttentionError('value', 'said', { cause: 5 });
export { bahdanau, kvCache, Linear, readNpy };
`;

const required = `import fovea = require('fovea');
const loading: Promise<fovea.Fovea> = fovea.load();
export = loading;
`;

/** README's first program, as it stands there, and the types of what it reads. */
const first = `${/^```js\n([^]*?)^```/m.exec(readFileSync(join(root, 'README.md'), 'utf8'))[1]}
import type { NDArray, SparseWeights, Tensor } from 'fovea';
import { kvCache } from 'fovea/cache';
import { pattern } from 'fovea/pattern';
import { multiDimensionalAttention } from 'fovea/score';
const plain: NDArray[] = [output, weights, fovea.attention(q, k, v, { returnWeights: true, returnLse: true }).lse];
const lists: SparseWeights = fovea.attention(q, k, v, { returnWeights: true, pattern: pattern.causal() }).weights;
const unasked: NDArray = fovea.attention(q, k, v).weights;
const x: Tensor = fovea.tensor(q);
const kept: Tensor[] = [fovea.attention(x, k, v, { returnWeights: true }).weights, fovea.attention(x, kvCache(fovea, { width: 2, capacity: 1, kvHeads: 1 }), { returnWeights: 'dense' }).weights];
const sentence: NDArray = multiDimensionalAttention(fovea, null, k, v, { Wk: v, W: v }, { returnWeights: true }).weights;
// @ts-expect-error lists have values
const wrong: Float32Array = lists.data;
export { plain, lists, unasked, kept, sentence, wrong };
`;

export const programs = {
  'first.ts': first,
  'everything.ts': everything,
  'without_dom.ts': withoutDom,
  'bare.ts': bare,
  'required.cts': required,
};

/** `from` is the first TypeScript that has the option or the syntax. */
export const configurations = [
  { name: 'nodenext', file: 'everything.ts', compilerOptions: { ...nodenext, lib: ['es2022', 'dom', 'esnext.disposable'] } },
  {
    name: 'bundler',
    file: 'everything.ts',
    compilerOptions: { ...strict, module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'esnext.disposable'] },
  },
  {
    name: 'node16',
    file: 'everything.ts',
    compilerOptions: { ...strict, module: 'node16', moduleResolution: 'node16', lib: ['es2022', 'dom', 'esnext.disposable'] },
  },
  { name: 'Node, no DOM', file: 'without_dom.ts', compilerOptions: { ...nodenext, lib: ['es2022'], types: ['node'] } },
  { name: 'no DOM, no Node', file: 'bare.ts', compilerOptions: { ...nodenext, lib: ['es2022'] } },
  { name: 'lib es2022, dom', file: 'bare.ts', compilerOptions: { ...nodenext, lib: ['es2022', 'dom'] } },
  { name: 'lib es2020, dom', file: 'bare.ts', compilerOptions: { ...nodenext, lib: ['es2020', 'dom'] } },
  {
    name: 'without strictNullChecks',
    file: 'first.ts',
    compilerOptions: { ...strict, module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], ...notStrict },
  },
  {
    name: 'everything without strictNullChecks',
    file: 'everything.ts',
    compilerOptions: {
      ...strict,
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'esnext.disposable'],
      ...notStrict,
    },
  },
  { name: '.cts', file: 'required.cts', from: 5.8, compilerOptions: { ...nodenext, lib: ['es2022'] } },
];

/** Configurations that a TypeScript of this version knows, each as the text of a tsconfig.json by its name. */
export function configurationsFor(version) {
  return configurations
    .filter(({ from = 0 }) => Number.parseFloat(version) >= from)
    .map(({ name, file, compilerOptions }) => ({
      name,
      file: `tsconfig.${name.replace(/\W+/g, '_')}.json`,
      text: JSON.stringify({ compilerOptions, files: [file] }),
    }));
}
