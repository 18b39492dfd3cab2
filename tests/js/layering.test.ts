/** The arrows of the tree: which part knows which. And what no source file of a part may contain. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { floorsOf, importCycles, misplacedDefinitions, wrongImports, wrongIncludes } from './support/arrows.ts';
import { forbiddenInApi, forbiddenInCore, tooLong } from './support/hygiene.ts';
import { root, sourceFiles } from './support/repository.ts';

const core = sourceFiles('src', '.hpp', '.cpp');
const glue = sourceFiles('bindings/wasm', '.hpp', '.cpp');
const api = sourceFiles('bindings/js', '.ts');
const program = sourceFiles('bindings/cli', '.ts');
const lists = sourceFiles('build/generated/lists', '.ts');
const page = sourceFiles('web', '.ts', '.js', '.svelte');
const toolPackages = new Set(Object.keys(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).devDependencies));

test('every C++ include goes down: attention, linear_attention, losses, optimizers → ops → gemm → simd → core', () => {
  assert.ok(core.length > 0 && glue.length > 0);
  assert.deepEqual([...core, ...glue].flatMap(wrongIncludes), []);
});

test('the rooms of attention are floors, and only the entry lies above them', (t) => {
  const floors = floorsOf('src/attention').map((rooms) => rooms.map((room) => room || 'attention'));
  t.diagnostic(floors.map((rooms) => (rooms.length > 1 ? `{${rooms.join(', ')}}` : rooms[0])).join(' ← '));
  assert.deepEqual(floors, [
    ['problem'],
    ['pattern'],
    ['score'],
    ['softmax'],
    ['dense', 'decode', 'sparse', 'multi_dimensional', 'cache'],
    ['backward', 'attention'],
  ]);
  assert.deepEqual(
    core.map(({ path }) => path).filter((path) => /^src\/attention\/[^/]*$/.test(path)),
    ['src/attention/attention.cpp', 'src/attention/attention.hpp'],
  );
});

test('the folders of the API are floors', (t) => {
  const floors = floorsOf('bindings/js');
  t.diagnostic(floors.map((rooms) => (rooms.length > 1 ? `{${rooms.join(', ')}}` : rooms[0])).join(' ← '));
  assert.deepEqual(floors, [
    ['errors'],
    ['runtime'],
    ['tensor'],
    ['call', 'files'],
    ['trace'],
    ['attention/types'],
    ['attention/options'],
    ['attention/request'],
    ['attention/trace'],
    ['attention/projected'],
    ['attention'],
    ['fovea'],
    ['ops'],
    ['pattern', 'score', 'position', 'linear_attention', 'cache'],
    ['nn'],
    ['mechanisms'],
    ['train', 'catalog'],
    ['worker', 'supports'],
    ['serve', 'models'],
  ]);
});

test('the folders of the page are floors, and its frame lies above them', (t) => {
  const floors = floorsOf('web').map((folders) => folders.map((folder) => folder || 'App.svelte, pages.ts'));
  t.diagnostic(floors.map((folders) => (folders.length > 1 ? `{${folders.join(', ')}}` : folders[0])).join(' ← '));
  assert.deepEqual(floors, [
    ['formulas'],
    ['shell'],
    ['figures'],
    ['patterns'],
    ['text'],
    ['inputs'],
    ['stages/arithmetic'],
    ['stages'],
    ['keep', 'plugins'],
    ['lessons'],
    ['families'],
    ['pictures'],
    ['mechanism'],
    ['search'],
    ['course', 'model', 'comparison', 'offline', 'laboratory', 'element'],
    ['App.svelte, pages.ts'],
  ]);
});

test('what a header declares is defined in the file of its name', () => {
  assert.deepEqual(misplacedDefinitions(core), []);
  const found = (header: string, source: string) =>
    misplacedDefinitions([
      { path: 'src/ops/x.hpp', text: header },
      { path: 'src/ops/x.cpp', text: source },
    ]).length;
  const own = '#include "ops/x.hpp"\n';
  assert.equal(found('void f(int (&a)[2]) noexcept;', `${own}void f(int (&a)[2]) noexcept {}`), 0);
  assert.equal(found('void f(int (&a)[2]) noexcept;', own), 1);
  assert.equal(found('struct X {\n  int g(int a) const noexcept;\n};', own), 1);
  assert.equal(found('inline int f() noexcept { return 1; }', own), 0);
  assert.equal(found('', '#include "ops/y.hpp"'), 1);
});

test('every import of the API goes down, and the page and the program import the package by its name', () => {
  assert.ok(api.length > 0 && program.length > 0 && page.length > 0);
  assert.deepEqual(
    [...api, ...program, ...page].flatMap((file) => wrongImports(file, toolPackages)),
    [],
  );
});

test('no files of the API, the program and the page import each other in a circle, not even for types', () => {
  assert.ok(lists.length > 0);
  assert.deepEqual(importCycles([...api, ...lists, ...program, ...page]), []);
  const found = (...texts: string[]) => importCycles(texts.map((text, n) => ({ path: `bindings/js/x/${n}.ts`, text })));
  const three = ["import type { B } from './1.ts';", "export * from './2.ts';", "type A = import('./0.ts').A;"];
  assert.deepEqual(found(...three), [['bindings/js/x/0.ts', 'bindings/js/x/1.ts', 'bindings/js/x/2.ts']]);
  assert.deepEqual(found("import './0.ts';"), [['bindings/js/x/0.ts']]);
  assert.deepEqual(found("import './1.ts';\nimport './2.ts';", "import './2.ts';", ''), []);
  const view = {
    path: 'web/x/View.svelte',
    text: "<script>\nimport { a } from './view.ts';\n</script>\n<p>import './y.ts'</p>",
  };
  const loader = { path: 'web/x/view.ts', text: "export const load = () => import('./View.svelte');" };
  assert.deepEqual(importCycles([view, loader]), [['web/x/View.svelte', 'web/x/view.ts']]);
  assert.deepEqual(importCycles([view]), []);
});

test('a family of the page knows no other family', () => {
  const familyOf = (path: string): string | undefined => /^web\/families\/([^/]+)\//.exec(path)?.[1];
  const families = page.filter(({ path }) => familyOf(path) !== undefined);
  assert.ok(families.length > 0);
  const others = families.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\() ?'((?:\.\.?\/)+[^']+)'/g)]
      .map(([, name = '']) => posix.join(posix.dirname(path), name))
      .filter((target) => ![undefined, familyOf(path)].includes(familyOf(target)))
      .map((target) => `${path} → ${target}`),
  );
  assert.deepEqual(others, []);
});

test('a wrong arrow is found', () => {
  const cpp = (path: string, line: string) => wrongIncludes({ path, text: `#pragma once\n${line}\n` }).length;
  assert.equal(cpp('src/core/view.hpp', '#include "simd/simd.hpp"'), 1);
  assert.equal(cpp('src/simd/exp.hpp', '#include "ops/softmax.hpp"'), 1);
  assert.equal(cpp('src/ops/softmax.hpp', '#include "attention/attention.hpp"'), 1);
  assert.equal(cpp('src/attention/attention.cpp', '#include "linear_attention/linear_attention.hpp"'), 1);
  assert.equal(cpp('src/gemm/matmul.cpp', '#include "ops/softmax.hpp"'), 1);
  assert.equal(cpp('src/attention/problem/kv_layout.hpp', '#include "attention/pattern/plan.hpp"'), 1);
  assert.equal(cpp('src/attention/problem/kv_layout.hpp', '#include "attention/attention.hpp"'), 1);
  assert.equal(cpp('src/attention/pattern/plan.hpp', '#include "attention/score/score_tile.hpp"'), 1);
  assert.equal(cpp('src/attention/score/score_tile.hpp', '#include "attention/softmax/online_softmax.hpp"'), 1);
  assert.equal(cpp('src/attention/softmax/combine.hpp', '#include "attention/dense/dense.hpp"'), 1);
  assert.equal(cpp('src/attention/sparse/sparse.cpp', '#include "attention/dense/dense.hpp"'), 1);
  assert.equal(cpp('src/attention/sparse/sparse.cpp', '#include "attention/attention.hpp"'), 1);
  assert.equal(cpp('src/attention/sparse/sparse.cpp', '#include "attention/softmax/combine.hpp"'), 0);
  assert.equal(cpp('src/attention/attention.cpp', '#include "attention/sparse/sparse.hpp"'), 0);
  assert.equal(cpp('src/attention/extra/x.cpp', '#include "core/view.hpp"'), 1);
  assert.equal(cpp('src/ops/softmax.cpp', '#include "../../bindings/wasm/arena.hpp"'), 1);
  assert.equal(cpp('src/ops/softmax.cpp', '#  include <xsimd/xsimd.hpp>'), 1);
  assert.equal(cpp('src/ops/softmax.cpp', '#include <emscripten.h>'), 1);
  assert.equal(cpp('src/ops/softmax.cpp', '#include <vector>'), 1);
  assert.equal(cpp('src/ops/softmax.cpp', '#include SOMETHING'), 1);
  assert.equal(cpp('src/attention/attention.cpp', '#include <pthread.h>'), 1);
  assert.equal(cpp('src/core/thread_pool.hpp', '#include <thread>'), 1);
  assert.equal(cpp('src/core/thread_pool.hpp', '#include <pthread.h>'), 0);
  assert.equal(cpp('src/extra/extra.cpp', '#include "core/view.hpp"'), 1);
  assert.equal(cpp('src/simd/batch.hpp', '#include <xsimd/xsimd.hpp>'), 0);
  assert.equal(cpp('src/ops/softmax.cpp', '// #include <vector>'), 0);
  assert.equal(cpp('bindings/wasm/module.cpp', '#include <string>\n#include "arena.hpp"\n#include "ops/matmul.hpp"'), 0);

  const js = (path: string, line: string) => wrongImports({ path, text: line }, new Set(['katex', '@types/katex'])).length;
  assert.equal(js('web/shell/engine.ts', "import { load } from '../../bindings/js/fovea/index.ts';"), 1);
  assert.equal(js('web/shell/engine.ts', "export * from '../../dist/index.web.js';"), 1);
  assert.equal(js('web/figures/Heatmap.svelte', "<script>\nconst m = await import('../../src/x.js');\n</script>"), 1);
  assert.equal(js('web/shell/engine.ts', "import { readFileSync } from 'node:fs';"), 1);
  assert.equal(js('bindings/js/fovea/load.ts', "import type { X } from '../../web/lib/x.ts';"), 1);
  assert.equal(js('bindings/js/errors/errors.ts', "import type { Shape } from '../tensor/shapes.ts';"), 1);
  assert.equal(js('bindings/js/attention/types/options.ts', "import type { Pattern } from '../../pattern/pattern.ts';"), 1);
  assert.equal(js('bindings/js/attention/options/attention_spec.ts', "import { attention } from '../attention.ts';"), 1);
  assert.equal(js('bindings/js/fovea/fovea.ts', "import { matmul } from '../ops/matmul.ts';"), 1);
  assert.equal(js('bindings/js/pattern/graph.ts', "export { score } from '../score/index.ts';"), 1);
  assert.equal(js('bindings/js/files/npy.ts', "const { load } = await import('../fovea/load.ts');"), 1);
  assert.equal(js('bindings/js/other/x.ts', "import { fail } from '../errors/errors.ts';"), 1);
  assert.equal(js('bindings/js/x.ts', "import { fail } from './errors/errors.ts';"), 1);
  assert.equal(js('bindings/js/ops/x.ts', "import { entries } from '../../../build/generated/lists/catalog.ts';"), 1);
  assert.equal(js('bindings/js/attention/types/deep/x.ts', "import type { Bias } from '../bias.ts';"), 0);
  assert.equal(js('bindings/js/nn/module.ts', "import type { Fovea } from '../fovea/fovea.ts';"), 0);
  assert.equal(js('bindings/cli/run.ts', "import { load } from '../js/fovea/index.node.ts';"), 1);
  assert.equal(js('bindings/cli/run.ts', "import katex from 'katex';"), 1);
  assert.equal(js('bindings/cli/run.ts', "import { load } from 'fovea';\nimport { parseArgs } from 'node:util';"), 0);
  assert.equal(js('bindings/js/fovea/load.ts', "import katex from 'katex';"), 1);
  assert.equal(js('bindings/js/fovea/load.ts', "import { readFile } from 'node:fs/promises';"), 1);
  assert.equal(js('bindings/js/fovea/index.node.ts', "import { readFile } from 'node:fs/promises';"), 0);
  assert.equal(js('web/shell/engine.ts', "import { load } from 'fovea';\nimport katex from 'katex';\nimport './x.ts';"), 0);
  assert.equal(js('web/shell/localized.ts', "import type { Feature } from '../../text/words.ts';"), 1);
  assert.equal(js('web/shell/TopBar.svelte', "<script>\nimport { FAMILIES } from '../families/families.ts';\n</script>"), 1);
  assert.equal(js('web/figures/figure.ts', "import type { Axis } from '../text/vectors.ts';"), 1);
  assert.equal(js('web/text/vectors.ts', "import { Mechanism } from '../stages/mechanism.svelte.ts';"), 1);
  assert.equal(js('web/stages/Reference.svelte', "<script>\nimport { slots } from '../families/family.ts';\n</script>"), 1);
  assert.equal(js('web/stages/arithmetic/expr.ts', "import type { TraceView } from '../trace_view.svelte.ts';"), 1);
  assert.equal(js('web/lessons/rope.ts', "import { pathOf } from '../families/families.ts';"), 1);
  assert.equal(
    js('web/pictures/families/basics.svelte', "<script>\nimport Home from '../../course/Home.svelte';\n</script>"),
    1,
  );
  assert.equal(js('web/course/Home.svelte', "<script>\nimport { pageOf } from '../pages.ts';\n</script>"), 1);
  assert.equal(js('web/course/Home.svelte', "<script>\nimport Grid from '../model/HeadGrid.svelte';\n</script>"), 1);
  assert.equal(js('web/comparison/x.ts', "import { COMPARISONS } from '../course/compare/comparisons.ts';"), 1);
  assert.equal(js('web/lessons/rope.ts', "import * as texts from '../../build/generated/texts/rope.ts';"), 0);
  assert.equal(js('web/lessons/rope.ts', "import { BLOCK } from '../../build/generated/abi.ts';"), 1);
  assert.equal(js('web/other/x.ts', "import { pageOf } from '../shell/localized.ts';"), 1);
  assert.equal(js('web/lessons/rope.ts', "import type { Mechanism } from '../stages/mechanism.svelte.ts';"), 0);
  assert.equal(
    js('web/pictures/families/basics.svelte', "<script>\nimport Arcs from '../../figures/Arcs.svelte';\n</script>"),
    0,
  );
  assert.equal(js('web/pages.ts', "import { FAMILIES } from './families/families.ts';\nimport('./course/Home.svelte');"), 0);
});

test('the core neither allocates, throws nor prints, and only src/simd names xsimd', () => {
  assert.deepEqual(core.flatMap(forbiddenInCore), []);
  const found = (text: string) => forbiddenInCore({ path: 'src/ops/x.cpp', text }).length;
  assert.equal(found('float* x = new float[4];'), 1);
  assert.equal(found('throw 1;'), 1);
  assert.equal(found('void* p = std::malloc(4);'), 1);
  assert.equal(found('using xsimd::batch;'), 1);
  assert.equal(found('// a new row\nconst char* s = "throw"; int renewed; /* malloc */'), 0);
});

