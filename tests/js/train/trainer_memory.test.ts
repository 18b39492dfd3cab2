/** A step whose memory is refused, wherever it grows, leaves weights, moments and the number of steps as they were, and the instance works on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttentionError, type NDArray } from 'fovea';
import { CausalDecoder } from 'fovea/nn';
import { adam, crossEntropy, load, Trainer } from 'fovea/train';
import { assertSameBits } from '../support/truth_bounds.ts';

const [VOCABULARY, ROWS, TOKENS] = [32, 24, 64];
const batch = {
  data: Int32Array.from({ length: ROWS * TOKENS }, (_, n) => (n * n + 3) % VOCABULARY),
  shape: [ROWS, TOKENS],
};

async function trainerOf() {
  const fovea = await load({ deterministic: true });
  const model = new CausalDecoder(fovea, { vocabSize: VOCABULARY, numLayers: 2, dModel: 32, nHead: 4, rope: {}, seed: 1 });
  const trainer = new Trainer<typeof batch>(model, {
    loss: (ids) => crossEntropy(fovea, model.forward(ids), ids),
    optimizer: adam({ learningRate: 0.01 }),
  });
  return { fovea, model, trainer };
}

function assertSame(got: ReadonlyMap<string, NDArray>, want: ReadonlyMap<string, NDArray>): void {
  for (const [name, { data }] of want) assertSameBits(got.get(name)!.data, data, name);
}

test('a refused growth changes nothing, at every growth of a step', async () => {
  const uninterrupted = await trainerOf();
  uninterrupted.trainer.step(batch);
  const want = uninterrupted.trainer.stateDict();
  uninterrupted.fovea.dispose();

  const { fovea, model, trainer } = await trainerOf();
  // A fresh instance has room for a whole step: no more than a little of it is left.
  const { total } = fovea.memory();
  while (fovea.memory().total === total) fovea.tensor(new Float32Array(2 ** 16), [2 ** 16]);
  const [before, weights, { live }] = [trainer.stateDict(), model.stateDict(), fovea.memory()];
  const grow = WebAssembly.Memory.prototype.grow;
  let refusals = 0;
  // Memory that has grown stays: every try comes one growth further.
  for (let isDone = false; !isDone;) {
    let left = Number(refusals > 0);
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (left-- <= 0) throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
      return grow.call(this, pages);
    };
    try {
      trainer.step(batch);
      isDone = true;
    } catch (error) {
      assert.ok(error instanceof AttentionError && error.code === 'memory', `${(error as Error).stack}`);
      assert.match(error.message, /\d+ bytes/);
      refusals++;
    } finally {
      WebAssembly.Memory.prototype.grow = grow;
    }
    if (isDone) break;
    assert.equal(trainer.steps, 0);
    assertSame(trainer.stateDict(), before);
    assertSame(model.stateDict(), weights);
    assert.equal(fovea.memory().live, live);
  }
  assert.ok(refusals >= 3, `${refusals} refusals`);
  assertSame(trainer.stateDict(), want);
  fovea.dispose();
});
