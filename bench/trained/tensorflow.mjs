// A graph model by TensorFlow.js, its CPU backend: the yardstick for the same files by fovea.

import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { loadGraphModel } from '@tensorflow/tfjs-converter';

/**
 * @param {import('./graph_model.mjs').GraphModel} model - of a sentence encoder
 * @returns {Promise<(ids: number[]) => Promise<Float32Array>>} one sentence's embedding
 */
export async function openSentenceEncoder({ topology, weightSpecs, weightData }) {
  await tf.setBackend('cpu');
  const model = await loadGraphModel({ load: async () => ({ modelTopology: topology, weightSpecs, weightData }) });
  return async (ids) => {
    const places = ids.map((_, position) => [0, position]); // sentence, position
    const inputs = { indices: tf.tensor2d(places, [ids.length, 2], 'int32'), values: tf.tensor1d(ids, 'int32') };
    const output = await model.executeAsync(inputs);
    const values = await output.data();
    tf.dispose([...Object.values(inputs), output]);
    return values;
  };
}
