// A transformer encoder as ONNX graphs, three ways, post-norm with GELU (erf), in float32 or with weights of 8 bits. Weights are
// constants, turned to [in, out] before, so that onnxruntime packs them when the session is made. Each is { model, feeds, read }, as in
// graphs.mjs. With `int8` they are what onnxruntime's quantize_dynamic makes of them (per_channel, QInt8): inputs of products are
// rounded to uint8 between their least and largest number, weights to int8 with a scale for each output.

import { normEps } from '../encoder.mjs';
import { swapAxes } from '../arrays.mjs';
import { encoderDimensions } from '../shapes.mjs';
import { int8Constants, quantizedInput, quantizedNames, quantizedProduct } from './int8.mjs';
import { encodeModel, node } from './onnx.mjs';

const microsoft = 'com.microsoft';

/** com.microsoft's Attention, which projects too, SkipLayerNormalization and BiasGelu: what onnxruntime's own optimizer makes of BERT. */
export function encoderOfAttention(shape, arrays, { int8 = false } = {}) {
  const attributes = { num_heads: shape.heads };
  return fused(shape, arrays, int8, (name, x) => {
    const [weight, bias] = ['weight', 'bias'].map((kind) => `${name}self_attn.in_proj_${kind}`);
    if (!int8) return [node('Attention', [x, weight, bias], [`${name}heads`], attributes, microsoft)];
    const { quantized, scale, zero } = quantizedInput(x);
    const { values, scales, zeros } = quantizedNames(weight);
    return [
      node('DynamicQuantizeLinear', [x], [quantized, scale, zero]),
      node('QAttention', [quantized, values, bias, scale, scales, '', zero, zeros], [`${name}heads`], attributes, microsoft),
    ];
  });
}

/** The encoder with three products, and com.microsoft's MultiHeadAttention, which adds the bias. */
export function encoderOfMultiHeadAttention(shape, arrays, { int8 = false } = {}) {
  const extra = {};
  for (let n = 0; n < shape.encoder.layers; ++n) Object.assign(extra, splitWeights(shape, arrays, n));
  return fused(
    shape,
    arrays,
    int8,
    (name, x) => [
      ...letters.flatMap((letter) => product(int8, x, `${name}${letter}.weight`, `${name}${letter}_rows`)),
      node(
        'MultiHeadAttention',
        [...letters.map((letter) => `${name}${letter}_rows`), `${name}self_attn.in_proj_bias`],
        [`${name}heads`],
        { num_heads: shape.heads },
        microsoft,
      ),
    ],
    extra,
  );
}

function fused(shape, arrays, int8, attention, extra = {}) {
  const layers = Array.from({ length: shape.encoder.layers }, (_, n) => {
    const name = `layers.${n}.`;
    const weight = (of) => `${name}${of}.weight`;
    const bias = (of) => `${name}${of}.bias`;
    const sumAndNorm = (input, skip, norm, biasOf, output) =>
      node(
        'SkipLayerNormalization',
        [input, skip, weight(norm), bias(norm), bias(biasOf)],
        [output],
        { epsilon: { float: normEps } },
        microsoft,
      );
    return [
      ...attention(name, inputOf(n)),
      ...product(int8, `${name}heads`, weight('self_attn.out_proj'), `${name}projected`),
      sumAndNorm(`${name}projected`, inputOf(n), 'norm1', 'self_attn.out_proj', `${name}h`),
      ...product(int8, `${name}h`, weight('linear1'), `${name}between`),
      node('BiasGelu', [`${name}between`, bias('linear1')], [`${name}activated`], {}, microsoft),
      ...product(int8, `${name}activated`, weight('linear2'), `${name}fed`),
      sumAndNorm(`${name}fed`, `${name}h`, 'norm2', 'linear2', outputOf(shape, n)),
    ];
  });
  return graphOf({ shape, arrays, int8, nodes: layers.flat(), opsets: { '': 21, [microsoft]: 1 }, extra });
}

/** x·W in one node. */
function product(int8, input, weight, output) {
  if (!int8) return [node('MatMul', [input, weight], [output])];
  const { values, scales, zeros } = quantizedNames(weight);
  return [node('DynamicQuantizeMatMul', [input, values, scales, zeros], [output], {}, microsoft)];
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

const letters = ['q', 'k', 'v'];
const inputOf = (n) => (n === 0 ? 'X' : `layers.${n - 1}.output`);
const outputOf = ({ encoder }, n) => (n === encoder.layers - 1 ? 'Y' : `layers.${n}.output`);

/** Queries', keys' and values' parts of the joint projection of layer n, as constants [in, out]. */
function splitWeights({ heads, width }, arrays, n) {
  const E = heads * width;
  const joint = arrays[`layers.${n}.self_attn.in_proj_weight`];
  const parts = letters.map((letter, part) => {
    const rows = joint.subarray(part * E * E, (part + 1) * E * E);
    return [`layers.${n}.${letter}.weight`, { dims: [E, E], data: turned(rows, [E, E]) }];
  });
  return Object.fromEntries(parts);
}

function splitBiases({ heads, width }, arrays, n) {
  const E = heads * width;
  const joint = arrays[`layers.${n}.self_attn.in_proj_bias`];
  const parts = letters.map((letter, part) => {
    return [`layers.${n}.${letter}.bias`, { dims: [E], data: joint.subarray(part * E, (part + 1) * E) }];
  });
  return Object.fromEntries(parts);
}

/** The constants are the weights, matrices turned to [in, out], and `extra`, which may have parts of a joint weight in its place. */
function graphOf({ shape, arrays: { x, ...weights }, int8, nodes, opsets, extra }) {
  const dims = [1, shape.queries, shape.heads * shape.width];
  const constants = { ...extra };
  for (const [name, given] of Object.entries(encoderDimensions(shape))) {
    const isMatrix = given.length === 2;
    const part = name.replace('self_attn.in_proj_', 'q.');
    if (part !== name && part in extra) continue;
    constants[name] = isMatrix
      ? { dims: [...given].reverse(), data: turned(weights[name], given) }
      : { dims: given, data: weights[name] };
  }
  const model = encodeModel({
    opsets,
    nodes,
    inputs: { X: dims },
    outputs: { Y: dims },
    constants: int8 ? int8Constants(constants) : constants,
  });
  return { model, feeds: { X: [x, dims] }, read: (output) => output };
}

/** [A, B] → [B, A] */
function turned(values, [a, b]) {
  return swapAxes(values, [a, b, 1]);
}
