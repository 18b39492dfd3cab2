import type { Arguments, CatalogEntry } from 'fovea/catalog';
import { shortestFloat32 } from '../figures/format.ts';
import { isSame, type Json } from '../shell/kept.svelte.ts';
import type { Part } from '../stages/mechanism.svelte.ts';
import { nameOfScore, SCORES } from '../stages/scores.ts';
import { isRecord } from './codec.ts';

/** Arguments of a mechanism as JSON: those that differ from the defaults; typed arrays, scores and numbers that JSON has not as `{ $: kind, … }`. */

const ARRAYS = { Float32Array, Float64Array, Int32Array, Uint32Array, Uint8Array } as const;
type ArrayName = keyof typeof ARRAYS;
const isArrayName = (name: unknown): name is ArrayName => typeof name === 'string' && Object.hasOwn(ARRAYS, name);
/** In place of a default that was taken away. */
const ABSENT = { $: 'absent' };
const NUMBERS: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

/** Arrays of a link or a file have at most this many entries along an axis, or four times those of the defaults. */
const LONGEST_AXIS = 256;
/** Numbers of options without a range are at most this, or this many times their default. */
const LARGEST_COUNT = 1024;
const FASTEST_GROWTH = 64;

export function writeArguments(given: Arguments, defaults: Arguments): Json {
  const isGiven = (name: string): boolean => Object.hasOwn(given, name) && given[name] !== undefined;
  const changed = Object.entries(given).filter(
    ([name, value]) => isGiven(name) && !(Object.hasOwn(defaults, name) && isSame(value, defaults[name])),
  );
  return Object.fromEntries([
    ...changed.map(([name, value]) => [name, written(value)] as const),
    ...Object.keys(defaults).flatMap((name) => (isGiven(name) ? [] : [[name, ABSENT] as const])),
  ]);
}

/** The arguments with the defaults of what is left out; undefined where a name has a value of another kind than its default. */
export function readArguments(
  json: Json,
  part: Part,
  { defaults: sample, ranges }: Pick<CatalogEntry, 'defaults' | 'ranges'>,
): Arguments | undefined {
  if (!isRecord(json)) return undefined;
  const defaults = sample[part];
  const values = new Map(Object.entries(defaults));
  for (const [name, given] of Object.entries(json)) {
    if (isSame(given, ABSENT)) {
      values.delete(name);
      continue;
    }
    const like = values.get(name);
    const range = Object.hasOwn(ranges, `${part}.${name}`) ? ranges[`${part}.${name}`] : undefined;
    const value = read(given, like);
    if (value === undefined || (part === 'options' && !isModest(value, like, name, range))) return undefined;
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

function written(value: unknown): Json {
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(written);
  if (ArrayBuffer.isView(value)) {
    const name = value.constructor.name;
    const numbers = Array.from(value as unknown as ArrayLike<number>);
    return { $: name, n: numbers.map((x) => written(name === 'Float32Array' && x !== 0 ? Number(shortestFloat32(x)) : x)) };
  }
  const score = nameOfScore(value);
  if (score) return { $: 'score', n: score };
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, written(field)]));
  }
  throw new TypeError(`a ${typeof value} cannot be kept`);
}

/** Undefined where it is of another kind than `like`, if that is given. */
function read(json: Json, like: unknown): unknown {
  if (isRecord(json) && Object.hasOwn(json, '$')) {
    const kind = json['$'];
    if (typeof kind === 'string' && Object.hasOwn(NUMBERS, kind)) return isNumberLike(like) ? NUMBERS[kind] : undefined;
    if (kind === 'score') return like === undefined ? scoreNamed(json['n']) : undefined;
    if (!isArrayName(kind) || !Array.isArray(json['n']) || !isListLike(like)) return undefined;
    const numbers = readList(json['n'] as readonly Json[], [0]);
    return numbers && isOfLength(numbers, like) ? ARRAYS[kind].from(numbers as number[]) : undefined;
  }
  if (Array.isArray(json)) return isListLike(like) ? readList(json, like) : undefined;
  if (isRecord(json)) {
    // An array in its other form: { data, shape } stands for nested lists.
    if (Array.isArray(like) && isFlat(json)) return read(json, undefined);
    if (like !== undefined && (!isRecord(like) || ArrayBuffer.isView(like))) return undefined;
    const fields = Object.entries(json).map(
      ([name, field]) =>
        [name, read(field, like && Object.hasOwn(like, name) ? (like as Record<string, unknown>)[name] : undefined)] as const,
    );
    return fields.some(([, field]) => field === undefined) ? undefined : Object.fromEntries(fields);
  }
  if (like === undefined || typeof json === typeof like) return json;
  return undefined;
}

function readList(json: readonly Json[], like: unknown): unknown[] | undefined {
  if (!isOfLength(json, like)) return undefined;
  const first = isListLike(like) && like !== undefined ? (like as ArrayLike<unknown>)[0] : undefined;
  const items = json.map((item) => read(item, first));
  return items.includes(undefined) ? undefined : items;
}

const isFlat = (json: object): boolean => Object.keys(json).length === 2 && 'data' in json && 'shape' in json;
const scoreNamed = (name: Json | undefined): unknown =>
  typeof name === 'string' && Object.hasOwn(SCORES, name) ? SCORES[name as keyof typeof SCORES] : undefined;
const isNumberLike = (like: unknown): boolean => like === undefined || typeof like === 'number';
const isListLike = (like: unknown): boolean => like === undefined || Array.isArray(like) || ArrayBuffer.isView(like);
const isOfLength = (list: ArrayLike<unknown>, like: unknown): boolean =>
  list.length <= Math.max(LONGEST_AXIS, 4 * (isListLike(like) && like !== undefined ? (like as ArrayLike<unknown>).length : 0));

/** Whether an option asks for no more work than a control of the page could. */
function isModest(value: unknown, like: unknown, name: string, range: { from: number; to: number } | undefined): boolean {
  if (isRecord(value) && !ArrayBuffer.isView(value)) {
    const likes = isRecord(like) ? (like as Record<string, unknown>) : {};
    return Object.entries(value).every(([field, x]) => isModest(x, likes[field], field, undefined));
  }
  if (typeof value !== 'number' || name === 'seed') return true;
  if (range) return value >= range.from && value <= range.to;
  return Math.abs(value) <= Math.max(LARGEST_COUNT, FASTEST_GROWTH * (typeof like === 'number' ? Math.abs(like) : 0));
}
