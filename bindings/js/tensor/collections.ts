/** Maps, Sets and arrays of any realm: those of another window or of a test runner's context are no instances of this realm's classes. */

import { isRevoked } from '../errors/options.ts';

/** The name by which an object tells its kind: 'Map', 'URL', 'WebAssembly.Module'. */
export function tagOf(value: unknown): string {
  return isRevoked(value) ? 'Object' : Object.prototype.toString.call(value).slice(8, -1);
}

export function isMap(value: unknown): value is Map<unknown, unknown> {
  return tagOf(value) === 'Map';
}

/** Whether it is an array, a Set, or a Map, which goes through its [key, value] pairs. */
export function isCollection(value: object): value is Iterable<unknown> {
  return /^(Array|Map|Set)$/.test(tagOf(value)) && Symbol.iterator in value;
}