test('the API uses no inexact Math, no random numbers, no eval, and no console but where print writes', () => {
  assert.deepEqual(
    api.flatMap(forbiddenInApi).map((complaint) => complaint.replace(/:\d+/, '')),
    ['bindings/js/tensor/print.ts: console.log'],
  );
  const found = (text: string) => forbiddenInApi({ path: 'bindings/js/x.ts', text }).length;
  for (const name of ['sin', 'cos', 'tanh', 'exp', 'log', 'pow', 'hypot', 'random'])
    assert.equal(found(`Math.${name}(1)`), 1, name);
  assert.equal(found("Math['sin'](1)"), 1);
  assert.equal(found('const { sin } = Math;'), 1);
  assert.equal(found('const y = x ** 0.5;'), 1);
  assert.equal(found("new Function('return 1')"), 1);
  assert.equal(found('console.log(1)'), 1);
  for (const name of ['Float32Array', 'Map', 'URL']) assert.equal(found(`x instanceof ${name}`), 1, name);
  assert.equal(found('error instanceof AttentionError'), 0);
  assert.equal(found('Math.floor(Math.sqrt(2)) + 2 ** 32; // Math.sin'), 0);
});

test('files of src and bindings have at most 250 lines', () => {
  assert.deepEqual(
    [...core, ...glue, ...api, ...program].flatMap((file) => tooLong(file, 250)),
    [],
  );
  assert.equal(tooLong({ path: 'x', text: 'line\n'.repeat(251) }, 250).length, 1);
});

test('nothing is compiled with fast-math', () => {
  const settings = ['src', 'bindings', 'scripts', 'tests/cpp', '.ci'].flatMap((folder) =>
    sourceFiles(folder, '.txt', '.cmake', '.json', '.mjs', '.sh', '.hpp', '.cpp'),
  );
  for (const path of ['CMakeLists.txt', 'CMakePresets.json', 'package.json']) {
    settings.push({ path, text: readFileSync(`${root}/${path}`, 'utf8') });
  }
  const fast = /fast-?math|-Ofast|associative-math|unsafe-math|finite-math|reciprocal-math/i;
  assert.deepEqual(
    settings.filter(({ text }) => fast.test(text)).map(({ path }) => path),
    [],
  );
});
