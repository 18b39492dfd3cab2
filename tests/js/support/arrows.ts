/** Which part of the repository may include or import which, and what a file does. One complaint per wrong arrow. */
import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './repository.ts';

const belowOps = ['src/core', 'src/simd', 'src/gemm'];
const belowAttention = [...belowOps, 'src/ops'];
const problem = 'src/attention/problem';
const pattern = 'src/attention/pattern';
const score = 'src/attention/score';
const softmax = 'src/attention/softmax';
const paths = ['dense', 'decode', 'sparse', 'multi_dimensional', 'cache'].map((name) => `src/attention/${name}`);
const backward = 'src/attention/backward';
const core = [
  ...[...belowAttention, problem, pattern, score, softmax, ...paths, backward, 'src/attention', 'src/linear_attention'],
  ...['src/losses', 'src/optimizers'],
];

const generated = ['build/generated', 'build/generated/blocks', 'build/generated/enums', 'build/wasm'];

/** The lists of the files of two folders, which those alone may know. */
const lists = 'build/generated/lists';
const listed = ['bindings/js/mechanisms', 'bindings/js/catalog'];
const generatedTexts = 'build/generated/texts';

/** The folders of the package as floors, the lowest first: each may know those before its own, and what the builds generate. */
const floorsOfThePackage = [
  ['errors'],
  ['runtime'],
  ['tensor'],
  ['call'],
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
].map((floor) => floor.map((name) => `bindings/js/${name}`));

/** The folders of the page as floors, the lowest first; its files outside of them stand on top. */
const floorsOfThePage = [
  ['formulas'],
  ['shell'],
  ['figures'],
  ['patterns'],
  ['text'],
  ['inputs'],
  ['stages/arithmetic'],
  ['stages'],
  ['keep'],
  ['lessons'],
  ['families'],
  ['pictures'],
  ['mechanism'],
  ['search'],
  ['course', 'model', 'comparison', 'offline', 'laboratory', 'element'],
].map((floor) => floor.map((name) => `web/${name}`));

/**
 * For each part, the others that it may know. A file belongs to the longest of these folders that holds it; a folder whose
 * rooms are listed, too, holds no other rooms.
 */
const allowedParts: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/simd': ['src/core'],
  'src/gemm': ['src/core', 'src/simd'],
  'src/ops': belowOps,
  [problem]: belowAttention,
  [pattern]: [...belowAttention, problem],
  [score]: [...belowAttention, problem, pattern],
  [softmax]: [...belowAttention, problem, pattern, score],
  ...Object.fromEntries(paths.map((path) => [path, [...belowAttention, problem, pattern, score, softmax]])),
  [backward]: [...belowAttention, problem, pattern, score, softmax, ...paths],
  'src/attention': [...belowAttention, problem, pattern, score, softmax, ...paths],
  'src/linear_attention': belowAttention,
  'src/losses': belowAttention,
  'src/optimizers': belowAttention,
  'bindings/wasm': core,
  ...Object.fromEntries(
    floorsOfThePackage.flatMap((floor, at) =>
      floor.map((folder) => [
        folder,
        [...generated, ...(listed.includes(folder) ? [lists] : []), ...floorsOfThePackage.slice(0, at).flat()],
      ]),
    ),
  ),
  'bindings/cli': [],
  'bindings/js/files': ['bindings/js/errors', 'bindings/js/tensor'],
  'bindings/js/models': [...generated, 'bindings/js/files', ...floorsOfThePackage.slice(0, -1).flat()],
  'build/generated': [],
  'build/generated/blocks': [],
  'build/generated/enums': [],
  [lists]: [],
  [generatedTexts]: [],
  'build/wasm': [],
  ...Object.fromEntries(
    floorsOfThePage.flatMap((floor, at) =>
      floor.map((folder) => [folder, [generatedTexts, ...floorsOfThePage.slice(0, at).flat()]]),
    ),
  ),
  'web/plugins': ['web/shell', 'web/stages'],
  web: [generatedTexts, ...floorsOfThePage.flat(), 'web/plugins'],
};

/** Headers from outside the repository, beside C++'s own (which have neither folder nor ending). */
const allowedHeaders: Readonly<Record<string, RegExp>> = {
  'src/core': /^(pthread|sched)\.h$/,
  'src/simd': /^(xsimd\/.*|wasm_simd128\.h)$/,
  'bindings/wasm': /^emscripten\/.*$/,
};

/** Headers that print, allocate, throw or hide a host: not for the core. */
const headersNotForTheCore = new Set(
  `iostream ostream istream sstream fstream iomanip cstdio stdio.h print format locale regex
   vector string map set unordered_map unordered_set deque list forward_list queue stack memory functional any
   stdexcept exception thread future filesystem`.split(/\s+/),
);

/** Files that only Node runs. */
const forNodeOnly = /(^bindings\/cli\/.*|\.node\.ts|(^|\/)node[./_-].*|\.config\.(ts|js)|^web\/plugins\/.*)$/;

function partOf(path: string): string | undefined {
  const parts = Object.keys(allowedParts);
  const part = parts.filter((folder) => path.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0];
  const hasRooms = parts.some((folder) => folder.startsWith(`${part}/`));
  return hasRooms && posix.dirname(path) !== part ? undefined : part;
}

