// A decoder of GPT-2's kind as an ONNX graph that takes one token: keys and values of the tokens before come in and go out, as
// com.microsoft's Attention has them, [2, 1, H, T, D] for each layer. Its nodes are what onnxruntime's own optimizer makes of GPT-2.
// The sum of the token's and the position's embedding is an input: 4 bytes a number in place of a second copy of the embedding.

import { swapAxes } from '../arrays.mjs';
import { int8Constants, quantizedInput, quantizedNames } from './int8.mjs';
import { encodeModel, microsoft, node } from './onnx.mjs';

const normEps = { epsilon: { float: 1e-5 } };

/** Dimensions of a layer's keys and values of so many tokens. */
export const pastDims = ({ heads, width }, tokens) => [2, 1, heads, tokens, width / heads];

/**
 * @param {object} sizes - of a decoder of decoders.mjs
 * @param {Map<string, { data: Float32Array, shape: number[] }>} weights - by PyTorch's names, matrices [out, in]
 * @param {boolean} int8 - whether matrices have 8 bits
 * @returns {Uint8Array} the model: inputs X [1, 1, E] and past.0, …; outputs Y [1, 1, V] and present.0, …
 */
export function decoderGraph(sizes, weights, int8) {
  const { layers, heads, width, vocabulary } = sizes;
  const constants = {};
  const constant = (name, from = name) => {
    const { data, shape } = weights.get(from);
    const isMatrix = shape.length === 2;
    constants[name] = isMatrix ? { dims: [...shape].reverse(), data: swapAxes(data, [...shape, 1]) } : { dims: shape, data };
    return name;
  };
  const product = (input, weight, output) => {
    constant(weight);
    if (!int8) return [node('MatMul', [input, weight], [output])];
    const { values, scales, zeros } = quantizedNames(weight);
    return [node('DynamicQuantizeMatMul', [input, values, scales, zeros], [output], {}, microsoft)];
  };
  const attend = (name, input, past, present) => {
    const [weight, bias] = ['weight', 'bias'].map((kind) => constant(`${name}self_attn.in_proj_${kind}`));
    const attributes = { num_heads: heads, unidirectional: 1 };
    if (!int8) return [node('Attention', [input, weight, bias, '', past], [`${name}heads`, present], attributes, microsoft)];
    const { quantized, scale, zero } = quantizedInput(input);
    const { values, scales, zeros } = quantizedNames(weight);
    return [
      node('DynamicQuantizeLinear', [input], [quantized, scale, zero]),
      node(
        'QAttention',
        [quantized, values, bias, scale, scales, '', zero, zeros, past],
        [`${name}heads`, present],
        attributes,
        microsoft,
      ),
    ];
  };
  const norm = (prefix) => ['weight', 'bias'].map((kind) => constant(`${prefix}.${kind}`));
  /** x + product + bias, and its norm. */
  const sumAndNorm = (given, x, prefix, bias, normed, sum) =>
    node('SkipLayerNormalization', [given, x, ...norm(prefix), constant(bias)], [normed, '', '', sum], normEps, microsoft);

  const nodes = [node('LayerNormalization', ['X', ...norm('layers.0.norm1')], ['layers.0.normed'], normEps)];
  let x = 'X';
  for (let n = 0; n < layers; ++n) {
    const name = `layers.${n}.`;
    const next = n + 1 < layers ? [`layers.${n + 1}.norm1`, `layers.${n + 1}.normed`] : ['norm', 'normed'];
    nodes.push(
      ...attend(name, `${name}normed`, `past.${n}`, `present.${n}`),
      ...product(`${name}heads`, `${name}self_attn.out_proj.weight`, `${name}projected`),
      sumAndNorm(`${name}projected`, x, `${name}norm2`, `${name}self_attn.out_proj.bias`, `${name}between`, `${name}h`),
      ...product(`${name}between`, `${name}linear1.weight`, `${name}up`),
      node('FastGelu', [`${name}up`, constant(`${name}linear1.bias`)], [`${name}activated`], {}, microsoft),
      ...product(`${name}activated`, `${name}linear2.weight`, `${name}down`),
      sumAndNorm(`${name}down`, `${name}h`, next[0], `${name}linear2.bias`, next[1], `${name}y`),
    );
    x = `${name}y`;
  }
  nodes.push(...product('normed', 'embedding.weight', 'Y'));

  const each = (name, tokens) => Array.from({ length: layers }, (_, n) => [`${name}.${n}`, pastDims(sizes, tokens)]);
  return encodeModel({
    opsets: { '': 21, [microsoft]: 1 },
    nodes,
    inputs: { X: [1, 1, width], ...Object.fromEntries(each('past', 'before')) },
    outputs: { Y: [1, 1, vocabulary], ...Object.fromEntries(each('present', 'after')) },
    constants: int8 ? int8Constants(constants) : constants,
  });
}
