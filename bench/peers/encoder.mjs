// A transformer encoder as ONNX graphs, three ways, post-norm with GELU (erf). Weights are constants, turned to [in, out] before, so
// that onnxruntime packs them when the session is made. Each is { model, feeds, read }, as in graphs.mjs.

import { normEps } from '../encoder.mjs';
import { swapAxes } from '../arrays.mjs';
import { encoderDimensions } from '../shapes.mjs';
import { encodeModel, node } from './onnx.mjs';

const microsoft = 'com.microsoft';

/** com.microsoft's Attention, which projects too, SkipLayerNormalization and BiasGelu: what onnxruntime's own optimizer makes of BERT. */
export function encoderOfAttention(shape, arrays) {
  return fused(shape, arrays, (name, x) => [
    node('Attention', [x, `${name}self_attn.in_proj_weight`, `${name}self_attn.in_proj_bias`], [`${name}heads`], { num_heads: shape.heads }, microsoft), // prettier-ignore
  ]);
}

/** The same with three products, and com.microsoft's MultiHeadAttention, which adds the bias. */
export function encoderOfMultiHeadAttention(shape, arrays) {
  const names = ['q', 'k', 'v'];
  const extra = {};
  const E = shape.heads * shape.width;
  for (let n = 0; n < shape.encoder.layers; ++n) {
    const joint = arrays[`layers.${n}.self_attn.in_proj_weight`];
    names.forEach((letter, part) => {
      extra[`layers.${n}.${letter}.weight`] = {
        dims: [E, E],
        data: turned(joint.subarray(part * E * E, (part + 1) * E * E), [E, E]),
      };
    });
  }
  return fused(
    shape,
    arrays,
    (name, x) => [
      ...names.map((letter) => node('MatMul', [x, `${name}${letter}.weight`], [`${name}${letter}_rows`])),
      node('MultiHeadAttention', [...names.map((letter) => `${name}${letter}_rows`), `${name}self_attn.in_proj_bias`], [`${name}heads`], { num_heads: shape.heads }, microsoft), // prettier-ignore
    ],
    extra,
  );
}

function fused(shape, arrays, attention, extra = {}) {
  const layers = Array.from({ length: shape.encoder.layers }, (_, n) => {
    const name = `layers.${n}.`;
    const weight = (of) => `${name}${of}.weight`;
    const bias = (of) => `${name}${of}.bias`;
    const sumAndNorm = (input, skip, norm, biasOf, output) =>
      node('SkipLayerNormalization', [input, skip, weight(norm), bias(norm), bias(biasOf)], [output], { epsilon: { float: normEps } }, microsoft); // prettier-ignore
    return [
      ...attention(name, inputOf(n)),
      node('MatMul', [`${name}heads`, weight('self_attn.out_proj')], [`${name}projected`]),
      sumAndNorm(`${name}projected`, inputOf(n), 'norm1', 'self_attn.out_proj', `${name}h`),
      node('MatMul', [`${name}h`, weight('linear1')], [`${name}between`]),
      node('BiasGelu', [`${name}between`, bias('linear1')], [`${name}activated`], {}, microsoft),
      node('MatMul', [`${name}activated`, weight('linear2')], [`${name}fed`]),
      sumAndNorm(`${name}fed`, `${name}h`, 'norm2', 'linear2', outputOf(shape, n)),
    ];
  });
  return graphOf(shape, arrays, layers.flat(), { '': 21, [microsoft]: 1 }, extra);
}

/** Operators of ONNX alone, opset 23, left to onnxruntime's optimizer. */
export function encoderOfONNX(shape, arrays) {
  const { heads } = shape;
  const names = ['q', 'k', 'v'];
  const extra = {};
  const E = heads * shape.width;
  const layers = Array.from({ length: shape.encoder.layers }, (_, n) => {
    const name = `layers.${n}.`;
    const joint = arrays[`${name}self_attn.in_proj_weight`];
    names.forEach((letter, part) => {
      const rows = joint.subarray(part * E * E, (part + 1) * E * E);
      extra[`${name}${letter}.weight`] = { dims: [E, E], data: turned(rows, [E, E]) };
      const bias = arrays[`${name}self_attn.in_proj_bias`].subarray(part * E, (part + 1) * E);
      extra[`${name}${letter}.bias`] = { dims: [E], data: bias };
    });
    const linear = (input, of, output) => [
      node('MatMul', [input, `${name}${of}.weight`], [`${output}_product`]),
      node('Add', [`${output}_product`, `${name}${of}.bias`], [output]),
    ];
    const sumAndNorm = (a, b, norm, output) => [
      node('Add', [a, b], [`${output}_sum`]),
      node('LayerNormalization', [`${output}_sum`, `${name}${norm}.weight`, `${name}${norm}.bias`], [output], { epsilon: { float: normEps } }), // prettier-ignore
    ];
    return [
      ...names.flatMap((letter) => linear(inputOf(n), letter, `${name}${letter}_rows`)),
      node('Attention', names.map((letter) => `${name}${letter}_rows`), [`${name}heads`], { q_num_heads: heads, kv_num_heads: heads }), // prettier-ignore
      ...linear(`${name}heads`, 'self_attn.out_proj', `${name}projected`),
      ...sumAndNorm(`${name}projected`, inputOf(n), 'norm1', `${name}h`),
      ...linear(`${name}h`, 'linear1', `${name}between`),
      node('Gelu', [`${name}between`], [`${name}activated`]),
      ...linear(`${name}activated`, 'linear2', `${name}fed`),
      ...sumAndNorm(`${name}fed`, `${name}h`, 'norm2', outputOf(shape, n)),
    ];
  });
  return graphOf(shape, arrays, layers.flat(), { '': 23 }, extra);
}

const inputOf = (n) => (n === 0 ? 'X' : `layers.${n - 1}.output`);
const outputOf = ({ encoder }, n) => (n === encoder.layers - 1 ? 'Y' : `layers.${n}.output`);

/** The constants are the weights, matrices turned to [in, out], and `extra`, which may have parts of a joint weight in its place. */
function graphOf(shape, { x, ...weights }, nodes, opsets, extra) {
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
  const model = encodeModel({ opsets, nodes, inputs: { X: dims }, outputs: { Y: dims }, constants });
  return { model, feeds: { X: [x, dims] }, read: (output) => output };
}

/** [A, B] → [B, A] */
function turned(values, [a, b]) {
  return swapAxes(values, [a, b, 1]);
}
