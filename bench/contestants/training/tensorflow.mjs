// Training by TensorFlow.js on its wasm backend, in a page. Products of weights are of two axes, which reach XNNPACK; those of heads are batched.

import { pretendProcessors } from '../processors.mjs';
import { adam, gpt, gptBatch, gptWeights, normEps } from '../../training_tasks.mjs';

let tf;

export async function openTraining({ threads, environment }) {
  const { tf: core, backend } = await import(environment.tensorflowTraining);
  tf = core;
  backend.setWasmPaths(environment.tensorflow);
  if (threads === 1) tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  else pretendProcessors(2 * threads);
  await tf.setBackend('wasm');
  await tf.ready();
  return { step };
}

/** softmax(q kᵀ / √D) v of [heads, tokens, width]; `mask` is added to the logits, or null. */
function attend(q, k, v, mask) {
  const logits = tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(q.shape.at(-1)));
  return tf.matMul(tf.softmax(mask === null ? logits : tf.add(logits, mask)), v);
}

function causalMask(tokens) {
  const forbidden = new Float32Array(tokens * tokens);
  for (let i = 0; i < tokens; i++) forbidden.fill(-1e9, i * tokens + i + 1, (i + 1) * tokens);
  return tf.tensor3d(forbidden, [1, tokens, tokens]);
}

function step() {
  const { vocabulary, width, heads, layers, tokens, batch } = gpt;
  const rows = batch * tokens;
  const { ids, targets } = gptBatch();
  const [x, y] = [ids, targets].map((list) => tf.cast(tf.oneHot(tf.tensor1d(list, 'int32'), vocabulary), 'float32'));
  const mask = causalMask(tokens);
  const weights = Object.entries(gptWeights());
  const w = Object.fromEntries(weights.map(([name, { shape, data }]) => [name, tf.variable(tf.tensor(data, shape))]));
  const linear = (input, name) => tf.add(tf.matMul(input, w[`${name}weight`], false, true), w[`${name}bias`]);
  const norm = (input, name) => {
    const centered = tf.sub(input, tf.mean(input, -1, true));
    const scaled = tf.mul(centered, tf.rsqrt(tf.add(tf.mean(tf.square(centered), -1, true), normEps)));
    return tf.add(tf.mul(scaled, w[`${name}.weight`]), w[`${name}.bias`]);
  };
  const gelu = (u) => {
    const inner = tf.mul(tf.add(u, tf.mul(tf.mul(tf.square(u), u), 0.044715)), Math.sqrt(2 / Math.PI));
    return tf.mul(tf.mul(u, 0.5), tf.add(tf.tanh(inner), 1));
  };
  const byHeads = (joint) =>
    tf.reshape(tf.transpose(tf.reshape(joint, [batch, tokens, heads, width / heads]), [0, 2, 1, 3]), [
      batch * heads,
      tokens,
      width / heads,
    ]);
  const joined = (output) =>
    tf.reshape(tf.transpose(tf.reshape(output, [batch, heads, tokens, width / heads]), [0, 2, 1, 3]), [rows, width]);

  function loss() {
    const table = w['embedding.weight'];
    const embedded = tf.add(tf.reshape(tf.matMul(x, table), [batch, tokens, width]), w['positions.weight']);
    let states = tf.reshape(embedded, [rows, width]);
    for (let n = 0; n < layers; n++) {
      const at = `layers.${n}.`;
      const [q, k, v] = tf.split(linear(norm(states, `${at}norm1`), `${at}self_attn.in_proj_`), 3, 1).map(byHeads);
      states = tf.add(states, linear(joined(attend(q, k, v, mask)), `${at}self_attn.out_proj.`));
      states = tf.add(states, linear(gelu(linear(norm(states, `${at}norm2`), `${at}linear1.`)), `${at}linear2.`));
    }
    const logits = tf.matMul(norm(states, 'norm'), table, false, true);
    return tf.mul(tf.sum(tf.mul(tf.logSoftmax(logits), y)), -1 / rows);
  }

  const optimizer = tf.train.adam(adam.learningRate, ...adam.betas, adam.eps);
  const losses = [];
  return {
    run() {
      const value = optimizer.minimize(loss, true);
      losses.push(value.dataSync()[0]);
      value.dispose();
    },
    output: () => losses,
  };
}
