// Attention in plain JavaScript loops, as one writes it by hand: the floor.

import { allowedKeys } from '../shapes.mjs';

export async function load() {
  return { info: { threads: 1, variant: 'JavaScript' }, prepare };
}

function prepare(shape, { q, k, v }) {
  const { heads, kvHeads, queries, keys, width } = shape;
  const weights = new Float32Array(keys);
  const scale = 1 / Math.sqrt(width);
  let result;
  return { run, output: () => result };

  function run() {
    result = new Float32Array(q.length);
    for (let h = 0; h < heads; ++h) {
      const start = Math.floor((h * kvHeads) / heads) * keys;
      for (let i = 0; i < queries; ++i) row((h * queries + i) * width, start, ...allowedKeys(shape, i));
    }
  }

  function row(query, start, from, to) {
    let maximum = -Infinity;
    for (let j = from; j < to; ++j) {
      let dot = 0;
      for (let d = 0; d < width; ++d) dot += q[query + d] * k[(start + j) * width + d];
      weights[j] = dot * scale;
      if (weights[j] > maximum) maximum = weights[j];
    }
    let sum = 0;
    for (let j = from; j < to; ++j) {
      weights[j] = Math.exp(weights[j] - maximum);
      sum += weights[j];
    }
    for (let j = from; j < to; ++j) {
      const weight = weights[j] / sum;
      for (let d = 0; d < width; ++d) result[query + d] += weight * v[(start + j) * width + d];
    }
  }
}
