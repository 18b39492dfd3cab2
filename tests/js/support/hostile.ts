/** Values that no function expects, and calls that have them among their arguments. */
import { numbers } from './numbers.ts';
import type { PublicCall } from './public_calls.ts';

/** A text of a million characters. */
export const LONG = 'x'.repeat(1e6);

/** An error that the caller's own code throws. */
export class OwnError extends Error {}

function throwOwn(): never {
  throw new OwnError('thrown by the caller');
}

function detached<A extends ArrayBufferView<ArrayBuffer>>(Type: new (length: number) => A): A {
  const array = new Type(4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

function cyclicList(): unknown[] {
  const list: unknown[] = [];
  list.push(list, list);
  return list;
}

function cyclicObject(): object {
  const object: Record<string, unknown> = {};
  object['a'] = object;
  object['data'] = [object];
  return object;
}

/** `entry` in as many lists, or in as many objects. */
function nested(levels: number, entry: unknown, wrap: (inner: unknown) => unknown): unknown {
  let value = entry;
  for (let n = 0; n < levels; n++) value = wrap(value);
  return value;
}

/** A list of this length that has its first entries alone. */
function sparse(length: number, ...first: unknown[]): unknown[] {
  first.length = length;
  return first;
}

const throwing = new Proxy(
  {},
  { get: throwOwn, has: throwOwn, ownKeys: throwOwn, getPrototypeOf: throwOwn, getOwnPropertyDescriptor: throwOwn },
);

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const HOSTILE: readonly (() => unknown)[] = [
  ...[undefined, null, true, false, '', 'x', 'constructor', '__proto__', NaN, -0, 0, -1, 0.5, 3].map((value) => () => value),
  ...[Infinity, -Infinity, 1e308, 1e-45, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31), -(2 ** 53)].map((value) => () => value),
  ...[0n, 10n ** 30n, Symbol('s'), () => 1, throwOwn, new Date(0), new Map(), new WeakMap(), /x/].map((value) => () => value),
  () => [],
  () => [[]],
  () => [[], []],
  () => ({}),
  () => Object.create(null),
  cyclicList,
  cyclicObject,
  () => nested(20_000, 1, (inner) => [inner]),
  () => nested(20_000, [1], (a) => ({ a })),
  () => sparse(1),
  () => sparse(2 ** 32 - 1),
  () => sparse(2 ** 32 - 1, 1),
  () => [sparse(2 ** 32 - 1)],
  () => ({ data: sparse(2 ** 32 - 1), shape: [2 ** 32 - 1] }),
  () => ({ data: [1], shape: sparse(2 ** 32 - 1) }),
  () => [1e9],
  () => LONG,
  () => [LONG],
  () => [LONG, 1],
  () => ({ [LONG]: [[1]] }),
  () => new Map([[LONG, [[1]]]]),
  () => [1, , 3], // eslint-disable-line no-sparse-arrays
  () => new Array(3),
  () => [1, 'x', null],
  () => [[1, 2], [3]],
  () => [NaN, Infinity, -Infinity, -0],
  () => ({ data: [], shape: [0] }),
  () => ({ data: new Float32Array(4), shape: [2 ** 31, 2 ** 31, 0] }),
  () => ({ data: new Float32Array(4), shape: [2 ** 30, 2 ** 30] }),
  () => ({ data: new Float32Array(4), shape: [-1, -4] }),
  () => ({ data: new Float32Array(4), shape: [NaN] }),
  () => ({ data: new Float32Array(4), shape: [2, 2], dtype: 'x' }),
  () => ({ data: new Float32Array(0), shape: [0, 2 ** 31] }),
  () => ({ data: new Float32Array(1), shape: new Array(65).fill(1) }),
  () => ({ data: detached(Float32Array), shape: [4] }),
  () => ({ data: detached(Float32Array), shape: [0] }),
  () => ({ data: detached(Uint16Array), shape: [0, 4], dtype: 'float16' }),
  () => ({ data: new Float32Array(new SharedArrayBuffer(64)), shape: [2, 2, 4] }),
  () => ({ data: new Uint16Array(4), shape: [2, 2] }),
  () => ({ data: new BigInt64Array(4), shape: [2, 2] }),
  () => ({ data: new Float64Array([1e308, NaN, -0, Infinity]), shape: [4] }),
  () => detached(Float32Array),
  () => detached(Int32Array),
  () => detached(BigInt64Array),
  () => [detached(Float32Array), detached(Float32Array)],
  () => new Float32Array(new SharedArrayBuffer(16)),
  () => new DataView(new ArrayBuffer(8)),
  () => new ArrayBuffer(8),
  () => numbers([1, 2, 3, 4]),
  () => numbers([2, 2, 2, 2, 2]),
  () => numbers([4, 0]),
  () => throwing,
  () => new Proxy([1, 2], { get: throwOwn }),
  () => new Proxy(numbers([2, 2]), {}),
  () => revoked({}),
  () => revoked([]),
  () => revoked(() => 1),
  () => [revoked([])],
  () => ({ data: revoked([]), shape: [1] }),
  () => ({ data: [1], shape: revoked([]) }),
  () => ({
    get data() {
      return throwOwn();
    },
    shape: [2],
  }),
  () => ({
    data: [1, 2],
    get shape() {
      return throwOwn();
    },
  }),
  () => ({
    get kind() {
      return throwOwn();
    },
  }),
  () => Object.defineProperty([1, 2], 1, { get: throwOwn }),
  () => ({ valueOf: throwOwn, toString: throwOwn, [Symbol.toPrimitive]: throwOwn }),
  () => ({ length: 2 ** 32, 0: 1 }),
];

/** Where a value can be exchanged: in the list of arguments, in options, in short arrays. */
function placesIn(value: unknown, depth = 0): (() => [object: Record<string, unknown>, key: string])[] {
  if (depth > 4 || typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  if (!isList && Object.getPrototypeOf(value) !== Object.prototype) return [];
  const object = value as Record<string, unknown>;
  return Object.keys(object)
    .slice(0, isList && depth > 0 ? 3 : 40)
    .flatMap((key) => [() => [object, key] as [Record<string, unknown>, string], ...placesIn(object[key], depth + 1)]);
}

/** The arguments of a call, one or two of their values exchanged for hostile ones or for those of `more`, or such added under a long name. */
export function mutated(
  call: PublicCall,
  choices: readonly (readonly [place: number, value: number])[],
  more: readonly unknown[],
): unknown[] {
  const args = call.args();
  const places = placesIn(args);
  const values = [...HOSTILE, ...more.map((value) => () => value)];
  for (const [place, value] of choices) {
    const [object, key] = places[place % places.length]?.() ?? [args as unknown as Record<string, unknown>, '0'];
    const isNamed = !Array.isArray(object) && value % 17 === 0;
    object[isNamed ? LONG : key] = values[value % values.length]!();
  }
  return args;
}
