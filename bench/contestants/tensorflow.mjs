// TensorFlow.js on its wasm backend. Only a 2-D matMul reaches XNNPACK there, and only without a transposed operand (rank 4 runs
// at a tenth of the speed), so: one product per head, keys transposed first. All tensors live in its memory, the results too.

import * as tf from '@tensorflow/tfjs-core';
import * as backend from '@tensorflow/tfjs-backend-wasm';
import { additiveMask } from '../arrays.mjs';
import { pretendProcessors } from './processors.mjs';

export async function load({ threads, environment }) {
  if (environment.browser) {
    backend.setWasmPaths(environment.tensorflow);
    // One thread: the build that knows no threads. More: it takes half of the processors, whatever setThreadsCount says.
    if (threads === 1) tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    else pretendProcessors(2 * threads);
  }
  await tf.setBackend('wasm');
  await tf.ready();
  return { info: { threads: threads === 1 ? 1 : backend.getThreadsCount(), variant: tf.getBackend() }, prepare };
}

function prepare(shape, { q, k, v }) {
  const { heads, kvHeads, queries, keys, width } = shape;
  const query = matrices(q, heads, queries, width);
  const key = matrices(k, kvHeads, keys, width);
  const value = matrices(v, kvHeads, keys, width);
  const maskNumbers = additiveMask(shape);
  const mask = maskNumbers && tf.tensor2d(maskNumbers, [queries, keys]);
  const group = heads / kvHeads;
  const scale = tf.scalar(1 / Math.sqrt(width));
  let results = [];
  return { run, output };

  function run() {
    tf.dispose(results);
    results = [];
    for (let g = 0; g < kvHeads; ++g) {
      const columns = tf.transpose(key[g]);
      for (let h = g * group; h < (g + 1) * group; ++h) results.push(tf.tidy(() => head(query[h], columns, value[g])));
      columns.dispose();
    }
  }

  function head(rows, columns, values) {
    const logits = tf.matMul(tf.mul(rows, scale), columns);
    return tf.matMul(tf.softmax(mask ? tf.add(logits, mask) : logits), values);
  }

  function output() {
    const joined = new Float32Array(q.length);
    results.forEach((tensor, h) => joined.set(tensor.dataSync(), h * queries * width));
    return joined;
  }
}

function matrices(values, count, rows, columns) {
  const size = rows * columns;
  return Array.from({ length: count }, (_, i) => tf.tensor2d(values.slice(i * size, (i + 1) * size), [rows, columns]));
}
