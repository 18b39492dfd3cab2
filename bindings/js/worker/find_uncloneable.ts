/** Which part of some arguments structured cloning refuses. */
import { describe } from '../errors/errors.ts';
import { isList } from '../errors/options.ts';

/** The innermost part that cannot be cloned, by name, or null where all can: `q[2], a function,`. */
export function findUncloneable(name: string, value: unknown, seen = new Set<unknown>()): string | null {
  if (seen.has(value) || isCloned(value)) return null;
  seen.add(value);
  if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      const inner = isList(value) ? `${name}[${key}]` : entryName(name, key);
      const found = findUncloneable(inner, entry, seen);
      if (found !== null) return found;
    }
  }
  return `${name}, ${describe(value)},`;
}

/** How messages name an entry of an argument: those of options and params by the name alone. */
export function entryName(name: string, key: string): string {
  return name === 'options' || name === 'params' ? key : `${name}.${key}`;
}

function isCloned(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
