// A decoder of Llama's kind from ids to logits, as Hugging Face's exports are once onnxruntime's optimizer has fused them:
// GroupQueryAttention, which turns queries and keys and keeps the cache, SkipSimplifiedLayerNormalization. Inputs input_ids,
// attention_mask [B, T] and past_key_values.N.key and .value [B, Hkv, before, D]; outputs logits and present.N.key and .value.

import { swapAxes } from '../arrays.mjs';
import { int8Constants, quantizedNames, quantizedRows, quantizeTable } from './int8.mjs';
import { encodeModel, int32, microsoft, node } from './onnx.mjs';

const eps = { epsilon: { float: 1e-5 } };

/**
 * @param {import('../models/models.mjs').DecoderModel} model
 * @param {Record<string, { shape: number[], data: Float32Array }>} weights - by Hugging Face's names, matrices [out, in]
 * @param {boolean} int8
 * @param {number} positions - how many positions the constant rotation angles cover
 * @returns {Uint8Array}
 */
export function llamaGraph(model, weights, int8, positions) {
  const { layers, embedding, heads, kvHeads, width, vocabulary } = model;
  const matrices = {};
  const vectors = {};
  const vector = (name) => {
    vectors[name] = { dims: weights[name].shape, data: weights[name].data };
    return name;
  };
  const product = (input, weight, output, from = weight) => {
    const { shape, data } = weights[from];
    matrices[weight] = { dims: [...shape].reverse(), data: swapAxes(data, [...shape, 1]) };
    if (!int8) return node('MatMul', [input, weight], [output]);
    const { values, scales, zeros } = quantizedNames(weight);
    return node('DynamicQuantizeMatMul', [input, values, scales, zeros], [output], {}, microsoft);
  };
  const sumAndNorm = (input, skip, weight, normed, sum) =>
    node('SkipSimplifiedLayerNormalization', [input, skip, vector(weight)], [normed, '', '', sum], eps, microsoft);
  const attention = { num_heads: heads, kv_num_heads: kvHeads, do_rotary: 1, rotary_interleaved: 0 };
  const table = 'model.embed_tokens.weight';

  const nodes = [
    ...(int8 ? quantizedRows('table', 'input_ids', 'x0') : [node('Gather', ['table', 'input_ids'], ['x0'])]),
    node('ReduceSum', ['attention_mask', 'axis1'], ['counts'], { keepdims: 0 }),
    node('Sub', ['counts', 'one'], ['last']),
    node('Cast', ['last'], ['seqlens'], { to: int32 }),
    node('Shape', ['attention_mask'], ['mask_shape']),
    node('Gather', ['mask_shape', 'one'], ['all']),
    node('Cast', ['all'], ['total'], { to: int32 }),
    node('SimplifiedLayerNormalization', ['x0', vector('model.layers.0.input_layernorm.weight')], ['layers.0.normed'], eps),
  ];
  let x = 'x0';
  for (let n = 0; n < layers; ++n) {
    const [name, of] = [`layers.${n}.`, `model.layers.${n}.`];
    const next =
      n + 1 < layers
        ? [`model.layers.${n + 1}.input_layernorm.weight`, `layers.${n + 1}.normed`]
        : ['model.norm.weight', 'normed'];
    nodes.push(
      ...['q', 'k', 'v'].map((letter) => product(`${name}normed`, `${of}self_attn.${letter}_proj.weight`, `${name}${letter}`)),
      node(
        'GroupQueryAttention',
        [
          ...['q', 'k', 'v'].map((letter) => `${name}${letter}`),
          ...['key', 'value'].map((kind) => `past_key_values.${n}.${kind}`),
          ...['seqlens', 'total', 'cos', 'sin'],
        ],
        [`${name}heads`, `present.${n}.key`, `present.${n}.value`],
        attention,
        microsoft,
      ),
      product(`${name}heads`, `${of}self_attn.o_proj.weight`, `${name}projected`),
      sumAndNorm(`${name}projected`, x, `${of}post_attention_layernorm.weight`, `${name}between`, `${name}h`),
      product(`${name}between`, `${of}mlp.gate_proj.weight`, `${name}gate`),
      product(`${name}between`, `${of}mlp.up_proj.weight`, `${name}up`),
      node('Sigmoid', [`${name}gate`], [`${name}sigmoid`]),
      node('Mul', [`${name}gate`, `${name}sigmoid`], [`${name}silu`]),
      node('Mul', [`${name}silu`, `${name}up`], [`${name}gated`]),
      product(`${name}gated`, `${of}mlp.down_proj.weight`, `${name}down`),
      sumAndNorm(`${name}down`, `${name}h`, ...next, `${name}y`),
    );
    x = `${name}y`;
  }
  nodes.push(product('normed', 'lm_head.weight', 'logits', table));

  const each = (name, tokens) =>
    Array.from({ length: layers }, (_, n) =>
      ['key', 'value'].map((kind) => [`${name}.${n}.${kind}`, ['batch', kvHeads, tokens, width]]),
    ).flat();
  const rows = { dims: weights[table].shape, data: weights[table].data };
  return encodeModel({
    opsets: { '': 21, [microsoft]: 1 },
    nodes,
    inputs: {
      input_ids: { int64: ['batch', 'tokens'] },
      attention_mask: { int64: ['batch', 'all tokens'] },
      ...Object.fromEntries(each('past_key_values', 'before')),
    },
    outputs: { logits: ['batch', 'tokens', vocabulary], ...Object.fromEntries(each('present', 'after')) },
    constants: {
      ...vectors,
      ...(int8 ? { ...int8Constants(matrices), ...quantizeTable('table', rows) } : { ...matrices, table: rows }),
      ...angles(model, positions),
      axis1: { dims: [1], data: BigInt64Array.of(1n) },
      one: { dims: [], data: BigInt64Array.of(1n) },
    },
  });
}

/** Cosines and sines of each position's angles, [positions, D/2]. */
function angles({ width, ropeTheta }, positions) {
  const half = width / 2;
  const angle = (at) => Math.floor(at / half) * ropeTheta ** (-(at % half) / half);
  const all = (f) => ({
    dims: [positions, half],
    data: Float32Array.from({ length: positions * half }, (_, at) => f(angle(at))),
  });
  return { cos: all(Math.cos), sin: all(Math.sin) };
}
