// The layers of a transformer encoder by com.microsoft's fused operators, and their constants.

import { normEps } from '../encoder.mjs';
import { swapAxes } from '../arrays.mjs';
import { encoderDimensions } from '../shapes.mjs';
import { quantizedInput, quantizedNames } from './int8.mjs';
import { microsoft, node } from './onnx.mjs';

export const letters = ['q', 'k', 'v'];
export const inputOf = (n) => (n === 0 ? 'X' : `layers.${n - 1}.output`);
export const outputOf = ({ encoder }, n) => (n === encoder.layers - 1 ? 'Y' : `layers.${n}.output`);

/**
 * All layers, from X to Y, by com.microsoft's operators.
 *
 * @param {object} task
 * @param {'Attention' | 'MultiHeadAttention'} task.operator
 * @param {string} [task.mask] - the name of int32 [B, T] that is 1 where a token counts; '': all do
 * @returns {{ nodes: Array, extra: Record<string, object> }} the constants of `extra` stand in the place of joint weights
 */
export function fusedLayers({ shape, weights, int8, operator, mask = '' }) {
  const attend = { Attention: jointAttention, MultiHeadAttention: splitAttention }[operator];
  const extra = {};
  const nodes = Array.from({ length: shape.encoder.layers }, (_, n) => {
    if (operator === 'MultiHeadAttention') Object.assign(extra, splitWeights(shape, weights, n));
    return fusedLayer(shape, n, int8, attend(shape, `layers.${n}.`, inputOf(n), int8, mask));
  });
  return { nodes: nodes.flat(), extra };
}

function jointAttention({ heads }, name, x, int8, mask) {
  const [weight, bias] = ['weight', 'bias'].map((kind) => `${name}self_attn.in_proj_${kind}`);
  const output = [[`${name}heads`], { num_heads: heads }, microsoft];
  if (!int8) return [node('Attention', [x, weight, bias, mask], ...output)];
  const { quantized, scale, zero } = quantizedInput(x);
  const { values, scales, zeros } = quantizedNames(weight);
  return [
    node('DynamicQuantizeLinear', [x], [quantized, scale, zero]),
    node('QAttention', [quantized, values, bias, scale, scales, mask, zero, zeros], ...output),
  ];
}

function splitAttention({ heads }, name, x, int8, mask) {
  const rows = letters.map((letter) => `${name}${letter}_rows`);
  return [
    ...letters.flatMap((letter, n) => product(int8, x, `${name}${letter}.weight`, rows[n])),
    node(
      'MultiHeadAttention',
      [...rows, `${name}self_attn.in_proj_bias`, mask],
      [`${name}heads`],
      { num_heads: heads },
      microsoft,
    ),
  ];
}

/** Layer n behind its attention. */
function fusedLayer(shape, n, int8, attention) {
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
    ...attention,
    ...product(int8, `${name}heads`, weight('self_attn.out_proj'), `${name}projected`),
    sumAndNorm(`${name}projected`, inputOf(n), 'norm1', 'self_attn.out_proj', `${name}h`),
    ...product(int8, `${name}h`, weight('linear1'), `${name}between`),
    node('BiasGelu', [`${name}between`, bias('linear1')], [`${name}activated`], {}, microsoft),
    ...product(int8, `${name}activated`, weight('linear2'), `${name}fed`),
    sumAndNorm(`${name}fed`, `${name}h`, 'norm2', 'linear2', outputOf(shape, n)),
  ];
}

/** x·W in one node. */
function product(int8, input, weight, output) {
  if (!int8) return [node('MatMul', [input, weight], [output])];
  const { values, scales, zeros } = quantizedNames(weight);
  return [node('DynamicQuantizeMatMul', [input, values, scales, zeros], [output], {}, microsoft)];
}

/** Queries', keys' and values' parts of the joint projection of layer n, as constants [in, out]. */
export function splitWeights({ heads, width }, arrays, n) {
  const E = heads * width;
  const joint = arrays[`layers.${n}.self_attn.in_proj_weight`];
  const parts = letters.map((letter, part) => {
    const rows = joint.subarray(part * E * E, (part + 1) * E * E);
    return [`layers.${n}.${letter}.weight`, { dims: [E, E], data: turned(rows, [E, E]) }];
  });
  return Object.fromEntries(parts);
}

/** The layers' weights, matrices turned to [in, out], and `extra`, which may have parts of a joint weight in its place. */
export function encoderConstants(shape, weights, extra) {
  const constants = { ...extra };
  for (const [name, given] of Object.entries(encoderDimensions(shape))) {
    const isMatrix = given.length === 2;
    const part = name.replace('self_attn.in_proj_', 'q.');
    if (part !== name && part in extra) continue;
    constants[name] = isMatrix
      ? { dims: [...given].reverse(), data: turned(weights[name], given) }
      : { dims: given, data: weights[name] };
  }
  return constants;
}

/** [A, B] → [B, A] */
function turned(values, [a, b]) {
  return swapAxes(values, [a, b, 1]);
}
