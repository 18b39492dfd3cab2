/** KvCache: what it counts, keeps and refuses, its memory and its life. That it decodes: cache_decoding.test.ts. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { load, type NDArray } from 'fovea';
import { kvCache, type KvCache, type KvCacheOptions } from 'fovea/cache';
import { pattern } from 'fovea/pattern';
import { connect } from 'fovea/worker';
import { fails, fovea, near, numbers, same } from '../support/api.ts';
import { halves, seenMask, sees, toHalf, tokens } from '../support/cache_reference.ts';

after(() => fovea.dispose());

const sizes = { batch: 2, kvHeads: 1, width: 3, valueWidth: 2 };
const k = numbers([2, 1, 40, 3], 4);
const v = numbers([2, 1, 40, 2], 5);
const q = numbers([2, 2, 40, 3], 6);

/** A cache that has seen these tokens, by appends of these sizes. */
function filled(options: Omit<KvCacheOptions, keyof typeof sizes>, ...appends: number[]): KvCache {
  const cache = kvCache(fovea, { ...sizes, ...options });
  for (const count of appends) extend(cache, count);
  return cache;
}
function extend(cache: KvCache, count: number): void {
  const from = cache.length;
  cache.append(tokens(k, from, from + count), tokens(v, from, from + count));
}
const last = (cache: KvCache, queries = 1): NDArray => tokens(q, cache.length - queries, cache.length);

test('length counts all tokens, kept those that the next query sees', () => {
  const cache = filled({ capacity: 12, window: 6, sinkTokens: 2 });
  const counts: [number, number][] = [];
  for (let n = 0; n < 20; n++) {
    counts.push([cache.length, cache.visibleLength]);
    extend(cache, 1);
  }
  assert.deepEqual(
    counts,
    Array.from({ length: 20 }, (_, n) => [n, Math.min(n, 8)]),
  );
  const all = filled({ capacity: 5 }, 3);
  assert.deepEqual([all.length, all.visibleLength], [3, 3]);
  for (const one of [cache, all]) one.dispose();
});

test('its memory is what the docstring says, all of it at once, and a fork has as much again', () => {
  for (const dtype of ['float32', 'float16'] as const) {
    for (const [capacity, ring] of [
      [7, {}],
      [32, { window: 9, sinkTokens: 3 }],
    ] as const) {
      const before = fovea.memory().live;
      const cache = filled({ capacity, dtype, ...ring });
      const rows = capacity + ('window' in ring ? ring.window : 0);
      const bytes = Math.ceil(((dtype === 'float16' ? 2 : 4) * 2 * rows * (3 + 2) + (dtype === 'float16' ? 4 : 0)) / 16) * 16;
      assert.equal(fovea.memory().live - before, bytes);
      for (let n = 0; n < 7; n++) {
        extend(cache, 1);
        fovea.attention(last(cache), cache);
      }
      assert.equal(fovea.memory().live - before, bytes);
      const fork = cache.clone();
      assert.equal(fovea.memory().live - before, 2 * bytes);
      cache.dispose();
      cache.dispose();
      assert.equal(fovea.memory().live - before, bytes);
      fork.dispose();
      assert.equal(fovea.memory().live, before);
    }
  }
});

test('a fork goes its own way', () => {
  for (const ring of [{}, { window: 4, sinkTokens: 1 }]) {
    const cache = filled({ capacity: 16, ...ring }, 9);
    const fork = cache.clone();
    assert.deepEqual([fork.length, fork.visibleLength], [cache.length, cache.visibleLength]);
    const want = fovea.attention(last(cache), cache).output.data;
    fork.append(numbers([2, 1, 3, 3], 77), numbers([2, 1, 3, 2], 78));
    assert.equal(cache.length, 9);
    same(fovea.attention(last(cache), cache).output.data, want);
    extend(cache, 2);
    const other = filled({ capacity: 16, ...ring }, 9, 2);
    same(fovea.attention(last(cache), cache).output.data, fovea.attention(last(cache), other).output.data);
    for (const one of [cache, fork, other]) one.dispose();
  }
});

