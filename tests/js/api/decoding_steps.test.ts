/** Steps of decoding: from the third on only what counts positions is written, and every bit is that of a step that is planned again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kvCache, type KvCache } from 'fovea/cache';
import { CausalDecoder, CausalDecoderLayer } from 'fovea/nn';
import { fails, fovea, numbers, same } from '../support/api.ts';

const sizes = { dModel: 24, nHead: 4, kvHeads: 2, dimFeedforward: 20 };
const kinds = {
  Llama: { ...sizes, norm: 'rms', gated: true, rope: {} },
  'GPT-2': { ...sizes, maxPositions: 90 },
} as const;
const modelOf = (kind: keyof typeof kinds, more: object = {}) =>
  new CausalDecoder(fovea, { ...kinds[kind], vocabSize: 17, numLayers: 3, seed: 5, ...more });
/** A window makes rows move, so that each step is planned: what the others are compared with. */
const cachesOf = (planned: boolean, more: object = {}) =>
  [0, 1, 2].map(() => kvCache(fovea, { kvHeads: 2, width: 6, capacity: 90, ...more, ...(planned && { window: 90 }) }));
const idAt = (position: number) => (7 * position) % 17;
const free = (caches: readonly KvCache[]) => caches.forEach((cache) => cache.dispose());

for (const kind of ['Llama', 'GPT-2'] as const) {
  for (const dtype of ['float32', 'float16'] as const) {
    test(`${kind}, ${dtype}: 80 steps have the bits of steps that are planned`, () => {
      const model = modelOf(kind);
      const [own, planned] = [cachesOf(false, { dtype }), cachesOf(true, { dtype })];
      const prompt = [3, 1, 4];
      same(model.next(prompt, { caches: own }).data, model.next(prompt, { caches: planned }).data);
      for (let position = 3; position < 80; position++) {
        const [one, other] = [own, planned].map((caches) => model.next([idAt(position)], { caches }));
        assert.deepEqual(one!.shape, [17]);
        same(one!.data, other!.data);
      }
      assert.equal(own[2]!.length, 80);
      free([...own, ...planned]);
      model.dispose();
    });
  }
}

test('a batch, untied weights, forward and layers of their own step alike', () => {
  const model = modelOf('Llama', { tieWeights: false });
  const [own, planned] = [cachesOf(false, { batch: 2 }), cachesOf(true, { batch: 2 })];
  for (let position = 0; position < 8; position++) {
    const ids = [[idAt(position)], [idAt(position + 3)]];
    const [one, other] = [own, planned].map((caches) => model.forward(ids, { caches }));
    assert.deepEqual(one!.shape, [2, 1, 17]);
    same(one!.data, other!.data);
  }
  model.dispose();
  free([...own, ...planned]);

  const layer = new CausalDecoderLayer(fovea, { ...kinds.Llama, seed: 2 });
  const [[cache], [other]] = [cachesOf(false), cachesOf(true)] as [KvCache[], KvCache[]];
  const rows = fovea.tensor(numbers([6, 24]));
  for (let position = 0; position < 6; position++) {
    const x = rows.slice(0, position, position + 1);
    const y = layer.forward(x, { cache: cache! });
    same(y.toArray().data, layer.forward(x.toArray(), { cache: other! }).data);
    y.dispose();
  }
  rows.dispose();
  layer.dispose();
  free([cache!, other!]);
});

test('steps follow what changes between them: length, caches, weights', () => {
  const model = modelOf('Llama');
  const fresh = (ids: readonly number[], dtype: 'float32' | 'float16' = 'float32') => {
    const caches = cachesOf(true, { dtype });
    let last: Float32Array | undefined;
    for (const id of ids) last = model.next([id], { caches }).data;
    free(caches);
    return last;
  };
  const step = (caches: readonly KvCache[], id: number) => model.next([id], { caches }).data;
  const caches = cachesOf(false);
  for (const id of [1, 2, 3, 4]) step(caches, id);
  for (const cache of caches) cache.truncate(1);
  same(step(caches, 9), fresh([1, 9]));

  const branches = Array.from({ length: 6 }, () => caches.map((cache) => cache.clone()));
  for (const id of [5, 6, 7])
    branches.forEach((branch, n) => same(step(branch, id + n), fresh([1, 9, ...[5, 6, 7].slice(0, id - 4).map((k) => k + n)])));
  branches.forEach(free);
  free(caches);

  const halves = cachesOf(false, { dtype: 'float16' }); // where the others were
  for (const n of [1, 2, 3, 4]) same(step(halves, n), fresh([1, 2, 3, 4].slice(0, n), 'float16'));
  for (const cache of halves) cache.clear();
  const other = modelOf('Llama', { seed: 6 });
  model.loadStateDict(other.stateDict());
  for (const n of [1, 2, 3, 4]) same(step(halves, n), fresh([1, 2, 3, 4].slice(0, n), 'float16'));
  free(halves);
  other.dispose();
  model.dispose();
});

test('a step that fails leaves the caches as they were, and disposing frees all that steps hold', () => {
  const before = fovea.memory().live;
  const model = modelOf('GPT-2', { maxPositions: 5 });
  const caches = cachesOf(false, { capacity: 4 });
  for (const id of [1, 2, 3]) model.next([id], { caches });
  const kept = caches.map((cache) => cache.clone());
  const fourth = model.next([4], { caches }).data;
  fails('memory', /room for 0 more tokens/, () => model.next([5], { caches }));
  fails('value', /^CausalDecoder\.next: ids/, () => model.next([17], { caches: kept }));
  assert.deepEqual(
    kept.map(({ length }) => length),
    [3, 3, 3],
  );
  same(model.next([4], { caches: kept }).data, fourth);
  free([...caches, ...kept]);
  model.dispose();
  assert.equal(fovea.memory().live, before);
});
