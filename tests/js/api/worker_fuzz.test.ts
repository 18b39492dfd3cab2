/**
 * Hostile values in the arguments of calls to a worker: each call resolves, or is refused with an AttentionError of a short message, or
 * with what the caller's own code threw; nothing stays held in the worker, and the connection works on.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AttentionError } from 'fovea/worker';
import { mutated, OwnError } from '../support/hostile.ts';
import { PUBLIC_CALLS, type PublicCall } from '../support/public_calls.ts';
import { remote, worksRemotely } from '../support/remote.ts';

const SEED = Number(process.env['FOVEA_SEED'] ?? 20_261_123);
/** Calls of each function. */
const RUNS = Number(process.env['FOVEA_FUZZ_RUNS'] ?? 200);
/** Milliseconds of the processor, as in fuzz.test.ts. */
const MOST_TIME = 2000;

/** Functions that a connection has, too. */
const CALLS = PUBLIC_CALLS.filter(({ name }) => /^(attention|selfAttention|multiHeadAttention|combine)\b/.test(name));

async function check(call: PublicCall, choices: readonly (readonly [number, number])[]): Promise<void> {
  const args = mutated(call, choices, [remote]);
  const before = (await remote.memory()).live;
  const start = process.cpuUsage();
  try {
    await call.run(remote as never, ...(args as never[]));
  } catch (error) {
    if (!(error instanceof OwnError)) {
      assert.ok(
        error instanceof AttentionError,
        `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      assert.notEqual(error.code, 'internal', error.message);
      assert.ok(error.message.length <= 4000, `a message of ${error.message.length} characters`);
    }
  }
  const { user, system } = process.cpuUsage(start);
  const time = (user + system) / 1000;
  assert.ok(time < MOST_TIME, `took ${Math.round(time)} ms`);
  assert.equal((await remote.memory()).live, before, 'live bytes after the call');
  await worksRemotely();
}

assert.ok(CALLS.length > 8);
for (const [n, call] of CALLS.entries()) {
  test(`hostile values in ${call.name}, sent to a worker (${n})`, async () => {
    await call.run(remote as never, ...(call.args() as never[]));
    const choice = fc.tuple(fc.nat(10_000), fc.nat(10_000));
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 2 }), (choices) => check(call, choices)),
      { seed: SEED + n, numRuns: RUNS, includeErrorInReport: true },
    );
  });
}
