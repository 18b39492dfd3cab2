/**
 * Hostile values in the arguments of every public function: each call returns, throws an AttentionError of a short message, or throws
 * what the caller's own code threw; nothing else is thrown, no memory stays held, and the instance computes on.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { AttentionError } from 'fovea';
import { mutated, OwnError } from '../support/hostile.ts';
import { MECHANISM_CALLS, PUBLIC_CALLS, type PublicCall } from '../support/public_calls.ts';
import { loadForTests } from '../support/truth_instance.ts';

const SEED = Number(process.env['FOVEA_SEED'] ?? 20_261_122);
/** Calls of each function; all of them take about ten seconds. */
const RUNS = Number(process.env['FOVEA_FUZZ_RUNS'] ?? 500);
/** A mechanism makes many calls, and its arguments are read by few functions. */
const MECHANISM_RUNS = Math.ceil(RUNS / 10);
/** Milliseconds of the processor: small arguments are answered at once, and large sizes refused. */
const MOST_TIME = 2000;
/** Characters of a message, whatever the length of a text that was given. */
const MOST_MESSAGE = 4000;

const fovea = await loadForTests();
const other = await loadForTests();
after(() => {
  fovea.dispose();
  other.dispose();
});
const foreign = other.tensor([
  [1, 2],
  [3, 4],
]);
const disposed = fovea.tensor([1, 2]);
disposed.dispose();

function check(call: PublicCall, choices: readonly (readonly [number, number])[]): void {
  const args = mutated(call, choices, [foreign, disposed, fovea]);
  const before = fovea.memory().live;
  const start = process.cpuUsage();
  try {
    fovea.scope(() => void call.run(fovea, ...(args as never[])));
  } catch (error) {
    if (!(error instanceof OwnError)) {
      assert.ok(
        error instanceof AttentionError,
        `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      assert.notEqual(error.code, 'internal', error.message);
      assert.ok(error.message.length <= MOST_MESSAGE, `a message of ${error.message.length} characters`);
    }
  }
  const { user, system } = process.cpuUsage(start);
  const time = (user + system) / 1000;
  assert.ok(time < MOST_TIME, `took ${Math.round(time)} ms`);
  assert.equal(fovea.memory().live, before, 'live bytes after the call');
  assert.deepEqual([...fovea.attention([[1]], [[1], [1]], [[2], [4]]).output.data], [3]);
}

for (const [n, call] of [...PUBLIC_CALLS, ...MECHANISM_CALLS].entries()) {
  test(`hostile values in ${call.name} (${n})`, () => {
    const untouched = call.args();
    fovea.scope(() => void call.run(fovea, ...(untouched as never[])));
    const choice = fc.tuple(fc.nat(10_000), fc.nat(10_000));
    fc.assert(
      fc.property(fc.array(choice, { minLength: 1, maxLength: 2 }), (choices) => check(call, choices)),
      { seed: SEED + n, numRuns: n < PUBLIC_CALLS.length ? RUNS : MECHANISM_RUNS, includeErrorInReport: true },
    );
  });
}
