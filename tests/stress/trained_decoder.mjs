// A small decoder after some steps: one program for every build of the core, every number of threads and every engine.

import { hash } from './numerics_cases.mjs';

/**
 * A hash of the weights, of what the optimizer keeps, and of the losses on the way.
 *
 * @param {typeof import('fovea/train')} train
 * @param {typeof import('fovea/nn')} nn
 * @returns {Promise<{ bytes: string, threads: number }>} and how many threads it ran with
 */
export async function trainedDecoder(
  { load, adamW, batchIndices, crossEntropy, Trainer, warmupCosine },
  { CausalDecoder },
  threads,
) {
  const [steps, vocabSize, rows, tokens] = [200, 40, 4, 24];
  const fovea = await load({ deterministic: true, threads });
  const sizes = { vocabSize, numLayers: 1, dModel: 32, nHead: 4, kvHeads: 2, dimFeedforward: 48 };
  const model = new CausalDecoder(fovea, { ...sizes, norm: 'rms', gated: true, rope: {}, activation: 'silu', seed: 3 });
  const trainer = new Trainer(model, {
    loss: ({ ids, targets }) => crossEntropy(fovea, model.forward(ids), targets),
    optimizer: adamW({ learningRate: warmupCosine(1e-2, { warmup: 20, steps }) }),
    clipNorm: 0.5,
  });
  const losses = [];
  const shape = [rows, tokens];
  for (let step = 1; step <= steps; step++) {
    const ids = batchIndices(vocabSize, rows * tokens, { seed: 5, step });
    const targets = ids.map((id) => (7 * id + 3) % vocabSize);
    losses.push(trainer.step({ ids: { data: ids, shape }, targets: { data: targets, shape } }).loss);
  }
  const bytes = hash([...[...trainer.stateDict().values()].map(({ data }) => data), losses]);
  const ran = fovea.info.threads;
  fovea.dispose();
  return { bytes, threads: ran };
}
