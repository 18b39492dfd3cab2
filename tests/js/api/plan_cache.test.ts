/** Compiled patterns: kept for the next call, shared where the same is seen, and given up in time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from 'fovea';
import { pattern as builtPattern } from 'fovea/pattern';
import { attention } from '../../../bindings/js/attention/attention.ts';
import { finish } from '../../../bindings/js/call/call.ts';
import type { Engine } from '../../../bindings/js/runtime/engine.ts';
import { PlanCache, plansOf } from '../../../bindings/js/pattern/plan_cache.ts';
import { pattern as P } from '../../../bindings/js/pattern/builders.ts';
import type { Pattern } from '../../../bindings/js/pattern/pattern.ts';
import type { AttentionOptions } from '../../../bindings/js/attention/types/options.ts';
import { inSlices } from '../../../bindings/js/worker/slices.ts';
import { numbers } from '../support/api.ts';
import { ownInstance } from '../support/own_instance.ts';

const { instance, fovea } = await ownInstance();
const plans = plansOf(instance);
const x = numbers([2, 3, 40, 4]);
const attend = (pattern: Pattern, options: AttentionOptions = {}, input = x) =>
  fovea.attention(input, input, input, { ...options, pattern });

/** How many plans the call has added. */
function added(pattern: Pattern, options?: AttentionOptions, input = x): number {
  const before = plans.held.plans;
  attend(pattern, options, input);
  assert.equal(fovea.memory().live, 0, 'plans are not counted');
  return plans.held.plans - before;
}

test('one plan for all batch entries and heads that see the same, and none the second time', () => {
  plans.clear();
  assert.deepEqual(plans.held, { plans: 0, bytes: 0 });
  const p = P.window(3, 3);
  assert.equal(added(p), 1);
  assert.ok(plans.held.bytes > 0);
  assert.equal(added(p), 0);
  assert.equal(added(p, { returnWeights: true, returnLse: true, scale: 3, returnLogits: 'biased' }), 0);
  assert.equal(added(p, { mask: numbers([40, 40]) }), 0, 'masks are no part of a plan');
  assert.equal(added(P.window(3, 3)), 1, 'another pattern of the same words');
  plans.clear();
});

test('what is compiled in makes another plan: sizes, places, rules of place, heads and batch entries that differ', () => {
  const p = P.window(3, 3);
  assert.equal(added(p), 1);
  assert.equal(added(p, {}, numbers([2, 3, 41, 4])), 1);
  assert.equal(added(p, { causal: true }), 1);
  assert.equal(added(p, { window: [1, 1] }), 1);
  assert.equal(added(p, { causalOffset: 1 }), 1);
  assert.equal(added(p, { causalOffset: [0, 1] }), 0);
  assert.equal(added(p, { keyLengths: [40, 12] }), 1);
  assert.equal(added(p, { causal: true, returnLogits: 'raw' }), 0, 'what is needed without rules is there');
  assert.equal(added(P.random({ perQuery: 2 })), 3);
  assert.equal(added(P.perHead([P.causal(), P.all(), P.block(4)])), 3);
  plans.clear();
  const mask = { data: new Uint8Array(2 * 3 * 40 * 40).fill(1), shape: [2, 3, 40, 40] };
  assert.equal(added(P.fromMask(mask)), 6);
  plans.clear();
});

test('at most 16 are kept, the least recently used goes; those of a call under way stay', () => {
  const patterns = Array.from({ length: 16 }, (_, n) => P.window(n, 0));
  for (const p of patterns) attend(p);
  assert.equal(plans.held.plans, 16);
  attend(patterns[0]!);
  attend(P.all());
  assert.equal(plans.held.plans, 16);
  assert.equal(added(patterns[0]!), 0, 'was used since');
  attend(patterns[1]!);
  assert.equal(plans.held.plans, 16, 'had gone, and is made again');
  const wide = numbers([1, 40, 8, 4]);
  attend(P.random({ perQuery: 2 }), {}, wide);
  assert.equal(plans.held.plans, 16, 'a call of 40 plans keeps the last of them');
  const call = attention(instance, 'attention', x, x, x, { pattern: P.atrous(3) });
  const pace = { now: () => 0, nextRows: () => 64, mostWork: 0 };
  const steps = inSlices(call, pace);
  steps.next();
  plans.clear();
  assert.equal(plans.held.plans, 1);
  while (steps.next().done !== true);
  plans.clear();
  assert.deepEqual(plans.held, { plans: 0, bytes: 0 });
});

test('at most 64 MiB are kept, however few plans', () => {
  const released: number[] = [];
  const cache = new PlanCache({ release: (address: number) => released.push(address) } as unknown as Engine);
  const use = (n: number, megabytes: number) => cache.use(`${n}`, () => ({ address: n, bytes: megabytes * 2 ** 20 }));
  for (const n of [1, 2, 3]) cache.leave(use(n, 20));
  assert.deepEqual(released, []);
  const large = use(4, 65);
  cache.leave(use(1, 20));
  assert.deepEqual(released, [2, 3, 1], 'the least recently used first; not what is in use');
  assert.deepEqual(cache.held, { plans: 1, bytes: 65 * 2 ** 20 });
  cache.leave(large);
  assert.deepEqual([released.at(-1), cache.held.bytes], [4, 0]);
  assert.throws(() => cache.use('5', () => assert.fail('no memory')));
  assert.deepEqual(cache.held, { plans: 0, bytes: 0 });
});

test('the plans of a pattern that is forgotten are given up some time after it is collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  (() => attend(P.window(1, 1)))();
  assert.equal(plans.held.plans, 1);
  for (let i = 0; i < 200 && plans.held.plans > 0; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(plans.held.plans, 0);
});

test('one pattern serves several instances, and outlives them', async () => {
  const p = builtPattern.window(1, 1);
  const [one, other] = [await load(), await load()];
  const run = (own: typeof one) => own.attention(x, x, x, { pattern: p }).output.data;
  assert.deepEqual(run(one), run(other));
  one.dispose();
  assert.deepEqual(run(other), run(other));
  assert.throws(
    () => p.toMask(one, { queries: 1, keys: 1 }),
    /^AttentionError: pattern\.toMask: this fovea instance has been disposed/,
  );
  other.dispose();
});

test('many patterns leave nothing behind and stop growing the memory', () => {
  const run = (from: number): void => {
    for (let n = from; n < from + 60; n++) {
      const y = numbers([1 + (n % 50), 4], n);
      finish(
        attention(instance, 'attention', y, y, y, {
          pattern: P.window(n, 1).or(P.atrous(5)),
          returnWeights: true,
          trace: n % 5 === 0,
        }),
      );
    }
  };
  run(0);
  const { total } = fovea.memory();
  for (let round = 1; round < 10; round++) run(60 * round);
  assert.deepEqual(fovea.memory(), { live: 0, total });
});
