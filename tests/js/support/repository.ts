/** The repository that the tests belong to, as text. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'CMakePresets.json')) && existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error('the repository was not found above the tests');
  }
}

export const root = findRoot();

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The files below `folder` whose names end in one of `endings`; what was installed or built is left out. */
export function sourceFiles(folder: string, ...endings: string[]): SourceFile[] {
  return pathsBelow(join(root, folder))
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }));
}

function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : pathsBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
