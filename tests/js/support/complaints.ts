/** TypeScript's complaints about a program that imports the published package. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

const folder = resolve('build/tests/types');
mkdirSync(folder, { recursive: true });

/** Declarations change in no test: each file is parsed once, and checked once for each set of options. */
interface Compiler {
  readonly options: ts.CompilerOptions;
  readonly host: ts.CompilerHost;
  readonly checked: Set<string>;
}

const compilers = new Map<string, Compiler>();

function compilerWith(options: ts.CompilerOptions): Compiler {
  const key = JSON.stringify(options);
  const known = compilers.get(key);
  if (known !== undefined) return known;
  const all: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    ...options,
  };
  const host = ts.createCompilerHost(all);
  const parse = host.getSourceFile.bind(host);
  const parsed = new Map<string, ts.SourceFile | undefined>();
  host.getSourceFile = (name, ...rest) => {
    if (!isDeclaration(name)) return parse(name, ...rest);
    if (!parsed.has(name)) parsed.set(name, parse(name, ...rest));
    return parsed.get(name);
  };
  const compiler = { options: all, host, checked: new Set<string>() };
  compilers.set(key, compiler);
  return compiler;
}

function isDeclaration(name: string): boolean {
  return name.endsWith('.d.ts');
}

/** Each complaint as one text; `name` tells apart the programs of tests that run at once. */
export function complaints(name: string, program: string, options: ts.CompilerOptions): string[] {
  return compile(name, program, options).map(({ text }) => text);
}

/** Each of `wrong`, a block of its own behind `program`, has the complaint that stands beside it; all are compiled at once. */
export function assertRefused(
  name: string,
  program: string,
  wrong: readonly (readonly [code: string, complaint: RegExp])[],
  options: ts.CompilerOptions,
): void {
  const found = compile(name, [program, ...wrong.map(([code]) => `{ ${code} }`), 'export {};'].join('\n'), options);
  const first = program.split('\n').length;
  for (const [at, [code, complaint]] of wrong.entries()) {
    const said = found.filter(({ line }) => line === first + at).map(({ text }) => text);
    assert.match(said.join(), complaint, code);
  }
  assert.deepEqual(
    found.filter(({ line }) => line === undefined || line < first),
    [],
    'the program itself has no complaint',
  );
}

/** The complaints with the line of the program, from 0, or undefined for another file. */
function compile(name: string, program: string, options: ts.CompilerOptions): { text: string; line: number | undefined }[] {
  const file = `${folder}/${name}.mts`;
  writeFileSync(file, program);
  const { options: all, host, checked } = compilerWith(options);
  const compiled = ts.createProgram([file], all, host);
  // TypeScript's own declarations stand first: where the package's contradict them, the complaint is at the package's.
  const unchecked = compiled
    .getSourceFiles()
    .filter((source) => !checked.has(source.fileName) && !compiled.isSourceFileDefaultLibrary(source));
  const found = [
    ...compiled.getOptionsDiagnostics(),
    ...compiled.getGlobalDiagnostics(),
    ...unchecked.flatMap((source) => [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)]),
  ];
  const bad = new Set(found.map(({ file: source }) => source?.fileName));
  for (const { fileName } of unchecked) if (isDeclaration(fileName) && !bad.has(fileName)) checked.add(fileName);
  return found.map(({ messageText, file: source, start }) => ({
    text: ts.flattenDiagnosticMessageText(messageText, '\n'),
    line:
      source === undefined || start === undefined || isDeclaration(source.fileName)
        ? undefined
        : source.getLineAndCharacterOfPosition(start).line,
  }));
}

export const resolutions: Record<string, ts.CompilerOptions> = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};
