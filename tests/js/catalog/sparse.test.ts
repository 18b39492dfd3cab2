/** Sparse and linear attention in the catalog: counts against the cost model, and how far layers reach. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray, SparseWeights } from 'fovea';
import { list, run } from 'fovea/catalog';
import { xformerCost } from 'fovea/mechanisms';
import { fovea } from '../support/api.ts';

const entryOf = (id: string) => list().find((entry) => entry.id === id)!;

/** Which keys each query of a run sees. */
function seenIn(id: string): Set<number>[] {
  const { indptr, indices } = run(fovea, id)['weights'] as SparseWeights;
  return Array.from({ length: indptr.length - 1 }, (_, i) => new Set(indices.subarray(indptr[i], indptr[i + 1])));
}

const reachedInTwo = (seen: readonly Set<number>[]) => seen.map((keys) => new Set([...keys].flatMap((j) => [...seen[j]!])));

test('two layers of the Sparse Transformer reach every word before, a window alone does not', () => {
  reachedInTwo(seenIn('sparse_transformer')).forEach((keys, i) => assert.equal(keys.size, i + 1));
  assert.ok(reachedInTwo(seenIn('local')).some((keys) => keys.size < 9));
});

test('with a global token any two words are two steps apart', () => {
  for (const id of ['longformer', 'bigbird']) reachedInTwo(seenIn(id)).forEach((keys) => assert.equal(keys.size, 9, id));
});

test('both passes of axial attention compute the pairs that are counted', () => {
  const results = run(fovea, 'axial') as unknown as Record<'firstWeights' | 'secondWeights', NDArray>;
  const pairs = [results.firstWeights, results.secondWeights].flatMap(({ data }) => [...data]).filter((weight) => weight > 0);
  const { complexity } = entryOf('axial');
  assert.equal(complexity.pairs(complexity.sizes), pairs.length);
});

/** Options of the cost model for n tokens of these sizes. */
const costs = {
  scaled_dot: ['full', () => ({}), ({ n, d, dv }) => ({ H: 1, Tq: n, Tk: n, D: d, Dv: dv })],
  local: ['local', () => ({ k: 3 }), ({ n, d, dv }) => ({ T: n, k: 3, D: d, Dv: dv })],
  atrous: ['atrous', () => ({ k: 3 }), ({ n, d, dv }) => ({ T: n, k: 3, D: d, Dv: dv })],
  sparse_transformer: ['sparse', () => ({ k: 3, causal: true }), ({ n, d, dv }) => ({ T: n, l: 3, D: d, Dv: dv })],
  longformer: ['longformer', () => ({ window: 4, global: 2 }), ({ n, d, dv }) => ({ T: n, w: 4, g: 2, D: d, Dv: dv })],
  bigbird: [
    'bigBird',
    () => ({ block: 1, window: 3, global: 1, random: 2 }),
    ({ n, d, dv }) => ({ T: n, w: 3, g: 1, r: 2, D: d, Dv: dv }),
  ],
  axial: ['axial', ({ n }) => ({ shape: [n / 3, 3] }), ({ n, d }) => ({ h: n / 3, w: 3, D: d })],
  linear: ['linear', () => ({}), ({ n, d, dv }) => ({ T: n, D: d, Dv: dv })],
  efficient_attention: ['efficient', () => ({}), ({ n, d, dv }) => ({ Tq: n, Tk: n, D: d, Dv: dv })],
  performer: ['performer', () => ({ features: 5 }), ({ n, d, dv }) => ({ T: n, m: 5, D: d, Dv: dv })],
  linformer: ['linformer', () => ({ rank: 2 }), ({ n, d, dv }) => ({ Tq: n, Tk: n, r: 2, D: d, Dv: dv })],
} satisfies Record<
  string,
  [string, (sizes: Record<'n', number>) => object, (sizes: Record<'n' | 'd' | 'dv', number>) => Record<string, number>]
>;

type Costs = Record<string, { pairs: number; multiplyAdds: number }>;

for (const [id, [kind, parameters, letters]] of Object.entries(costs))
  test(`${id}: pairs and multiply-adds are those of xformerCost`, () => {
    const { pairs, multiplyAdds } = entryOf(id).complexity;
    for (const n of [3, 9, 12, 30, 300])
      for (const dv of id === 'axial' ? [4] : [4, 5]) {
        const options = { n, d: 4, dv, kinds: { [kind]: parameters({ n }) } };
        const cost = (xformerCost(fovea, {}, {}, options as never) as Costs)[kind];
        const sizes = letters({ n, d: 4, dv });
        assert.deepEqual({ pairs: pairs(sizes), multiplyAdds: multiplyAdds(sizes) }, cost, `n ${n}, dv ${dv}`);
      }
  });
