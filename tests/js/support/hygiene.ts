/** Rules for a source file, whatever it includes. One complaint per find. */
import ts from 'typescript';
import { withoutComments } from './arrows.ts';
import type { SourceFile } from './repository.ts';

export function tooLong({ path, text }: SourceFile, most: number): string[] {
  const lines = text.split('\n').length - 1;
  return lines > most ? [`${path}: ${lines} lines, at most ${most} are allowed`] : [];
}

/** The core allocates nothing, throws nothing, prints nothing and names xsimd in one folder. */
export function forbiddenInCore({ path, text }: SourceFile): string[] {
  const code = withoutComments(text)
    .replace(/^\s*#\s*include.*$/gm, '')
    .replace(/"(?:\\.|[^"\\\n])*"/g, '""');
  const words = /\b(new|throw|try|catch|malloc|calloc|realloc|alloca|aligned_alloc|printf|abort|EM_ASM\w*|EM_JS\w*)\b/g;
  const found = [...code.matchAll(words)].map((match) => `${path}: '${match[1]}'`);
  if (!path.startsWith('src/simd/') && /\bxsimd\b/.test(code)) found.push(`${path}: 'xsimd' outside src/simd`);
  return found;
}

/** Functions whose result the language defines to the last bit. */
const exactMath = new Set(['abs', 'ceil', 'clz32', 'floor', 'fround', 'imul', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc']);

/** Classes of which every realm (a window, an iframe, a test runner's context) has its own: their objects are known by their tag. */
const ofEveryRealm = /^(\w+Array|ArrayBuffer|SharedArrayBuffer|DataView|Map|Set|URL|RegExp|Date|Blob|Response|Promise)$/;

/**
 * The API computes no transcendental function (engines differ), draws no random number, prints nothing, evaluates no text, and
 * asks no object of the caller's for its realm's class.
 */
export function forbiddenInApi({ path, text }: SourceFile): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const complaints: string[] = [];
  const complain = (node: ts.Node) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    complaints.push(`${path}:${line + 1}: ${node.parent.getText().slice(0, 60)}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isName(node)) {
      if (node.text === 'Math' && !isExactMath(node.parent)) complain(node);
      if (['console', 'eval', 'Function'].includes(node.text) && !ts.isTypeReferenceNode(node.parent)) complain(node);
    }
    if (node.kind === ts.SyntaxKind.InstanceOfKeyword && ts.isBinaryExpression(node.parent)) {
      if (ofEveryRealm.test(node.parent.right.getText())) complain(node);
    }
    if (node.kind === ts.SyntaxKind.AsteriskAsteriskToken && !isWholePower(node.parent)) complain(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return complaints;
}

/** Whether an identifier is the name of a property, which says nothing of a global of that name. */
function isName(node: ts.Identifier): boolean {
  return (ts.isPropertyAccessExpression(node.parent) || ts.isPropertyAssignment(node.parent)) && node.parent.name === node;
}

function isExactMath(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node) && exactMath.has(node.name.text);
}

/** 2 ** 32 and its like: a literal of whole numbers, folded by the engine to an exact one. */
function isWholePower(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && [node.left, node.right].every((side) => /^-?\d+$/.test(side.getText()));
}
