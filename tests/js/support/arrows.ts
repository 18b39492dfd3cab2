/** Which part of the repository may include or import which, and what a file does. One complaint per wrong arrow. */
import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './repository.ts';

/** For each part, the others that it may know. A file belongs to the longest of these folders that holds it. */
const allowedParts: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/simd': ['src/core'],
  'src/ops': ['src/core', 'src/simd'],
  'src/attention': ['src/core', 'src/simd', 'src/ops'],
  'src/mechanisms': ['src/core', 'src/ops', 'src/attention'],
  'bindings/wasm': ['src/core', 'src/simd', 'src/ops', 'src/attention', 'src/mechanisms'],
  'bindings/js': ['build/wasm'],
  'build/wasm': [],
  web: [],
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

/** Packages that are compiled into the shipped JavaScript. */
const bundledPackages = new Set(['wasm-feature-detect']);

/** Files that only Node runs. */
const forNodeOnly = /(\.node\.ts|(^|\/)node[./_-].*|\.config\.(ts|js)|^web\/plugins\/.*)$/;

function partOf(path: string): string | undefined {
  const holding = Object.keys(allowedParts).filter((part) => path.startsWith(`${part}/`));
  return holding.sort((a, b) => b.length - a.length)[0];
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
 * @param toolPackages - what web may import beside the package: the page's own tools
 */
export function wrongImports({ path, text }: SourceFile, toolPackages: ReadonlySet<string>): string[] {
  const code = path.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map((m) => m[1]).join('\n')
    : text;
  return ts.preProcessFile(code, true, true).importedFiles.flatMap(({ fileName: name }) => {
    if (name.startsWith('.')) return complainAboutPart(path, posix.join(posix.dirname(path), name));
    const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    const isPackage = path.startsWith('web/')
      ? packageName === 'fovea' || toolPackages.has(packageName)
      : bundledPackages.has(name);
    const isNode = name.startsWith('node:') && forNodeOnly.test(path);
    return isPackage || isNode ? [] : [`${path}: may not import '${name}'`];
  });
}

/** C++ without its comments. */
export function withoutComments(text: string): string {
  return text.replace(/("(?:\\.|[^"\\\n])*")|\/\/.*|\/\*[^]*?\*\//g, (_, string: string | undefined) => string ?? ' ');
}
