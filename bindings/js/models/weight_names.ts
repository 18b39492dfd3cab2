/** The names of weights: a file's, a module's, and those that are missing. */
import { fail } from '../errors/errors.ts';
import { applyPairs } from '../nn/state_dict.ts';
import type { RenameTable } from './families/family.ts';
import type { Folder } from './folder/folder.ts';

/** A weight of a module, or one of the parts that are joined to it. */
export interface NamedPart {
  readonly name: string;
  /** Null: the whole. */
  readonly part: number | null;
}

interface Naming {
  readonly fn: string;
  readonly folder: Folder;
  readonly rename: RenameTable;
  readonly partRows?: ((name: string) => readonly number[]) | undefined;
}

/** The weight of the module that a tensor of a file is, or of which it is a part. */
export function placeOf(fn: string, tensor: string, rename: RenameTable): NamedPart {
  const target = applyPairs(fn, tensor, rename);
  // The tables name parts so; a file's own name that looks like one is none.
  const [, whole, part] = tensor.includes('[') ? [] : (/^(.*)\[(\d)\]$/.exec(target) ?? []);
  return whole === undefined ? { name: target, part: null } : { name: whole, part: Number(part) };
}

/** Before anything is downloaded: an index tells which weights there are. */
export function checkNames(wanted: readonly string[], tensors: readonly string[], naming: Naming): void {
  const { fn, rename, partRows } = naming;
  const found = new Map<string, Set<number | null>>();
  for (const tensor of tensors) {
    const { name, part } = placeOf(fn, tensor, rename);
    found.set(name, (found.get(name) ?? new Set()).add(part));
  }
  const isThere = (name: string): boolean => {
    const parts = found.get(name);
    return parts !== undefined && (parts.has(null) || parts.size === partRows?.(name).length);
  };
  refuseMissing(
    naming,
    wanted.filter((name) => !isThere(name)),
  );
}

export function refuseMissing({ fn, folder }: Naming, missing: readonly string[]): void {
  if (missing.length > 0)
    fail('value', fn, `${folder.name} must have all weights, got none that the family's names make ${missing.join(', ')}`);
}
