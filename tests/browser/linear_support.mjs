// The room with linear attention: what it shows, and what the package computes in Node for the same options.

import assert from 'node:assert/strict';
import { linearAttention } from '../../dist/linear-attention.node.js';
import { withSparseRoom } from './sparse_support.mjs';
import { text } from './support.mjs';

/** Feature maps by their names in permalinks. */
export const MAPS = ['elu1', 'relu', 'squaredRelu', 'exp', 'softmax', 'favor.8.3', 'taylor'];
/** The package's options for a map of the permalink, at scale 1. */
export const OPTIONS = {
  elu1: { featureMap: 'elu1' },
  relu: { featureMap: 'relu' },
  squaredRelu: { featureMap: 'squaredRelu' },
  exp: { featureMap: 'exp', scale: 1 },
  softmax: { featureMap: 'softmax' },
  'favor.8.3': { featureMap: 'favor+', features: 8, seed: 3, scale: 1 },
  taylor: { featureMap: 'taylor', scale: 1 },
};

export const float32 = (rows) => rows.map((row) => row.map(Math.fround));
export const rowsOf = (data, cols) =>
  Array.from({ length: data.length / cols }, (_, i) => [...data.slice(i * cols, (i + 1) * cols)]);

/** `withRoom`, whose `receive` gets these helpers too, and those of the sparse room. */
export function withLinearRoom(receive) {
  let page, numbers, fovea, example;

  withSparseRoom((room) => {
    ({ page, numbers, fovea, example } = room);
    receive({ ...room, exact, computed, assertTable, error });
  });

  /** The queries, keys and values of the worked example, and its exact weights and output. */
  function exact({ causal = false, scale = 1 } = {}) {
    const { X, ...params } = example();
    const { trace } = fovea().selfAttention(X, params, { scale, causal, trace: true });
    const stage = (name) => trace.find((step) => step.name === name);
    return { q: stage('query'), k: stage('key'), v: stage('value'), weights: stage('weights'), output: stage('output') };
  }

  /** Node's result: the stages of the trace by name. */
  function computed(options) {
    const { q, k, v } = exact(options);
    const { trace } = linearAttention(fovea(), q, k, v, { ...options, trace: true });
    return Object.fromEntries(trace.map((step) => [step.name, step]));
  }

  const assertTable = async (id, stage, cols = stage.shape.at(-1)) =>
    assert.deepEqual(float32(await numbers(id)), rowsOf(stage.data, cols), id);
  const error = async (name) => Number(await text(page, `[data-error="${name}"]`));
}