test('truncate goes back as if no more had come, clear to the beginning', () => {
  for (const ring of [{}, { window: 5, sinkTokens: 2 }, { window: 5 }]) {
    const cache = filled({ capacity: 14, ...ring }, 6, 5);
    const shorter = filled({ capacity: 14, ...ring }, 6, 2);
    cache.truncate(8);
    assert.deepEqual([cache.length, cache.visibleLength], [8, shorter.visibleLength]);
    for (const one of [cache, shorter]) extend(one, 3);
    same(fovea.attention(last(cache, 3), cache).output.data, fovea.attention(last(cache, 3), shorter).output.data);
    cache.truncate(8);
    cache.clear();
    assert.deepEqual([cache.length, cache.visibleLength], [0, 0]);
    const empty = fovea.attention(tokens(q, 0, 1), cache, { returnLse: true });
    assert.ok(empty.output.data.every((x) => x === 0) && empty.lse!.data.every((x) => x === -Infinity));
    extend(cache, 6);
    const fresh = filled({ capacity: 14, ...ring }, 6);
    same(fovea.attention(last(cache), cache).output.data, fovea.attention(last(cache), fresh).output.data);
    for (const one of [cache, shorter, fresh]) one.dispose();
  }
});

test('with a window it goes back as far as before the last append, or to the first tokens', () => {
  const cache = filled({ capacity: 12, window: 4, sinkTokens: 3 }, 6, 4, 5);
  fails('value', /truncate: the window of token 9 is gone; it can go back to 10, got 9/, () => cache.truncate(9));
  fails('value', /truncate: the window of token 4 is gone/, () => cache.truncate(4));
  cache.truncate(10);
  cache.truncate(3);
  assert.equal(cache.visibleLength, 3);
  const fresh = filled({ capacity: 12, window: 4, sinkTokens: 3 }, 3);
  for (const one of [cache, fresh]) extend(one, 9);
  same(fovea.attention(last(cache, 9), cache).output.data, fovea.attention(last(cache, 9), fresh).output.data);
  fails('value', /length must be an integer from 0 to 12, got 13/, () => cache.truncate(13));
  fails('value', /length must be an integer/, () => cache.truncate(1.5));
  for (const one of [cache, fresh]) one.dispose();
});

test('what has no room is a memory error, and nothing is appended', () => {
  const cache = filled({ capacity: 5 }, 3);
  const before = fovea.attention(last(cache), cache).output.data;
  fails('memory', /append: the cache has room for 2 more tokens at once, got 3; nothing/, () => extend(cache, 3));
  assert.equal(cache.length, 3);
  same(fovea.attention(last(cache), cache).output.data, before);
  extend(cache, 2);
  fails('memory', /room for 0 more/, () => extend(cache, 1));
  const ring = filled({ capacity: 10, window: 6, sinkTokens: 2 }, 9, 8);
  fails('memory', /room for 8 more tokens/, () => extend(ring, 9));
  // The cache promises capacity - sinkTokens tokens, at any time.
  extend(ring, 8);
  assert.equal(ring.length, 25);
  fails('memory', /needs \d+ bytes/, () => kvCache(fovea, { ...sizes, kvHeads: 1024, width: 4096, capacity: 2 ** 20 }));
  for (const one of [cache, ring]) one.dispose();
});

