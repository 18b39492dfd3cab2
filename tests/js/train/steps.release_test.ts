/** Ten thousand steps of training take the memory of the first hundred. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CausalDecoder } from 'fovea/nn';
import { adamW, crossEntropy, load, Trainer } from 'fovea/train';

test('ten thousand steps leave live bytes and wasm memory as they were', async () => {
  const fovea = await load({ deterministic: true });
  const sizes = { vocabSize: 11, numLayers: 2, dModel: 8, nHead: 2, dimFeedforward: 12, rope: {}, seed: 3 };
  const model = new CausalDecoder(fovea, sizes);
  const trainer = new Trainer<number>(model, {
    loss: (step) => {
      // Sequences of one to six tokens.
      const length = 1 + (step % 6);
      const ids = { data: Int32Array.from({ length: 2 * length }, (_, n) => (n * step) % 11), shape: [2, length] };
      return crossEntropy(fovea, model.forward(ids), ids);
    },
    optimizer: adamW({ learningRate: 1e-3 }),
    clipNorm: 1,
  });
  const run = (steps: number) => trainer.run({ steps, batch: (step) => step });
  await run(100);
  const before = fovea.memory();
  await run(9900);
  assert.equal(trainer.steps, 10_000);
  assert.deepEqual(fovea.memory(), before);
  trainer.dispose();
  model.dispose();
  assert.equal(fovea.memory().live, 0);
  fovea.dispose();
});
