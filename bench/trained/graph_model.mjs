// Models in TensorFlow.js's graph format: model.json, which has the nodes and the list of weights, and shards of their bytes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} GraphModel
 * @property {object} topology - modelTopology of model.json, as it is
 * @property {object[]} weightSpecs - { name, shape, dtype } in the order of the bytes
 * @property {ArrayBuffer} weightData
 * @property {Map<string, { op: string, inputs: string[], attributes: object }>} nodes - by name
 * @property {Map<string, { data: Float32Array | Int32Array, shape: number[] }>} weights - by name; views of weightData
 */

const arrays = { float32: Float32Array, int32: Int32Array };

/** @returns {GraphModel} of the files of a folder */
export function readGraphModel(folder) {
  const { modelTopology: topology, weightsManifest } = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8'));
  const shards = weightsManifest.flatMap(({ paths }) => paths.map((path) => readFileSync(join(folder, path))));
  const weightSpecs = weightsManifest.flatMap((group) => group.weights);
  const bytes = Buffer.concat(shards);
  const weightData = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return { topology, weightSpecs, weightData, nodes: nodesOf(topology), weights: weightsOf(weightSpecs, weightData) };
}

function nodesOf({ node }) {
  return new Map(node.map(({ name, op, input = [], attr = {} }) => [name, { op, inputs: input, attributes: attr }]));
}

function weightsOf(specs, buffer) {
  const weights = new Map();
  let at = 0;
  for (const { name, shape, dtype, quantization } of specs) {
    const Kind = quantization ? undefined : arrays[dtype];
    if (Kind === undefined) throw new Error(`${name}: weights of ${quantization ? 'quantized ' : ''}${dtype} are not read`);
    const length = shape.reduce((a, b) => a * b, 1);
    weights.set(name, { data: new Kind(buffer, at, length), shape });
    at += length * Kind.BYTES_PER_ELEMENT;
  }
  if (at !== buffer.byteLength) throw new Error(`the shards have ${buffer.byteLength} bytes, the list of weights ${at}`);
  return weights;
}