test('weights and logits have a column for every token ever seen, of which evicted ones are 0 and -Infinity', () => {
  for (const dtype of ['float32', 'float16'] as const) {
    const cache = filled({ capacity: 12, window: 5, sinkTokens: 2, dtype }, 9, 8, 3);
    const rule = { window: 5, sinkTokens: 2 };
    const keys = tokens(dtype === 'float16' ? halves(k) : k, 0, 20);
    const values = tokens(dtype === 'float16' ? halves(v) : v, 0, 20);
    const options = { causal: true, returnWeights: true, returnLse: true, returnLogits: 'raw' } as const;
    const got = fovea.attention(last(cache, 3), cache, options);
    const mask = seenMask(3, 20, rule);
    const want = fovea.attention(last(cache, 3), keys, values, { ...options, mask, causalOffset: 17 });
    for (const name of ['output', 'weights', 'lse'] as const) same(got[name]!.data, want[name]!.data);
    assert.deepEqual(got.weights!.shape, [2, 2, 3, 20]);
    got.logits!.data.forEach((x, n) => {
      const evicted = !sees(17 + (Math.floor(n / 20) % 3), n % 20, rule);
      assert.equal(x, evicted ? -Infinity : want.logits!.data[n]);
    });
    const lists = fovea.attention(last(cache, 3), cache, { causal: true, returnWeights: 'sparse' }).weights!;
    const dense = Array.from(want.weights!.data);
    assert.deepEqual(
      Array.from(lists.values),
      dense.filter((_, n) => mask.data[n % 60] === 1 && n % 20 <= 17 + (Math.floor(n / 20) % 3)),
    );
    cache.dispose();
  }
});

test('patterns see absolute positions, and not what is evicted', () => {
  const rule = { window: 7, sinkTokens: 3 };
  const seen = pattern.fromFunction((i, j) => sees(i, j, rule));
  for (const dtype of ['float32', 'float16'] as const) {
    for (const one of [pattern.atrous(3), pattern.window(4, 0).or(pattern.globalTokens([1])), pattern.causal()]) {
      for (const ring of [rule, {}]) {
        const cache = filled({ capacity: 'window' in ring ? 13 : 40, dtype, ...ring }, 10, 9, 2);
        const keys = tokens(dtype === 'float16' ? halves(k) : k, 0, 21);
        const values = tokens(dtype === 'float16' ? halves(v) : v, 0, 21);
        for (const queries of [1, 2]) {
          const options = { causal: true, returnWeights: true } as const;
          const got = fovea.attention(last(cache, queries), cache, { ...options, pattern: one });
          const want = fovea.attention(last(cache, queries), keys, values, {
            ...options,
            causalOffset: 21 - queries,
            pattern: 'window' in ring ? one.and(seen) : one,
          });
          near(got.output, Array.from(want.output.data), 1e-6);
          assert.deepEqual(Array.from(got.weights!.indices), Array.from(want.weights!.indices));
        }
        cache.dispose();
      }
    }
  }
});

test('where the queries stand can be said, but not of a cache with a window', () => {
  const cache = filled({ capacity: 9 }, 9);
  const [keys, values] = [tokens(k, 0, 9), tokens(v, 0, 9)];
  for (const options of [{ causalOffset: 2 }, { causalAlign: 'top-left' }, { causalAlign: 'bottom-right' }] as const) {
    const got = fovea.attention(last(cache, 4), cache, { causal: true, ...options });
    same(got.output.data, fovea.attention(last(cache, 4), keys, values, { causal: true, ...options }).output.data);
  }
  const trace = fovea.attention(last(cache, 2), cache, { trace: true }).trace!;
  assert.deepEqual(trace.find(({ name }) => name === 'key')!.shape, [2, 1, 9, 3]);
  const ring = filled({ capacity: 9, window: 4 }, 9);
  fails('option', /causalOffset does not go with this cache/, () => fovea.attention(last(ring), ring, { causalOffset: 2 }));
  fails('option', /causalAlign does not go/, () => fovea.attention(last(ring), ring, { causalAlign: 'top-left' }));
  fails('option', /trace does not go/, () => fovea.attention(last(ring), ring, { trace: true }));
  fovea.attention(last(ring), ring, { causalAlign: 'bottom-right', trace: false });
  for (const one of [cache, ring]) one.dispose();
});

test('queries whose window is gone are an error', () => {
  const cache = filled({ capacity: 9, window: 4, sinkTokens: 1 }, 8, 3, 2);
  fovea.attention(last(cache, 3), cache);
  fails('value', /the first of 4 queries is token 9, which sees tokens from 6 on, but of those before 7 some are gone/, () =>
    fovea.attention(last(cache, 4), cache),
  );
  cache.dispose();
});

