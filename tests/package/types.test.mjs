// The types, as a TypeScript user sees them: strict, with the declarations checked too.

import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, symlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import ts from 'typescript';
import { shownCalls } from './support/editor.mjs';
import { installInEmptyProject, root, write } from './support/project.mjs';
import { configurationsFor, programs } from './support/type_programs.mjs';

const { project, installed } = await installInEmptyProject();
await write(project, programs);
await mkdir(join(project, 'node_modules/@types'), { recursive: true });
for (const name of ['@types/node', 'undici-types'])
  await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));

// The compiler is called here, not started for each: half of the work is its own warming up.
for (const { name, file, text } of configurationsFor(ts.version)) {
  test(`a program compiles under ${name}`, () => {
    const host = { getCanonicalFileName: (path) => path, getCurrentDirectory: () => project, getNewLine: () => '\n' };
    const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
      JSON.parse(text),
      ts.sys,
      project,
      undefined,
      join(project, file),
    );
    assert.ok(fileNames.length > 0);
    const faults = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options))];
    assert.equal(ts.formatDiagnostics(faults, host), '');
  });
}

test('what an entry declares as a value it exports, and no more', async () => {
  const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).filter(([name, entry]) => entry.types !== undefined && !name.endsWith('.wasm'));
  const paths = entries.map(([, { types }]) => join(installed, types));
  const program = ts.createProgram(paths, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  for (const [index, [name, entry]] of entries.entries()) {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(paths[index]));
    const isValue = (one) => {
      const target = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
      return (target.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(one);
    };
    const declared = checker
      .getExportsOfModule(symbol)
      .filter(isValue)
      .map((one) => one.name);
    const exported = Object.keys(await import(pathToFileURL(join(installed, entry.node ?? entry.default))));
    assert.deepEqual(declared.sort(), exported.sort(), name);
  }

  /** Whether a name is exported by `export type`. */
  function isTypeOnly(symbol) {
    return (
      symbol.declarations?.some((node) => ts.isExportSpecifier(node) && ts.isTypeOnlyExportDeclaration(node)) ||
      isFromTypeStar(symbol)
    );
  }
  /** `export type *` leaves no declaration of its own: the name is none of the values that the file exports otherwise. */
  function isFromTypeStar(symbol) {
    return checker.getTypeOnlyAliasDeclaration?.(symbol) !== undefined;
  }
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

test('an editor shows documentation where a function, a method or a constructor is called, for each of its signatures', () => {
  const calls = shownCalls(project, installed);
  const find = (name) => calls.find((one) => one.name === name);
  for (const name of ['.: Fovea#attention', '.: load', './ops: softmax', './nn: new Linear', './worker: RemoteFovea#attention'])
    assert.ok(find(name), `${name} is among the ${calls.length} calls`);
  assert.equal(find('.: Fovea#attention').signatures.length, 2);
  assert.match(find('.: Fovea#attention').signatures[0], /^Scaled dot-product attention: softmax/);
  const silent = calls.filter(({ signatures, hover }) => signatures.length === 0 || [...signatures, hover].includes(''));
  assert.deepEqual(
    silent.map(({ name }) => name),
    [],
  );
});
