/** Reading option objects: unknown names, absent values, and the checks that several functions share. */
import { describe, fail, shorten } from './errors.ts';

/** An object that inherits nothing. A class, as engines keep what Object.create(null) makes in their slow form. */
class Bare {}
Object.setPrototypeOf(Bare.prototype, null);
delete (Bare.prototype as { constructor?: unknown }).constructor;

const NO_OPTIONS = Object.freeze(new Bare());

/** The own properties of an object, each read once, in an object that inherits nothing: `Object.prototype` may have been changed. */
export function ownProperties<T extends object>(object: T): T {
  return Object.assign(new Bare(), object);
}

/** An own property of what may not even be an object: of arguments that are not checked yet. */
export function ownProperty(value: unknown, name: string): unknown {
  if (isRevoked(value)) return undefined;
  const object = Object(value) as Record<string, unknown>;
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** `{}` that inherits nothing. */
export function emptyRecord<Value>(): Record<string, Value> {
  return new Bare() as Record<string, Value>;
}

/** Gives the text to write for an unknown name, where more is known of it than which of `names` is nearest. */
export type Translate = (name: string, names: readonly string[]) => string | undefined;

/** The options that are present (`undefined` counts as absent), or an `option` error for a name that `fn` does not know. */
export function readOptions<T extends object>(
  fn: string,
  options: T | undefined,
  names: readonly (keyof T & string)[],
  translate?: Translate,
): T {
  if (options === undefined) return NO_OPTIONS as T;
  if (!isPlainObject(options)) fail('option', fn, `options must be an object, got ${describe(options)}`);
  return readNames(fn, 'option', options, names, translate);
}

/** The properties that are present, each read once; `kind` says what their names are names of. */
export function readNames<T extends object>(
  fn: string,
  kind: string,
  object: T,
  names: readonly string[],
  translate?: Translate,
): T {
  const known: Record<string, unknown> = new Bare() as Record<string, unknown>;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    const value = object[name];
    if (value === undefined) continue;
    if (!names.includes(name)) unknownName(fn, kind, name, names, translate);
    known[name] = value;
  }
  return known as T;
}

/** Throws the `option` error of a name that is not among `names`; `kind` says what it is a name of. */
export function unknownName(fn: string, kind: string, name: string, names: readonly string[], translate?: Translate): never {
  const hint = translate?.(shorten(name), names) ?? didYouMean(name, names) ?? `known are ${names.join(', ')}`;
  fail('option', fn, `unknown ${kind} ${describe(name)}; ${hint}`);
}

/** Whether it is an array; undefined for a proxy that was revoked, which throws at every look. */
function isArray(value: unknown): boolean | undefined {
  try {
    return Array.isArray(value);
  } catch {
    return undefined;
  }
}

/** A JavaScript array. Its entries may be holes, which `readEntries` refuses. */
export function isList(value: unknown): value is readonly unknown[] {
  return isArray(value) === true;
}

/** Whether it is a proxy that was revoked. */
export function isRevoked(value: unknown): boolean {
  return isArray(value) === undefined;
}

/** Whether it is an object of any class: no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && isArray(value) === false && !ArrayBuffer.isView(value);
}

/** Whether it is an object of names and values, a module's namespace among them: no Map, Promise or Tensor, which has none. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' || tag === '[object Module]';
}

export function isFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function' && !isRevoked(value);
}

/** Maps a list by `read`, entry by entry, in order. A `value` error at the first hole: there may be 2^32 - 1 of them. */
export function readEntries<R>(
  fn: string,
  name: string,
  list: ArrayLike<unknown>,
  read: (entry: unknown, n: number) => R,
): R[] {
  const { length } = list;
  const all: R[] = [];
  for (let n = 0; n < length; n++) {
    const entry = list[n];
    if (entry === undefined && !(n in list)) fail('value', fn, `${name} must have no holes, got one at ${n} of ${length}`);
    all.push(read(entry, n));
  }
  return all;
}

/** Where options take the value of one name out of a fixed list. */
export function checkChoice<T extends string>(
  fn: string,
  name: string,
  value: T | undefined,
  choices: readonly T[],
  translate?: Translate,
): void {
  if (value === undefined || choices.includes(value)) return;
  const hint = typeof value === 'string' ? (translate?.(value, choices) ?? didYouMean(value, choices)) : undefined;
  const rule = `${name} must be ${choices.map((choice) => `'${choice}'`).join(' or ')}`;
  fail('option', fn, `${rule}, got ${describe(value)}${hint === undefined ? '' : `; ${hint}`}`);
}

export function checkBoolean(fn: string, name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean')
    fail('value', fn, `${name} must be true or false, got ${describe(value)}`);
}

export function checkFinite(fn: string, name: string, value: unknown): asserts value is number {
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return;
  fail('value', fn, `${name} must be a finite number (in float32), got ${describe(value)}`);
}

export function checkInteger(fn: string, name: string, value: unknown, from: number, to: number): asserts value is number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return;
  const range = to === Infinity ? `an integer of at least ${from}` : `an integer from ${from} to ${to}`;
  fail('value', fn, `${name} must be ${range}, got ${describe(value)}`);
}

function didYouMean(name: string, names: readonly string[]): string | undefined {
  const nearest = suggest(name, names);
  return nearest === undefined ? undefined : `did you mean '${nearest}'?`;
}

/** The name in the list that `name` most likely means: the fewest edits, and not more than a third of its length. */
function suggest(name: string, names: readonly string[]): string | undefined {
  const wanted = shorten(name).toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let fewest = limit + 1;
  for (const candidate of names) {
    const edits = editDistance(wanted, candidate.toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best ?? names.find((candidate) => wanted.length > 3 && candidate.toLowerCase().includes(wanted));
}

/** Insertions, deletions, replacements and exchanges of neighbors (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(previous[j]! + 1, current[j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        current[j] = Math.min(current[j]!, before[j - 2]! + 1);
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length]!;
}
