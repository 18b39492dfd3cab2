/** Helpers of the tests of the API's behavior. */
import assert from 'node:assert/strict';
import { AttentionError, toNested, type Fovea, type NDArray, type Tensor } from 'fovea';
import { loadForTests } from './truth_instance.ts';

export { numbers } from './numbers.ts';

export const fovea: Fovea = await loadForTests();

/** Asserts that `call` throws an AttentionError of this code whose message matches, and that no wasm memory is left held. */
export function fails(code: string, message: RegExp, call: () => unknown, instance = fovea): void {
  const before = instance.memory().live;
  assert.throws(call, (error) => {
    assert.ok(error instanceof AttentionError, `an AttentionError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
  assert.equal(instance.memory().live, before, 'live bytes after the error');
  works(instance);
}

/** A valid call gives its answer: what was refused before has broken nothing. */
export function works(instance = fovea): void {
  const { output } = instance.attention([[1]], [[1], [1]], [[2], [4]]);
  assert.deepEqual(toNested(output), [[3]]);
}

/** Asserts that `call` leaves as much wasm memory held as there was. */
export function leavesNothing<R>(call: () => R, instance = fovea): R {
  const before = instance.memory().live;
  const result = call();
  assert.equal(instance.memory().live, before, 'live bytes after the call');
  return result;
}

export function near(array: NDArray | Tensor | undefined, expected: unknown, tolerance = 1e-6): void {
  assert.ok(array !== undefined);
  const got = ([toNested(array)] as unknown[]).flat(9) as number[];
  const want = [expected].flat(9) as number[];
  assert.equal(got.length, want.length);
  want.forEach((value, i) =>
    assert.ok(Object.is(got[i], value) || Math.abs(got[i]! - value) <= tolerance, `[${i}] ${got[i]} is not ${value}`),
  );
}

export function same(a: Float32Array | undefined, b: Float32Array | undefined): void {
  assert.ok(a !== undefined && b !== undefined);
  assert.deepEqual(new Uint32Array(a.slice().buffer), new Uint32Array(b.slice().buffer));
}
