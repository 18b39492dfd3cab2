// Checks the hints that an editor shows where the package's functions are called: TypeScript's language service on the declarations that ship.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const options = {
  strict: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * Every function, method and constructor that the entries export, each as it is called in an editor.
 *
 * @param {string} project the folder of a project that has the package installed
 * @param {string} installed the folder of the package in it
 * @returns {{ name: string, signatures: string[], hover: string }[]} the documentation of each signature, and of the name
 */
export function shownCalls(project, installed) {
  const file = join(project, 'calls.ts');
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).filter(([name, { types }]) => types !== undefined && !name.endsWith('.wasm'));
  let text = entries.map(([name], n) => `import * as e${n} from '${name.replace('.', 'fovea')}';\n`).join('');
  let version = 0;
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => String(name === file ? version : 0),
    getScriptSnapshot: (name) => {
      if (name !== file && !existsSync(name)) return undefined;
      return ts.ScriptSnapshot.fromString(name === file ? text : readFileSync(name, 'utf8'));
    },
    getCurrentDirectory: () => project,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || existsSync(name),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const calls = findCalls(service.getProgram(), entries, installed);
  for (const call of calls) {
    text += `${call.before}${call.code}(`;
    call.at = text.length;
    text += ');\n';
  }
  version++;
  const textOf = (parts) => ts.displayPartsToString(parts ?? []);
  return calls.map(({ name, at }) => ({
    name,
    signatures: (service.getSignatureHelpItems(file, at, undefined)?.items ?? []).map((one) => textOf(one.documentation)),
    hover: textOf(service.getQuickInfoAtPosition(file, at - 2)?.documentation),
  }));
}

/** The calls as code: `before` declares what `code` needs. */
function findCalls(program, entries, installed) {
  const checker = program.getTypeChecker();
  const calls = [];
  const seen = new Set();
  const isOurs = ({ declarations = [] }) =>
    declarations.some((node) => node.getSourceFile().fileName.includes('node_modules/fovea/'));
  const modifiersOf = ({ declarations = [] }) => declarations.reduce((all, node) => all | ts.getCombinedModifierFlags(node), 0);
  const isHidden = (symbol) => (modifiersOf(symbol) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
  const isCallable = (symbol) => checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
  /** Optional ones are options that the caller gives. */
  const methodsOf = (type) =>
    checker
      .getPropertiesOfType(type)
      .filter((one) => /^\w+$/.test(one.name) && (one.flags & ts.SymbolFlags.Optional) === 0)
      .filter((one) => isOurs(one) && !isHidden(one) && isCallable(one))
      .map(({ name }) => name);

  for (const [n, [entry, { types }]] of entries.entries()) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(installed, types)));
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (seen.has(symbol)) continue;
      seen.add(symbol);
      const [name, code] = [`${entry}: ${exported.name}`, `e${n}.${exported.name}`];
      if (symbol.flags & ts.SymbolFlags.Value) {
        const type = checker.getTypeOfSymbol(symbol);
        if (isCallable(symbol)) calls.push({ name, before: '', code });
        const [construct] = type.getConstructSignatures();
        if (construct !== undefined && canMake(construct))
          calls.push({ name: `${entry}: new ${exported.name}`, before: '', code: `new ${code}` });
        for (const method of methodsOf(type)) calls.push({ name: `${name}.${method}`, before: '', code: `${code}.${method}` });
      }
      if (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) {
        const type = checker.getDeclaredTypeOfSymbol(symbol);
        const parameters = type.typeParameters?.map(() => 'any').join() ?? '';
        const made = `made${calls.length}`;
        const before = `declare const ${made}: ${code}${parameters && `<${parameters}>`};\n`;
        for (const [index, method] of methodsOf(type).entries())
          calls.push({ name: `${name}#${method}`, before: index === 0 ? before : '', code: `${made}.${method}` });
      }
    }
  }
  return calls;

  /** Whether callers may write `new`: the class is not abstract, and its constructor is declared, and not private. */
  function canMake({ declaration }) {
    if (declaration === undefined) return false;
    const flags = ts.getCombinedModifierFlags(declaration) | ts.getCombinedModifierFlags(declaration.parent);
    return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Abstract)) === 0;
  }
}
