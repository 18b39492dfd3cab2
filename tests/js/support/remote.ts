/** Helpers of the tests of fovea/worker: one connection, beside the plain instance of the same build. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { AttentionError, connect, type RemoteFovea } from 'fovea/worker';
import { fovea } from './api.ts';

export const remote: RemoteFovea = await connect({ variant: fovea.info.variant, sliceTime: 0 });
after(() => remote.dispose());

/** Asserts that a promise rejects with an AttentionError of this code whose message matches. */
export async function rejects(code: string, message: RegExp, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof AttentionError, `an AttentionError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
}

/** A valid call gives its answer: what was refused before has broken nothing. */
export async function worksRemotely(connection = remote): Promise<void> {
  const { output } = await connection.attention([[1]], [[1], [1]], [[2], [4]]);
  assert.deepEqual([...output.data], [3]);
}

/** Asserts that a call leaves as much of the worker's memory held as there was. */
export async function leavesNothingRemotely<R>(call: () => Promise<R>, connection = remote): Promise<R> {
  const before = (await connection.memory()).live;
  const result = await call();
  assert.equal((await connection.memory()).live, before, 'live bytes after the call');
  return result;
}
