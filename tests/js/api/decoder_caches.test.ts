/** Decoders over a memory whose keys and values are cached: the numbers of the whole sequence, and what becomes of caches where a call fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { kvCache, type KvCache } from 'fovea/cache';
import { TransformerDecoder, TransformerDecoderLayer } from 'fovea/nn';
import { fails, fovea, leavesNothing, numbers, same, works } from '../support/api.ts';

const [E, T, M] = [12, 7, 5];
const SIZES = { dModel: E, nHead: 3, dimFeedforward: 20, seed: 7 } as const;

const rowsOf = (x: NDArray, from: number, to: number): NDArray => {
  const [batch, tokens, width] = x.shape as [number, number, number];
  const parts = Array.from({ length: batch }, (_, b) => [
    ...x.data.subarray((b * tokens + from) * width, (b * tokens + to) * width),
  ]);
  return { data: Float32Array.from(parts.flat()), shape: [batch, to - from, width] };
};

const makeCaches = (decoder: TransformerDecoder, count: number, batch: number, capacity: number): KvCache[] =>
  Array.from({ length: count }, () => kvCache(fovea, { ...decoder.cacheOptions, batch, capacity }));

/** Both are within float32's rounding of the same numbers, which are of the order of 1. */
function near(got: ArrayLike<number>, wanted: ArrayLike<number>, what: string): void {
  assert.equal(got.length, wanted.length);
  for (let i = 0; i < got.length; i++)
    assert.ok(Math.abs(got[i]! - wanted[i]!) <= 2 ** -18, `${what}, ${i}: ${got[i]}, wanted ${wanted[i]}`);
}

for (const normFirst of [false, true])
  for (const steps of [[1, 1, 1, 1, 1, 1, 1], [3, 1, 3], [7]] as const)
    test(`steps of ${steps.join(', ')} tokens, ${normFirst ? 'pre' : 'post'}-norm: the numbers of the whole`, () =>
      leavesNothing(() => {
        using decoder = new TransformerDecoder(fovea, { ...SIZES, numLayers: 2, normFirst, finalNorm: normFirst });
        const [x, memory] = [numbers([2, T, E], 1), numbers([2, M, E], 2)];
        const memoryKeyPaddingMask = [Array(M).fill(false), [false, true, false, false, true]];
        const keyPaddingMask = [Array(T).fill(false), [true, ...Array(T - 1).fill(false)]];
        const whole = decoder.forward(x, memory, { causal: true, memoryKeyPaddingMask, keyPaddingMask });
        const [caches, memoryCaches] = [makeCaches(decoder, 2, 2, T), makeCaches(decoder, 2, 2, M)];
        let at = 0;
        for (const count of steps) {
          const seen = keyPaddingMask.map((row) => row.slice(0, at + count));
          const options = { causal: true, caches, memoryCaches, memoryKeyPaddingMask, keyPaddingMask: seen };
          const part = decoder.forward(rowsOf(x, at, at + count), memory, options);
          near(part.data, rowsOf(whole, at, at + count).data, `tokens from ${at} on`);
          at += count;
        }
        assert.deepEqual(
          [...caches, ...memoryCaches].map(({ length }) => length),
          [T, T, M, M],
        );
        for (const cache of [...caches, ...memoryCaches]) cache.dispose();
      }));

test('later steps read the memory caches, and memory no more', () =>
  leavesNothing(() => {
    using decoder = new TransformerDecoder(fovea, { ...SIZES, numLayers: 1 });
    const [x, memory] = [numbers([1, 2, E], 1), numbers([1, M, E], 2)];
    const [caches, memoryCaches] = [makeCaches(decoder, 1, 1, 2), makeCaches(decoder, 1, 1, M)];
    const whole = decoder.forward(x, memory, { causal: true });
    decoder.forward(rowsOf(x, 0, 1), memory, { caches, memoryCaches });
    const zeros = { data: new Float32Array(M * E), shape: [1, M, E] };
    near(decoder.forward(rowsOf(x, 1, 2), zeros, { caches, memoryCaches }).data, rowsOf(whole, 1, 2).data, 'the second token');
    for (const cache of [...caches, ...memoryCaches]) cache.dispose();
  }));

