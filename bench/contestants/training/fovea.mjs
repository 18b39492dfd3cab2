// Training by fovea/train: a Trainer, valueAndGrad, and parts of them.

import { adam, attentionArrays, attentions, gpt, gptBatch, gptWeights, productsOf, someOf } from '../../training_tasks.mjs';
import { numbers } from '../../arrays.mjs';

/** Calls in a row whose recording and gradients are timed. */
const calls = 200;

export async function openTraining({ threads, way, environment }) {
  const [train, nn, ops] = await Promise.all(
    ['foveaTrain', 'foveaModules', 'foveaOps'].map((name) => import(environment[name])),
  );
  const fovea = await train.load({ threads, deterministic: way === 'fovea-simd128' });
  const tensor = (shape, data) => fovea.tensor({ shape, data });
  const freed = (gradients) => Object.values(gradients).forEach((one) => one.dispose());
  return { step, attention, forward, products, call: () => chain(false), recorded: () => chain(true) };

  function step() {
    const { vocabulary, width, heads, layers, feedForward, tokens, batch } = gpt;
    const sizes = { vocabSize: vocabulary, numLayers: layers, dModel: width, nHead: heads, dimFeedforward: feedForward };
    const model = new nn.CausalDecoder(fovea, { ...sizes, maxPositions: tokens });
    model.loadStateDict(gptWeights());
    const shaped = (data) => ({ data, shape: [batch, tokens] });
    const [ids, targets] = Object.values(gptBatch()).map(shaped);
    const trainer = new train.Trainer(model, {
      loss: () => train.crossEntropy(fovea, model.forward(ids), targets),
      optimizer: train.adam(adam),
    });
    const losses = [];
    return { run: () => void losses.push(trainer.step(null).loss), output: () => losses };
  }

  function attention(id) {
    const { heads, tokens, width, causal, window } = attentions[id];
    const { dOutput, ...qkv } = attentionArrays(attentions[id]);
    const shape = [heads, tokens, width];
    const of = Object.fromEntries(Object.entries(qkv).map(([name, data]) => [name, tensor(shape, data)]));
    const weights = tensor([heads * tokens * width], dOutput);
    const flat = { causal, ...(window === null ? {} : { window }) };
    let gradients = {};
    const loss = () => {
      const { output } = fovea.attention(of.q, of.k, of.v, flat);
      return ops.sum(fovea, ops.multiply(fovea, output.reshape([heads * tokens * width]), weights));
    };
    return {
      run() {
        freed(gradients);
        ({ gradients } = train.valueAndGrad(fovea, of, loss));
      },
      output: () => someOf(...['q', 'k', 'v'].map((name) => gradients[name].data)),
    };
  }

  /** Attention without its gradient. */
  function forward(id) {
    const { heads, tokens, width, causal, window } = attentions[id];
    const { q, k, v } = attentionArrays(attentions[id]);
    const [query, key, value] = [q, k, v].map((data) => tensor([heads, tokens, width], data));
    let output;
    return {
      run() {
        output?.dispose();
        ({ output } = fovea.attention(query, key, value, { causal, ...(window === null ? {} : { window }) }));
      },
      output: () => someOf(output.data),
    };
  }

  function products() {
    const all = productsOf().map(({ rows, inner, columns }, n) => ({
      a: tensor([rows, inner], numbers([rows, inner], 1 + n)),
      b: tensor([inner, columns], numbers([inner, columns], 2 + n)),
    }));
    const last = () => ops.matmul(fovea, all.at(-1).a, all.at(-1).b);
    return {
      run: () => all.forEach(({ a, b }) => ops.matmul(fovea, a, b).dispose()),
      output: () => someOf(last().data),
    };
  }

  /** Sums of one number, one after another; with their gradient, or alone. */
  function chain(isRecorded) {
    const x = tensor([1], Float32Array.of(1));
    const sums = () => {
      let y = x;
      for (let n = 0; n < calls; n++) y = ops.add(fovea, y, x);
      return y;
    };
    return {
      run() {
        if (isRecorded) freed(train.valueAndGrad(fovea, { x }, sums).gradients);
        else fovea.scope(() => void sums());
      },
      output: () => [calls],
    };
  }
}
