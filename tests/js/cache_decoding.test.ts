/** Decoding with a cache is one causal pass over all tokens: every kind of cache, every option that speaks of places. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AttentionOptions, NDArray } from 'fovea';
import { kvCache, type KvCacheOptions } from 'fovea/cache';
import { bias } from 'fovea/score';
import { fovea, near, numbers } from './support/api.ts';
import { halves, seenMask, sees, tokens, type CacheRule } from './support/cache_reference.ts';

after(() => fovea.dispose());

const TOKENS = 512;
const sizes = { batch: 2, kvHeads: 2, width: 16, valueWidth: 12 };
const queryHeads = 4;
const q = numbers([sizes.batch, queryHeads, TOKENS, sizes.width], 1);
const k = numbers([sizes.batch, sizes.kvHeads, TOKENS, sizes.width], 2);
const v = numbers([sizes.batch, sizes.kvHeads, TOKENS, sizes.valueWidth], 3);

const rules: Record<string, CacheRule> = {
  'all tokens': {},
  'a window': { window: 100 },
  'a window and the first tokens': { window: 61, sinkTokens: 5 },
};
const stores = ['float32', 'float16'] as const;

/** One call over all tokens, the rule of the cache as a mask. */
function onePass(dtype: 'float32' | 'float16', rule: CacheRule, options: AttentionOptions = {}): NDArray {
  const [keys, values] = dtype === 'float16' ? [halves(k), halves(v)] : [k, v];
  const mask = seenMask(TOKENS, TOKENS, rule);
  return fovea.attention(q, keys, values, { causal: true, mask, ...options }).output;
}

/** Decoding by appends of these sizes; `options` of each call. */
function decode(
  options: KvCacheOptions,
  sizesOf: (step: number) => number,
  callOptions: (from: number, to: number) => AttentionOptions = () => ({}),
): NDArray {
  const cache = kvCache(fovea, options);
  const output = { data: new Float32Array(sizes.batch * queryHeads * TOKENS * sizes.valueWidth), shape: [] as number[] };
  for (let from = 0, step = 0; from < TOKENS; step++) {
    const to = Math.min(TOKENS, from + sizesOf(step));
    cache.append(tokens(k, from, to), tokens(v, from, to));
    assert.equal(cache.length, to);
    const part = fovea.attention(tokens(q, from, to), cache, { causal: to - from > 1, ...callOptions(from, to) }).output;
    const rows = (to - from) * sizes.valueWidth;
    for (let head = 0; head < sizes.batch * queryHeads; head++)
      output.data.set(part.data.subarray(head * rows, (head + 1) * rows), (head * TOKENS + from) * sizes.valueWidth);
    from = to;
  }
  cache.dispose();
  return { ...output, shape: [sizes.batch, queryHeads, TOKENS, sizes.valueWidth] };
}

const ragged = [1, 3, 63, 8, 9, 65, 2, 100, 1];

for (const [title, rule] of Object.entries(rules)) {
  for (const dtype of stores) {
    // The least capacity: rows move as often as they ever do.
    const capacity = rule.window === undefined ? TOKENS : Math.max(105, rule.window + (rule.sinkTokens ?? 0));
    const options = { ...sizes, ...rule, dtype, capacity };
    test(`512 tokens one by one, ${dtype}, ${title}`, () =>
      near(
        decode(options, () => 1),
        Array.from(onePass(dtype, rule).data),
        2e-6,
      ));
    test(`512 tokens by ragged appends, ${dtype}, ${title}`, () =>
      near(
        decode(options, (step) => ragged[step % ragged.length]!),
        Array.from(onePass(dtype, rule).data),
        2e-6,
      ));
  }
}

const float = (rows: number, columns: number): NDArray => {
  const mask = numbers([rows, columns], 9);
  return { ...mask, data: mask.data.map((x) => (x > 0.9 ? -Infinity : x)) };
};
const floatMask = float(TOKENS, TOKENS);
const rowsOf = (mask: NDArray, from: number, to: number): NDArray => {
  const data = new Float32Array((to - from) * to);
  for (let i = from; i < to; i++) data.set(mask.data.subarray(i * TOKENS, i * TOKENS + to), (i - from) * to);
  return { data, shape: [to - from, to] };
};
/** The rule of the cache joined to a float mask. */
const joined = (rule: CacheRule): NDArray => ({
  ...floatMask,
  data: floatMask.data.map((x, n) => (sees(Math.floor(n / TOKENS), n % TOKENS, rule) ? x : -Infinity)),
});

for (const [title, rule] of Object.entries(rules)) {
  const options = { ...sizes, ...rule, capacity: rule.window === undefined ? TOKENS : 130 };
  const cases: [string, AttentionOptions][] = [
    ['ALiBi', { bias: bias.alibi() }],
    ['sinks', { sinks: [1, -1, 0.5, 3] }],
    ['softcap and scale', { softcap: 5, scale: 4 }],
    ['a narrower window', { window: [20, 0] }],
    ['a window that leaves the first tokens out', { window: [300, -1] }],
  ];
  for (const [name, more] of cases) {
    test(`${name}: decoded as in one pass, ${title}`, () => {
      const want = Array.from(onePass('float32', rule, more).data);
      near(
        decode(
          options,
          () => 1,
          () => more,
        ),
        want,
        4e-6,
      );
      near(
        decode(
          options,
          (step) => ragged[step % ragged.length]!,
          () => more,
        ),
        want,
        4e-6,
      );
    });
  }
  test(`a float mask of all tokens ever seen: decoded as in one pass, ${title}`, () => {
    const want = Array.from(onePass('float32', rule, { mask: joined(rule) }).data);
    const mask = (from: number, to: number) => ({ mask: rowsOf(floatMask, from, to) });
    near(
      decode(options, () => 1, mask),
      want,
      2e-6,
    );
    near(
      decode(options, (step) => ragged[step % ragged.length]!, mask),
      want,
      2e-6,
    );
  });
}

test("the error of 'float16' is within what its docstring states", () => {
  const exact = onePass('float32', {}).data;
  const rounded = decode({ ...sizes, capacity: TOKENS, dtype: 'float16' }, () => 1).data;
  let furthest = 0;
  exact.forEach((x, n) => (furthest = Math.max(furthest, Math.abs(x - rounded[n]!))));
  // |q|, |k|, |v| <= 1: s <= 16 / √16.
  assert.ok(furthest > 1e-6 && furthest <= 2 ** -11 * (1 + 2 * 4), String(furthest));
});

test("'float16' and 'float32' of numbers that are halves give the same bits", () => {
  const [keys, values] = [halves(k), halves(v)];
  const outputs = stores.map((dtype) => {
    const cache = kvCache(fovea, { ...sizes, capacity: TOKENS, dtype });
    cache.append(keys, values);
    const one = fovea.attention(tokens(q, 511, 512), cache).output;
    const many = fovea.attention(q, cache, { causal: true }).output;
    cache.dispose();
    return [one.data, many.data];
  });
  assert.deepEqual(outputs[0], outputs[1]);
  assert.deepEqual(outputs[0]![1], fovea.attention(q, keys, values, { causal: true }).output.data);
});