/** The parts below `folder` as floors, the lowest first: a part stands one above the highest that it may know. */
export function floorsOf(folder: string): string[][] {
  const height = (part: string): number => 1 + Math.max(-1, ...(allowedParts[part] ?? []).map(height));
  const floors: string[][] = [];
  for (const part of Object.keys(allowedParts)) {
    if (part === folder || part.startsWith(`${folder}/`)) (floors[height(part)] ??= []).push(part.slice(folder.length + 1));
  }
  return floors.filter((floor) => floor.length > 0);
}

function complainAboutPart(path: string, target: string): string[] {
  const [from, to] = [partOf(path), partOf(target)];
  if (from !== undefined && to !== undefined && (from === to || allowedParts[from]?.includes(to))) return [];
  return [`${path}: ${from ?? 'no known part'} → ${to ?? 'no known part'} (${target})`];
}

/** The wrong arrows of a C++ file. */
export function wrongIncludes({ path, text }: SourceFile): string[] {
  const part = partOf(path);
  const lines = withoutComments(text).match(/^[ \t]*#[ \t]*(include|import)\b.*$/gm) ?? [];
  return lines.flatMap((line) => {
    const found = /#\s*include\s*(?:"(?<own>[^"]+)"|<(?<foreign>[^>]+)>)/.exec(line)?.groups;
    if (found?.['own'] !== undefined) {
      const own = found['own'];
      return complainAboutPart(path, own.includes('/') ? posix.normalize(`src/${own}`) : posix.join(posix.dirname(path), own));
    }
    const header = found?.['foreign'];
    if (header === undefined) return [`${path}: an include that cannot be read: ${line.trim()}`];
    const known = part !== undefined && (allowedHeaders[part]?.test(header) ?? false);
    const standard = /^\w+$/.test(header) && !(path.startsWith('src/') && headersNotForTheCore.has(header));
    return known || standard ? [] : [`${path}: ${part} may not include <${header}>`];
  });
}

/**
 * The wrong arrows of a TypeScript, JavaScript or Svelte file.
 *
 * The page and the program `fovea` import the package by its name.
 *
 * @param toolPackages - what web may import beside the package and the modules made while it is built: the page's own tools
 */
export function wrongImports({ path, text }: SourceFile, toolPackages: ReadonlySet<string>): string[] {
  return importedNames({ path, text }).flatMap((name) => {
    if (name.startsWith('.')) return complainAboutPart(path, posix.join(posix.dirname(path), name));
    const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    // The package is made of its own files, and of the packages that fovea/models bundles for texts, conversations and digests.
    const isBundled =
      (path.startsWith('bindings/js/models/text/') && ['@huggingface/tokenizers', '@huggingface/jinja'].includes(name)) ||
      (path.startsWith('bindings/js/models/folder/') && name === '@noble/hashes/sha2.js');
    const isPackage =
      path.startsWith('web/') &&
      (packageName === 'fovea' || packageName.startsWith('virtual:') || toolPackages.has(packageName));
    const isOwn = packageName === 'fovea' && path.startsWith('bindings/cli/');
    const isNode = name.startsWith('node:') && forNodeOnly.test(path);
    return isPackage || isBundled || isOwn || isNode ? [] : [`${path}: may not import '${name}'`];
  });
}

/** The specifiers that a file imports, as they are written; a Svelte file's are those of its scripts. */
function importedNames({ path, text }: SourceFile): string[] {
  const code = path.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map((m) => m[1]).join('\n')
    : text;
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The files that import each other in a circle, directly or by way of others; imports of types count. */
export function importCycles(files: readonly SourceFile[]): string[][] {
  const imports = new Map(
    files.map((file) => {
      const folder = posix.dirname(file.path);
      return [file.path, importedNames(file).map((name) => posix.join(folder, name))];
    }),
  );
  const reachedFrom = (path: string): Set<string> => {
    const reached = new Set<string>();
    const open = [path];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of imports.get(at) ?? []) if (!reached.has(next)) open.push((reached.add(next), next));
    }
    return reached;
  };
  const reached = new Map([...imports.keys()].map((path) => [path, reachedFrom(path)]));
  const cycles = new Set<string>();
  for (const [path, others] of reached)
    if (others.has(path))
      cycles.add(
        [...others]
          .filter((other) => reached.get(other)?.has(path))
          .sort()
          .join(' '),
      );
  return [...cycles].map((cycle) => cycle.split(' '));
}

/** C++ without its comments. */
export function withoutComments(text: string): string {
  return text.replace(/("(?:\\.|[^"\\\n])*")|\/\/.*|\/\*[^]*?\*\//g, (_, string: string | undefined) => string ?? ' ');
}

/**
 * Faults in how the declarations of a folder's C++ headers find their definitions: X.cpp that does not include X.hpp,
 * and what X.hpp declares without a body where X.cpp does not define it.
 */
export function misplacedDefinitions(files: readonly SourceFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, withoutComments(text)]));
  return [...texts].flatMap(([path, text]) => {
    const other = texts.get(path.endsWith('.hpp') ? path.replace(/hpp$/, 'cpp') : path.replace(/cpp$/, 'hpp'));
    if (path.endsWith('.cpp')) {
      const includesOwn = text.includes(`#include "${path.replace(/^src\/(.*)cpp$/, '$1hpp')}"`);
      return other !== undefined && includesOwn ? [] : [`${path}: includes no header of its own name`];
    }
    const declared = [...text.matchAll(/(\w+)\((?:[^()]|\([^()]*\))*\)\s*(?:const\s+)?noexcept\s*;/g)].map((match) => match[1]);
    const missing = declared.filter((name) => !new RegExp(`\\b${name}\\(`).test(other ?? ''));
    return missing.map((name) => `${path}: ${name} is not defined in the file of that name`);
  });
}