test('one query among many batch entries, heads packed, other layouts, Tensors', () => {
  const cache = kvCache(fovea, { kvHeads: 2, width: 3, valueWidth: 2, capacity: 8 });
  const [keys, values] = [numbers([2, 5, 3], 1), numbers([2, 5, 2], 2)];
  cache.append(keys, values);
  const packed = kvCache(fovea, { kvHeads: 2, width: 3, valueWidth: 2, capacity: 8 });
  const pack = ({ data, shape }: NDArray): NDArray => {
    const [heads, count, width] = shape as [number, number, number];
    const at = (n: number): number => {
      const [t, h, d] = [Math.floor(n / heads / width), Math.floor(n / width) % heads, n % width];
      return data[(h * count + t) * width + d]!;
    };
    return { data: Float32Array.from(data, (_, n) => at(n)), shape: [count, heads * width] };
  };
  packed.append(pack(keys), pack(values), { kvHeads: 2 });
  const query = numbers([4, 1, 3], 3);
  const want = fovea.attention(query, keys, values).output;
  same(fovea.attention(query, cache).output.data, want.data);
  same(fovea.scaledDotProductAttention(query, packed).output.data, want.data);
  same(fovea.attention(pack(query), packed, { heads: 4 }).output.data, want.data);
  fovea.scope(() => {
    const tensor = fovea.tensor(query);
    const other = kvCache(fovea, { kvHeads: 2, width: 3, valueWidth: 2, capacity: 8 });
    other.append(fovea.tensor(numbers([2, 7, 3], 1)).slice(1, 0, 0 + 5), fovea.tensor(values));
    const { output } = fovea.attention(tensor, other);
    assert.deepEqual(output.shape, [4, 1, 2]);
    other.dispose();
  });
  const batched = numbers([3, 4, 1, 3], 8);
  const broadcast = fovea.attention(batched, cache).output;
  same(broadcast.data, fovea.attention(batched, keys, values).output.data);
  for (const one of [cache, packed]) one.dispose();
});

test('an append that does not fit is refused and changes nothing', () => {
  const cache = filled({ capacity: 20 }, 4);
  const want = fovea.attention(last(cache), cache).output.data;
  const wrong = (code: string, message: RegExp, keys: unknown, values: unknown, options?: object): void =>
    fails(code, message, () => cache.append(keys as NDArray, values as NDArray, options));
  wrong('shape', /k must be \[B, Hkv, T, D\] = \[2, 1, T, 3\]/, numbers([1, 1, 2, 3]), numbers([2, 1, 2, 2]));
  wrong('shape', /k must be/, numbers([2, 2, 2, 3]), numbers([2, 1, 2, 2]));
  wrong('shape', /v must be \[B, Hkv, T, Dv\] = \[2, 1, T, 2\]/, numbers([2, 1, 2, 3]), numbers([2, 1, 2, 3]));
  wrong('shape', /as many tokens as each other/, numbers([2, 1, 2, 3]), numbers([2, 1, 3, 2]));
  wrong('shape', /at least 1/, numbers([2, 1, 0, 3]), numbers([2, 1, 0, 2]));
  wrong('option', /unknown option 'causal'/, numbers([2, 1, 2, 3]), numbers([2, 1, 2, 2]), { causal: true });
  wrong('value', /k/, 'x', numbers([2, 1, 2, 2]));
  assert.equal(cache.length, 4);
  same(fovea.attention(last(cache), cache).output.data, want);
  cache.dispose();
});

