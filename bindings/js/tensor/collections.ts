/** Maps, Sets and arrays of any realm: those of another window or of a test runner's context are no instances of this realm's classes. */
import { tagOf } from '../errors/objects.ts';

export function isMap(value: unknown): value is Map<unknown, unknown> {
  return tagOf(value) === 'Map';
}

/** Whether it is an array, a Set, or a Map, which goes through its [key, value] pairs. */
export function isCollection(value: object): value is Iterable<unknown> {
  return /^(Array|Map|Set)$/.test(tagOf(value)) && Symbol.iterator in value;
}
