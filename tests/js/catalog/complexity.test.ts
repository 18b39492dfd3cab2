/** Counts of the catalog's entries against what their runs hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SparseWeights } from 'fovea';
import { list, run, type CatalogEntry } from 'fovea/catalog';
import { fovea } from '../support/api.ts';

const options = list().filter(({ kind }) => kind === 'option');
const letters = 'H,Tq,Tk,D,Dv';

/** How many weights a run returned: those of an array, or those that lists name. */
function weightsOf({ id }: CatalogEntry): number | undefined {
  const weights = run(fovea, id)['weights'] as { data: Float32Array } | SparseWeights | undefined;
  if (weights === undefined) return undefined;
  return 'indices' in weights ? weights.indices.length : weights.data.length;
}

for (const entry of options) {
  const { id, complexity } = entry;
  const weights = weightsOf(entry);
  if (weights !== undefined)
    test(`${id}: as many pairs are counted as there are weights`, () =>
      assert.equal(complexity.pairs(complexity.sizes), weights));

  if (complexity.letters.join() === letters)
    test(`${id}: the sizes are those of its queries, keys and values`, () => {
      const { trace } = run(fovea, id);
      const shape = (name: string) => trace.find((stage) => stage.name === name)!.shape;
      const [H, Tq, D] = [1, ...shape('query')].slice(-3);
      const [Tk, Dv] = shape('value').slice(-2);
      assert.deepEqual(complexity.sizes, { H, Tq, Tk, D, Dv });
    });
}