test('a layer with one of the caches alone, without a batch, and tokens first', () =>
  leavesNothing(() => {
    using layer = new TransformerDecoderLayer(fovea, SIZES);
    const [x, memory] = [numbers([T, E], 1), numbers([M, E], 2)];
    const whole = layer.forward(x, memory, { causal: true });
    const memoryCache = kvCache(fovea, { ...layer.cacheOptions, capacity: M });
    near(layer.forward(x, memory, { causal: true, memoryCache }).data, whole.data, 'the memory cache alone');
    const cache = kvCache(fovea, { ...layer.cacheOptions, capacity: T });
    near(layer.forward(x, memory, { causal: true, cache }).data, whole.data, 'the cache alone');
    cache.clear();
    using other = new TransformerDecoderLayer(fovea, { ...SIZES, batchFirst: false });
    const byTokens = other.forward({ ...x, shape: [T, 1, E] }, { ...memory, shape: [M, 1, E] }, { causal: true, cache });
    near(byTokens.data, whole.data, 'tokens first');
    memoryCache.dispose();
    cache.dispose();
  }));

test('a call that fails leaves the caches as they were', () =>
  leavesNothing(() => {
    using decoder = new TransformerDecoder(fovea, { ...SIZES, numLayers: 2 });
    const [x, memory] = [numbers([1, 2, E], 1), numbers([1, M, E], 2)];
    const [caches, memoryCaches] = [makeCaches(decoder, 2, 1, 2), makeCaches(decoder, 2, 1, M)];
    const all = [...caches, ...memoryCaches];
    const lengths = (): number[] => all.map(({ length }) => length);
    const call =
      (options: object, input = x) =>
      () =>
        decoder.forward(input, memory, { caches, memoryCaches, ...options });
    fails('value', /caches must be a list of one KvCache per layer, 2/, call({ caches: [caches[0]] }));
    fails('value', /memoryCaches must be a list of one KvCache per layer, 2/, call({ memoryCaches: caches[0] }));
    fails('value', /caches\[1\] must be a KvCache that fovea\/cache has made/, call({ caches: [caches[0], {}] }));
    fails('value', /a KvCache of its own for each attention/, call({ caches: memoryCaches }));
    fails('option', /keyLengths cannot be combined with a cache/, call({ keyLengths: [2] }));
    fails('option', /unknown option 'cache'/, call({ cache: caches[0] }));
    fails('shape', /attnMask must be \[Tq, Tk\]/, call({ attnMask: [[false, true]] }));
    fails('memory', /room for 2 more tokens at once, got 3/, call({}, numbers([1, 3, E])));
    fails('shape', /caches\[0\] must be of batch 3/, call({}, numbers([3, 1, E])));
    // The first layer has taken the tokens in where the second finds its softcap wrong.
    fails('value', /softcap/, call({ softcap: -1 }));
    assert.deepEqual(lengths(), [0, 0, 0, 0]);
    const first = call({ causal: true })();
    assert.deepEqual(lengths(), [2, 2, M, M]);
    fails('memory', /room for 0 more tokens/, call({}));
    assert.deepEqual(lengths(), [2, 2, M, M]);
    const other = numbers([1, M + 1, E]);
    fails('value', /memoryCaches\[0\] must be empty or have the 6 tokens of memory, got 5/, () =>
      decoder.forward(x, other, { memoryCaches }),
    );
    const windowed = kvCache(fovea, { ...decoder.cacheOptions, capacity: 4, window: 4 });
    fails(
      'value',
      /memoryCaches\[0\] must keep all tokens/,
      call({ caches: undefined, memoryCaches: [windowed, memoryCaches[1]] }),
    );
    windowed.dispose();
    for (const cache of caches) cache.clear();
    same(call({ causal: true })().data, first.data);
    for (const cache of all) cache.dispose();
    works();
  }));
