import { isRevoked } from '../errors/options.ts';
import { isCollection } from './collections.ts';

/** Everything that `is` recognizes in the value itself, in arrays, objects, Maps and Sets. */
export function reachable<T extends object>(value: unknown, is: (value: unknown) => value is T): Set<T> {
  const found = new Set<T>();
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || isRevoked(next) || seen.has(next)) continue;
    seen.add(next);
    if (is(next)) found.add(next);
    else if (ArrayBuffer.isView(next)) continue;
    else if (isCollection(next)) for (const entry of next) open.push(entry);
    else open.push(...Object.values(next));
  }
  return found;
}
