// Who is measured. A contestant is a way of using a package; each runs in a page or a process of its own.

/**
 * @typedef {object} Contestant
 * @property {string} id
 * @property {string} title
 * @property {string} short - for the heads of tables
 * @property {string} module - the file in this folder that runs it
 * @property {object} [options]
 * @property {string} [package] - npm name
 * @property {'fovea' | 'peer' | 'floor'} role - peers count for ratios, the floor does not
 * @property {(shape: import('../shapes.mjs').Shape) => boolean} [takes] - shapes that it is measured with, else all
 * @property {(shape: import('../shapes.mjs').Shape) => boolean} [takesSparse] - shapes of sparse attention that it is measured
 *   with, else none
 * @property {(shape: import('../shapes.mjs').Shape) => boolean} [takesLinear] - the same of linear attention
 * @property {(shape: import('../shapes.mjs').Shape) => boolean} [takesEncoder] - the same of encoders
 * @property {boolean} [int8] - with weights of 8 bits: judged by cosine, and beside others of 8 bits
 * @property {boolean} [thorough] - left out of `--quick`, and of what stands beside Chromium
 * @property {(shape: import('../shapes.mjs').Shape) => number} [slowness] - shapes are left out whose work times this is so much
 *   that they would take most of the run
 * @property {boolean} [spins] - its threads keep the processor busy for some 20 ms after a call
 */

import { flopsOf } from '../shapes.mjs';

const fovea = { module: 'fovea', package: 'fovea', role: 'fovea' };
const takesAll = { takesSparse: () => true, takesLinear: () => true, takesEncoder: () => true };
const onnxruntime = { module: 'onnxruntime', package: 'onnxruntime-web', role: 'peer', spins: true };

/** Whether ONNX's linear attention covers the call: an update rule without features, in one call. */
function isRuleCall({ linear: { featureMap, piece } }) {
  return featureMap === 'identity' && piece === null;
}

/** @type {Contestant[]} */
export const contestants = [
  { ...fovea, id: 'fovea', title: 'fovea', short: 'fovea', options: { resident: true }, ...takesAll },
  {
    ...fovea,
    id: 'fovea-arrays',
    title: 'fovea, plain arrays',
    short: 'plain arrays',
    options: { resident: false },
    takesEncoder: () => true,
  },
  {
    ...fovea,
    id: 'fovea-simd128',
    title: 'fovea, simd128',
    short: 'simd128',
    options: { resident: true, deterministic: true },
  },
  {
    ...fovea,
    id: 'fovea-int8',
    title: 'fovea, int8',
    short: 'int8',
    options: { resident: true, int8: true },
    int8: true,
    takes: () => false,
    takesEncoder: () => true,
  },
  {
    ...onnxruntime,
    id: 'ort-attention',
    title: 'onnxruntime-web, Attention',
    short: 'ORT Attention',
    options: { graph: 'attention' },
  },
  {
    ...onnxruntime,
    id: 'ort-mha',
    title: 'onnxruntime-web, MultiHeadAttention',
    short: 'ORT MHA',
    options: { graph: 'multiHeadAttention' },
    thorough: true, // never the best of the three
  },
  {
    ...onnxruntime,
    id: 'ort-matmul',
    title: 'onnxruntime-web, MatMul·Softmax·MatMul',
    short: 'ORT MatMul',
    options: { graph: 'matmul' },
    takesSparse: ({ masked }) => masked, // its time does not depend on the mask; the other two fail from N = 4096
  },
  {
    ...onnxruntime,
    id: 'ort-constant',
    title: 'onnxruntime-web, MatMul graph with constant k and v',
    short: 'ORT constant k, v',
    options: { graph: 'matmul', constant: true },
    takes: ({ decode }) => decode,
  },
  {
    ...onnxruntime,
    id: 'ort-linear',
    title: 'onnxruntime-web, com.microsoft LinearAttention',
    short: 'ORT LinearAttention',
    options: { graph: 'linearAttention', domain: 'com.microsoft' },
    takes: () => false,
    takesLinear: isRuleCall,
  },
  {
    ...onnxruntime,
    id: 'ort-linear27',
    title: 'onnxruntime-web, LinearAttention of opset 27',
    short: 'ORT LinearAttention 27',
    options: { graph: 'linearAttention', domain: '' },
    takes: () => false,
    takesLinear: (shape) => isRuleCall(shape) && shape.linear.rule === 'linear', // version 1.30 refuses that opset
  },
  ...[false, true].flatMap((int8) =>
    ['Attention', 'MultiHeadAttention', 'ONNX'].map((kind) => ({
      ...onnxruntime,
      id: `ort-encoder-${kind.toLowerCase()}${int8 ? '-int8' : ''}`,
      title: `onnxruntime-web, ${int8 ? 'int8 ' : ''}encoder with ${kind === 'ONNX' ? "ONNX's own operators" : kind}`,
      short: `ORT encoder, ${kind}${int8 ? ', int8' : ''}`,
      options: { graph: `encoderOf${kind}`, int8 },
      int8,
      takes: () => false,
      takesEncoder: () => true,
    })),
  ),
  {
    id: 'tfjs',
    title: 'TensorFlow.js',
    short: 'TF.js',
    module: 'tensorflow',
    package: '@tensorflow/tfjs-backend-wasm',
    role: 'peer',
  },
  {
    id: 'jax-js',
    title: 'jax-js',
    short: 'jax-js',
    module: 'jax',
    package: '@jax-js/jax',
    role: 'peer',
    slowness: ({ heads, kvHeads }) => (kvHeads < heads ? 10 : 1), // 0.6 GFLOP/s where heads share keys
  },
  {
    id: 'plain',
    title: 'plain JavaScript',
    short: 'plain JS',
    module: 'plain',
    role: 'floor',
    thorough: true,
    takes: (shape) => flopsOf(shape) < 1e9,
  },
];

/** Not a contestant: what the machine can do, measured between them. */
export const limits = { id: 'limits', title: 'limits', module: 'limits' };

/**
 * Whether a contestant is measured with a shape.
 *
 * @param {{ thorough: boolean, masks: boolean, work: number }} extent - whether all contestants take part; whether peers do in
 *   sparse attention; the floating-point operations up to which slow ones do
 */
export function isMeasured(contestant, shape, extent) {
  const { package: name, role, takes, takesSparse, takesLinear, takesEncoder, thorough, slowness } = contestant;
  if (shape.only !== null && shape.only !== name) return false;
  if (shape.encoder !== null) return takesEncoder?.(shape) ?? false;
  if (shape.linear !== null) return takesLinear?.(shape) ?? false;
  if (shape.group !== null) return (takesSparse?.(shape) ?? false) && (role === 'fovea' || extent.masks);
  if (takes && !takes(shape)) return false;
  if (thorough && !extent.thorough) return false;
  const dense = flopsOf({ ...shape, causal: false, window: null }); // no peer leaves masked work out
  return !slowness || dense * slowness(shape) <= extent.work;
}
