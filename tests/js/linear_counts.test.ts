/** The page of linear attention counts as many numbers as the package keeps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, run } from 'fovea/catalog';
import { linearAttention } from 'fovea/linear-attention';
import { countOf, keptOf, pairsOf, sizesFor, WIDTH } from '../../web/families/linear/count.ts';
import { fovea } from './support/api.ts';

const entryOf = (id: string) => list().find((entry) => entry.id === id)!;
const lengthOf = (id: string, ...stages: readonly string[]): number =>
  stages.reduce((sum, name) => sum + run(fovea, id).trace.find((stage) => stage.name === name)!.data.length, 0);
/** The sums that the call itself hands over, after all tokens. */
function stateOf(id: string): number {
  const { inputs, options } = entryOf(id).defaults;
  const { q, k, v } = inputs as Record<'q' | 'k' | 'v', number[][]>;
  const { s, z } = linearAttention(fovea, q, k, v, { ...options, returnState: true }).state;
  return s.data.length + (z?.data.length ?? 0);
}

test('the kept numbers are those of the state, the mixtures and the bases', () => {
  const kept = (id: string) => keptOf(id, entryOf(id).complexity.sizes);
  for (const id of ['linear', 'linear_rnn', 'delta_rule']) assert.equal(kept(id), stateOf(id), id);
  assert.equal(kept('efficient_attention'), lengthOf('efficient_attention', 'state'));
  assert.equal(kept('performer'), lengthOf('performer', 'state', 'normalizer'));
  assert.equal(kept('linformer'), lengthOf('linformer', 'key', 'value', 'weights'));
  assert.equal(kept('em_attention'), lengthOf('em_attention', 'mu', 'Z'));
});

test('sizes that do not grow with the text stay as they are chosen', () => {
  const n = 4096;
  assert.deepEqual(sizesFor(entryOf('performer'), n, { m: 32 }), { T: n, m: 32, D: WIDTH, Dv: WIDTH });
  const few = countOf(entryOf('linear'), sizesFor(entryOf('linear'), n, {}));
  const many = countOf(entryOf('linear'), sizesFor(entryOf('linear'), 2 * n, {}));
  assert.equal(many.multiplications, 2 * few.multiplications);
  assert.equal(many.kept, few.kept);
  assert.equal(pairsOf(fovea, 2 * n, false).multiplications, 4 * pairsOf(fovea, n, false).multiplications);
});
