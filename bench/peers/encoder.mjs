// A transformer encoder as ONNX graphs, three ways, post-norm with GELU (erf), in float32 or with weights of 8 bits; the fused
// ways behind embeddings, too (bert.mjs). Weights are constants, turned to [in, out] before, so that onnxruntime packs them when the session
// is made. Each is { model, feeds, read }, as in graphs.mjs. With `int8` they are what onnxruntime's quantize_dynamic makes of them
// (per_channel, QInt8): inputs of products are rounded to uint8 between their least and largest number, weights to int8 with a scale
// for each output.

import { normEps } from '../encoder.mjs';
import { encoderConstants, fusedLayers, inputOf, letters, outputOf, splitWeights } from './encoder_layers.mjs';
import { int8Constants, quantizedInput, quantizedProduct } from './int8.mjs';
import { encodeModel, microsoft, node } from './onnx.mjs';

/** com.microsoft's Attention, which projects too, SkipLayerNormalization and BiasGelu: what onnxruntime's own optimizer makes of BERT. */
export const encoderOfAttention = (shape, arrays, { int8 = false } = {}) => fused(shape, arrays, int8, 'Attention');

/** The encoder with three products, and com.microsoft's MultiHeadAttention, which adds the bias. */
export const encoderOfMultiHeadAttention = (shape, arrays, { int8 = false } = {}) =>
  fused(shape, arrays, int8, 'MultiHeadAttention');

function fused(shape, arrays, int8, operator) {
  const { nodes, extra } = fusedLayers({ shape, weights: arrays, int8, operator });
  return graphOf({ shape, arrays, int8, nodes, opsets: { '': 21, [microsoft]: 1 }, extra });
}

/** Operators of ONNX alone, opset 23, left to onnxruntime's optimizer. */
export function encoderOfONNX(shape, arrays, { int8 = false } = {}) {
  const { heads } = shape;
  const extra = {};
  const layers = Array.from({ length: shape.encoder.layers }, (_, n) => {
    const name = `layers.${n}.`;
    Object.assign(extra, splitWeights(shape, arrays, n), splitBiases(shape, arrays, n));
    const input = inputOf(n);
    const linear = (from, of, to) => [
      ...(int8
        ? quantizedProduct(from, `${name}${of}.weight`, `${to}_product`)
        : [node('MatMul', [from, `${name}${of}.weight`], [`${to}_product`])]),
      node('Add', [`${to}_product`, `${name}${of}.bias`], [to]),
    ];
    const sumAndNorm = (a, b, norm, output) => [
      node('Add', [a, b], [`${output}_sum`]),
      node('LayerNormalization', [`${output}_sum`, `${name}${norm}.weight`, `${name}${norm}.bias`], [output], {
        epsilon: { float: normEps },
      }),
    ];
    const rounded = (from) => {
      const { quantized, scale, zero } = quantizedInput(from);
      return int8 ? [node('DynamicQuantizeLinear', [from], [quantized, scale, zero])] : [];
    };
    return [
      ...rounded(input),
      ...letters.flatMap((letter) => linear(input, letter, `${name}${letter}_rows`)),
      node(
        'Attention',
        letters.map((letter) => `${name}${letter}_rows`),
        [`${name}heads`],
        { q_num_heads: heads, kv_num_heads: heads },
      ),
      ...rounded(`${name}heads`),
      ...linear(`${name}heads`, 'self_attn.out_proj', `${name}projected`),
      ...sumAndNorm(`${name}projected`, input, 'norm1', `${name}h`),
      ...rounded(`${name}h`),
      ...linear(`${name}h`, 'linear1', `${name}between`),
      node('Gelu', [`${name}between`], [`${name}activated`]),
      ...rounded(`${name}activated`),
      ...linear(`${name}activated`, 'linear2', `${name}fed`),
      ...sumAndNorm(`${name}fed`, `${name}h`, 'norm2', outputOf(shape, n)),
    ];
  });
  return graphOf({ shape, arrays, int8, nodes: layers.flat(), opsets: { '': 23 }, extra });
}

function splitBiases({ heads, width }, arrays, n) {
  const E = heads * width;
  const joint = arrays[`layers.${n}.self_attn.in_proj_bias`];
  const parts = letters.map((letter, part) => {
    return [`layers.${n}.${letter}.bias`, { dims: [E], data: joint.subarray(part * E, (part + 1) * E) }];
  });
  return Object.fromEntries(parts);
}

function graphOf({ shape, arrays: { x, ...weights }, int8, nodes, opsets, extra }) {
  const dims = [1, shape.queries, shape.heads * shape.width];
  const constants = encoderConstants(shape, weights, extra);
  const model = encodeModel({
    opsets,
    nodes,
    inputs: { X: dims },
    outputs: { Y: dims },
    constants: int8 ? int8Constants(constants) : constants,
  });
  return { model, feeds: { X: [x, dims] }, read: (output) => output };
}