test('wrong options are refused', () => {
  const wrong = (code: string, message: RegExp, options: object): void =>
    fails(code, message, () => kvCache(fovea, { ...sizes, capacity: 8, ...options } as KvCacheOptions));
  wrong('value', /kvHeads must be an integer from 1/, { kvHeads: undefined });
  wrong('value', /capacity must be an integer from 1/, { capacity: 0 });
  wrong('value', /valueWidth must be an integer/, { valueWidth: 0 });
  wrong('value', /window must be an integer from 1/, { window: 0 });
  wrong('value', /sinkTokens must be an integer from 0/, { window: 2, sinkTokens: -1 });
  wrong('option', /sinkTokens must go with window/, { sinkTokens: 1 });
  wrong('value', /capacity must be at least sinkTokens \+ window, got capacity 8, sinkTokens 3, window 6/, {
    window: 6,
    sinkTokens: 3,
  });
  wrong('option', /dtype must be 'float32' or 'float16', got 'float64'/, { dtype: 'float64' });
  wrong('option', /unknown option 'capcity'/, { capcity: 1 });
  fails('value', /fovea must be what load\(\) returned/, () => kvCache({} as never, { ...sizes, capacity: 1 }));

  const cache = filled({ capacity: 8 }, 4);
  const attend = fovea.attention as (...args: unknown[]) => unknown;
  fails('option', /keyLengths does not go with this cache/, () => attend(last(cache), cache, { keyLengths: [1, 1] }));
  fails('option', /kvHeads does not go/, () => attend(tokens(q, 0, 1), cache, { heads: 1, kvHeads: 1 }));
  fails('option', /the options are the third argument, got a fourth/, () => attend(last(cache), cache, undefined, {}));
  fails('option', /unknown option 'casual'/, () => attend(last(cache), cache, { casual: true }));
  fails('shape', /q and the cache must share their width, got q \[2, 1, 1, 4\], the cache \[2, 1, 4, 3\]/, () =>
    attend(numbers([2, 1, 1, 4]), cache),
  );
  fails('shape', /must have a batch axis/, () => attend(numbers([1, 1, 3]), cache));
  fails('shape', /batch sizes must be equal or 1/, () => attend(numbers([3, 1, 1, 3]), cache));
  fails('shape', /mask must broadcast to \[B, H, Tq, Tk\] = \[2, 2, 1, 4\]/, () =>
    attend(last(cache), cache, { mask: [[true, false]] }),
  );
  cache.dispose();
});

test('a cache that is disposed, of another instance, or of one that is gone', async () => {
  const cache = filled({ capacity: 8 }, 4);
  const query = last(cache);
  const other = await load();
  assert.throws(() => other.attention(query, cache), { code: 'value', message: /must be of this instance/ });
  const theirs = kvCache(other, { ...sizes, capacity: 8 });
  other.dispose();
  assert.ok(theirs.disposed);
  assert.throws(() => theirs.append(tokens(k, 0, 1), tokens(v, 0, 1)), { code: 'disposed' });
  theirs.dispose();
  cache.dispose();
  assert.ok(cache.disposed);
  fails('disposed', /attention: the cache has been disposed/, () => fovea.attention(query, cache));
  fails('disposed', /kvCache\.append: the cache/, () => cache.append(tokens(k, 0, 1), tokens(v, 0, 1)));
  fails('disposed', /kvCache\.truncate/, () => cache.truncate(0));
  fails('disposed', /kvCache\.clone/, () => cache.clone());
  fails('disposed', /kvCache\.clear/, () => cache.clear());
  if (typeof Symbol.dispose === 'symbol') filled({ capacity: 2 })[Symbol.dispose]();
});

test('a scope leaves a cache alone, and a worker takes none', async () => {
  const cache = fovea.scope(() => filled({ capacity: 8 }, 2));
  assert.equal(cache.disposed, false);
  const remote = await connect();
  await assert.rejects(() => remote.attention(last(cache), cache as never, {} as never), {
    code: 'option',
    message: /attention: k is a KvCache, which no worker takes/,
  });
  assert.throws(() => kvCache(remote as never, { ...sizes, capacity: 8 }), { code: 'value', message: /on this thread/ });
  await remote.dispose();
  cache.dispose();
});

test("'float16' holds the nearest half floats", () => {
  const values = [1, 1 / 3, -2049, 2051, 65504, 1e-5, 6e-8, 2 ** -25, 0.1, -7.7];
  for (const x of values) {
    const cache = kvCache(fovea, { kvHeads: 1, width: 1, capacity: 1, dtype: 'float16' });
    cache.append([[[1]]], [[[x]]]);
    assert.equal(fovea.attention([[[1]]], cache).output.data[0], Math.fround(toHalf(Math.fround(x))));
    cache.dispose();
  }
});
