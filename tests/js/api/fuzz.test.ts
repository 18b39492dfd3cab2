/**
 * Hostile values in the arguments of every public function: each call returns, throws an AttentionError, or throws what the caller's
 * own code threw; nothing else is thrown, no memory stays held, and the instance computes on.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { AttentionError } from 'fovea';
import { numbers } from '../support/numbers.ts';
import { PUBLIC_CALLS, type PublicCall } from '../support/public_calls.ts';
import { loadForTests } from '../support/truth_instance.ts';

const SEED = Number(process.env['FOVEA_SEED'] ?? 20_261_122);
/** Calls of each function; all of them take about ten seconds. */
const RUNS = Number(process.env['FOVEA_FUZZ_RUNS'] ?? 500);
/** Milliseconds: small arguments are answered at once, and large sizes refused. */
const MOST_TIME = 2000;

const fovea = await loadForTests();
const other = await loadForTests();
after(() => {
  fovea.dispose();
  other.dispose();
});
const foreign = other.tensor([[1, 2], [3, 4]]); // prettier-ignore
const disposed = fovea.tensor([1, 2]);
disposed.dispose();

/** What the caller's own code throws. */
class OwnError extends Error {}

function throwOwn(): never {
  throw new OwnError('thrown by the caller');
}

function detached(Type: Float32ArrayConstructor | Uint16ArrayConstructor = Float32Array): Float32Array | Uint16Array {
  const array = new Type(4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

function cyclic(): unknown[] {
  const list: unknown[] = [];
  list.push(list, list);
  return list;
}

const throwing = new Proxy({}, { get: throwOwn, has: throwOwn, ownKeys: throwOwn, getPrototypeOf: throwOwn, getOwnPropertyDescriptor: throwOwn }); // prettier-ignore

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
  cyclic,
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
  () => ({ data: detached(), shape: [4] }),
  () => ({ data: detached(), shape: [0] }),
  () => ({ data: detached(Uint16Array), shape: [0, 4], dtype: 'float16' }),
  () => ({ data: new Float32Array(new SharedArrayBuffer(64)), shape: [2, 2, 4] }),
  () => ({ data: new Uint16Array(4), shape: [2, 2] }),
  () => ({ data: new BigInt64Array(4), shape: [2, 2] }),
  () => ({ data: new Float64Array([1e308, NaN, -0, Infinity]), shape: [4] }),
  () => detached(),
  () => new Float32Array(new SharedArrayBuffer(16)),
  () => new DataView(new ArrayBuffer(8)),
  () => new ArrayBuffer(8),
  () => numbers([1, 2, 3, 4]),
  () => numbers([2, 2, 2, 2, 2]),
  () => numbers([4, 0]),
  () => foreign,
  () => disposed,
  () => fovea,
  () => throwing,
  () => new Proxy([1, 2], { get: throwOwn }),
  () => new Proxy(numbers([2, 2]), {}),
  () => revoked({}),
  () => revoked([]),
  () => ({ get data() { return throwOwn(); }, shape: [2] }), // prettier-ignore
  () => ({ data: [1, 2], get shape() { return throwOwn(); } }), // prettier-ignore
  () => ({ get kind() { return throwOwn(); } }), // prettier-ignore
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

/** The arguments of the call, one or two of their values exchanged. */
function mutated(call: PublicCall, choices: readonly (readonly [place: number, value: number])[]): unknown[] {
  const args = call.args();
  const places = placesIn(args);
  for (const [place, value] of choices) {
    const [object, key] = places[place % places.length]?.() ?? [args as unknown as Record<string, unknown>, '0'];
    object[key] = HOSTILE[value % HOSTILE.length]!();
  }
  return args;
}

/** Whether the caller's own code threw: its error, or the engine's for a proxy that the caller has revoked. */
function isOwn(error: unknown): boolean {
  return error instanceof OwnError || (error instanceof TypeError && /proxy that has been revoked/.test(error.message));
}

function check(call: PublicCall, choices: readonly (readonly [number, number])[]): void {
  const args = mutated(call, choices);
  const before = fovea.memory().live;
  const start = performance.now();
  try {
    fovea.scope(() => void call.run(fovea, ...(args as never[])));
  } catch (error) {
    if (!isOwn(error)) {
      assert.ok(
        error instanceof AttentionError,
        `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      assert.notEqual(error.code, 'internal', error.message);
    }
  }
  const time = performance.now() - start;
  assert.ok(time < MOST_TIME, `took ${Math.round(time)} ms`);
  assert.equal(fovea.memory().live, before, 'live bytes after the call');
  assert.deepEqual([...fovea.attention([[1]], [[1], [1]], [[2], [4]]).output.data], [3]);
}

for (const [n, call] of PUBLIC_CALLS.entries()) {
  test(`hostile values in ${call.name} (${n})`, () => {
    const untouched = call.args();
    fovea.scope(() => void call.run(fovea, ...(untouched as never[])));
    const choice = fc.tuple(fc.nat(10_000), fc.nat(10_000));
    fc.assert(
      fc.property(fc.array(choice, { minLength: 1, maxLength: 2 }), (choices) => check(call, choices)),
      { seed: SEED + n, numRuns: RUNS, includeErrorInReport: true },
    );
  });
}
