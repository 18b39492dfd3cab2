/** The published types, as TypeScript users meet them: under both resolutions, with their own libs, and library checks on. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const folder = resolve('build/tests/types');
mkdirSync(folder, { recursive: true });

function complaints(program: string, options: ts.CompilerOptions): string[] {
  const file = `${folder}/program.mts`;
  writeFileSync(file, program);
  const compiled = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    ...options,
  });
  return ts.getPreEmitDiagnostics(compiled).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const resolutions: Record<string, ts.CompilerOptions> = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

const program = `
  import { load, AttentionError, Tensor, toNested, type Fovea, type LoadOptions, type NDArray, type AttentionOptions, type ErrorCode } from 'fovea';
  import { load as loadInline } from 'fovea/inline';
  const options: LoadOptions = { deterministic: true };
  const fovea: Fovea = await load(options);
  const same: Fovea = await loadInline();
  const plain: NDArray = fovea.attention([[1]], [[1]], { data: new Float32Array(1), shape: [1, 1] as const }, { mask: [[true]] }).output;
  const q: Tensor = fovea.tensor(plain);
  const kept: Tensor = fovea.attention(q, plain, [[1]]).output;
  const either: Tensor | NDArray = fovea.attention(q as Tensor | NDArray, q, q).output;
  const weights: Tensor | undefined = fovea.selfAttention(q, { Wq: q, Wk: q, Wv: q }, { returnWeights: true }).weights;
  const joined: Tensor = fovea.combine([fovea.attention(q, q, q, { returnLse: true })], { sinks: 1 }).lse;
  const plainly: NDArray = fovea.combine([{ output: [[1]], lse: q }]).output;
  const rows: Float32Array = fovea.ops.softmax([[1]], { axis: 0 }).data;
  const count: number = fovea.scope(() => 1);
  const mine: AttentionOptions = { causal: true, scale: undefined, bias: { alibi: 'default' } };
  const code: ErrorCode = new AttentionError('shape', 'x').code;
  fovea.multiHeadAttention(q, q, q, { Wq: q, Wk: q, Wv: q }, { heads: 2, ...mine });
  export { same, kept, either, weights, joined, plainly, rows, count, code, toNested };
`;

for (const [name, resolution] of Object.entries(resolutions)) {
  test(`${name}: a program with every kind of call has no complaint`, () =>
    assert.deepEqual(complaints(program, resolution), []));

  test(`${name}: wrong programs are refused`, () => {
    const wrong = (line: string): string =>
      complaints(`import { load, Tensor } from 'fovea';\nconst fovea = await load();\n${line}\nexport {};`, resolution).join();
    assert.match(wrong('fovea.attention([[1]], [[1]], [[1]], { casual: true });'), /'casual' does not exist/);
    assert.match(
      wrong('const x: Tensor = fovea.attention([[1]], [[1]], [[1]]).output;'),
      /missing the following properties from type 'Tensor'/,
    );
    assert.match(
      wrong('fovea.multiHeadAttention([[1]], [[1]], [[1]], { Wq: [[1]], Wk: [[1]], Wv: [[1]] }, {});'),
      /'heads' is missing/,
    );
    assert.match(wrong('fovea.combine([{ output: [[1]], lse: [1] }], { causal: true });'), /'causal' does not exist/);
    assert.match(wrong('new Tensor({} as never);'), /private/);
    assert.match(wrong("fovea.attention([['1']], [[1]], [[1]]);"), /not assignable/);
    assert.match(wrong('fovea.attention(new BigInt64Array(1), [[1]], [[1]]);'), /not assignable/);
  });
}
