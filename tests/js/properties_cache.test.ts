/** A cache against a model that keeps every token and forgets by rule: any sequence of operations, any sizes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { AttentionError } from 'fovea';
import { kvCache, type KvCache } from 'fovea/cache';
import { fovea, near, numbers } from './support/api.ts';
import { halves, seenMask, tokens } from './support/cache_reference.ts';
import { RUNS, SEED } from './support/truth_problems.ts';

after(() => fovea.dispose());

const LONGEST = 400;

interface Model {
  /** Tokens ever seen; token t is row t of the arrays. */
  length: number;
  /** The fewest tokens it can go back to, where that is more than sinkTokens. */
  least: number;
}

type Operation =
  { readonly type: 'append' | 'attend' | 'truncate'; readonly count: number } | { readonly type: 'fork' | 'clear' };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('append' as const), count: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('attend' as const), count: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('truncate' as const), count: fc.integer({ min: 0, max: 30 }) }) },
  { weight: 1, arbitrary: fc.constant({ type: 'fork' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'clear' as const }) },
);

const setting = fc.record({
  batch: fc.integer({ min: 1, max: 2 }),
  kvHeads: fc.integer({ min: 1, max: 2 }),
  group: fc.integer({ min: 1, max: 3 }),
  width: fc.integer({ min: 1, max: 9 }),
  valueWidth: fc.integer({ min: 1, max: 9 }),
  dtype: fc.constantFrom('float32' as const, 'float16' as const),
  ring: fc.option(
    fc.record({
      window: fc.integer({ min: 1, max: 40 }),
      sinkTokens: fc.integer({ min: 0, max: 12 }),
      more: fc.integer({ min: 0, max: 40 }),
    }),
  ),
  capacity: fc.integer({ min: 1, max: 120 }),
});

function codeOf(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    assert.ok(error instanceof AttentionError, String(error));
    return error.code;
  }
}

test('any sequence of appends, calls, truncations and forks is what a model of plain arrays says', () => {
  fc.assert(
    fc.property(setting, fc.array(operation, { minLength: 5, maxLength: 60 }), (drawn, operations) => {
      const { batch, kvHeads, group, width, valueWidth, dtype, ring } = drawn;
      const before = fovea.memory().live;
      const rule = ring === null ? {} : { window: ring.window, sinkTokens: ring.sinkTokens };
      const capacity = ring === null ? drawn.capacity : ring.window + ring.sinkTokens + ring.more;
      const { window = Infinity, sinkTokens = 0 } = rule;
      const q = numbers([batch, kvHeads * group, LONGEST, width], 1);
      const k = numbers([batch, kvHeads, LONGEST, width], 2);
      const v = numbers([batch, kvHeads, LONGEST, valueWidth], 3);
      const [keys, values] = dtype === 'float16' ? [halves(k), halves(v)] : [k, v];
      let cache: KvCache = kvCache(fovea, { batch, kvHeads, width, valueWidth, dtype, capacity, ...rule });
      const model: Model = { length: 0, least: 0 };
      for (const step of operations) {
        if (step.type === 'append') {
          const to = model.length + step.count;
          if (to > LONGEST) continue;
          const code = codeOf(() => cache.append(tokens(k, model.length, to), tokens(v, model.length, to)));
          // The first token beside the first ones that must stay: that of the window of the token before.
          const from = Math.max(sinkTokens, model.length - window, model.least === 0 ? 0 : model.least - window);
          const rows = ring === null ? capacity : capacity + window;
          const fits = to - from + sinkTokens <= rows;
          assert.equal(code, fits ? null : 'memory');
          if (ring !== null && step.count <= capacity - sinkTokens) assert.equal(code, null);
          if (!fits) continue;
          model.length = to;
          model.least = from > sinkTokens ? from + window : 0;
        } else if (step.type === 'attend') {
          const { length } = model;
          const queries = Math.min(step.count, length);
          const asked = tokens(q, length - queries, length);
          // The window of the token before the first query is there, or nothing has gone.
          const first = length - queries + 1;
          if (queries > 0 && model.least > 0 && first < model.least && sinkTokens < model.least - window) {
            assert.equal(
              codeOf(() => fovea.attention(asked, cache)),
              'value',
            );
            continue;
          }
          const options = { causal: true, returnWeights: true, returnLse: true } as const;
          const got = fovea.attention(asked, cache, options);
          const want = fovea.attention(asked, tokens(keys, 0, length), tokens(values, 0, length), {
            ...options,
            causalAlign: 'bottom-right',
            mask: seenMask(queries, length, rule),
          });
          for (const name of ['output', 'weights', 'lse'] as const) {
            assert.deepEqual(got[name]!.shape, want[name]!.shape);
            near(got[name], Array.from(want[name]!.data), 0);
          }
        } else if (step.type === 'truncate') {
          const length = Math.max(0, model.length - step.count);
          const allowed = length === model.length || length <= sinkTokens || length >= model.least;
          assert.equal(
            codeOf(() => cache.truncate(length)),
            allowed ? null : 'value',
          );
          if (!allowed) continue;
          model.length = length;
          if (length <= sinkTokens) model.least = 0;
        } else if (step.type === 'fork') {
          const fork = cache.clone();
          cache.dispose();
          cache = fork;
        } else {
          cache.clear();
          Object.assign(model, { length: 0, least: 0 });
        }
        assert.equal(cache.length, model.length);
        assert.equal(cache.visibleLength, Math.min(model.length, sinkTokens + window));
      }
      cache.dispose();
      assert.equal(fovea.memory().live, before);
    }),
    { seed: SEED, numRuns: Math.ceil(300 * RUNS) },
  );
});
