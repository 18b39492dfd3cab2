/** Which part of the core a function of the wasm file is of, by the folder of src/ that defines its name. */
import { posix } from 'node:path';
import { sourceFiles } from './repository.ts';

/** The names that stand before the parenthesis of a definition or the brace of a class, by the folder where they stand. */
function definedNames(): Map<string, string> {
  const folders = new Map<string, string>();
  for (const { path, text } of [...sourceFiles('src', '.cpp'), ...sourceFiles('src', '.hpp')]) {
    // A definition begins in the first column; its parameters may go on in the lines below.
    const definitions = text.matchAll(/^(?![\s#/}])[^=;(]*?\b(?:(\w+)::)?(\w+)\(|^(?:class|struct) (\w+)/gm);
    for (const [, owner, name, type] of definitions) {
      const key = owner ?? name ?? type;
      if (key !== undefined && !folders.has(key)) folders.set(key, posix.dirname(path).replace('src/', ''));
    }
  }
  return folders;
}

/** Bytes of code by family; the runtime's own (allocator, libc++, Embind) is 'runtime', what has no known name 'other'. */
export function sizesByFamily(names: readonly string[], sizes: readonly number[]): Map<string, number> {
  const folders = definedNames();
  const families = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const own = /\bfovea::(?:\(anonymous namespace\)::)?(\w+)/.exec(name)?.[1];
    const family = own === undefined ? 'runtime' : own === 'wasm' ? 'bindings' : (folders.get(own) ?? 'other');
    families.set(family, (families.get(family) ?? 0) + sizes[index]!);
  }
  return new Map([...families].sort(([, a], [, b]) => b - a));
}
