// Attention as ONNX graphs, three ways, and linear attention. Each is { model, feeds, read }: the bytes of the model, its inputs by name, and how its
// output becomes [H, Tq, D]. What is not q, k or v is a constant of the graph; layouts are changed before, not in the graph.

import { additiveMask, swapAxes } from '../arrays.mjs';
import { gateDimensions } from '../shapes.mjs';
import { encodeModel, node } from './onnx.mjs';

const same = (output) => output;

/** Bytes of the largest mask that is a constant: larger ones do not fit in wasm memory together with the copies made of it. */
const largestConstant = 2 ** 29;

/** ONNX's Attention, opset 23: [B, H, T, D]; keys and values may have fewer heads. It knows causal; a window is a mask. */
export function attention(shape, { q, k, v }) {
  const dims = fourAxes(shape);
  const mask = shape.causal ? {} : maskConstant(shape);
  const model = encodeModel({
    opsets: { '': 23 },
    nodes: [node('Attention', ['Q', 'K', 'V', ...Object.keys(mask)], ['Y'], shape.causal ? { is_causal: 1 } : {})],
    inputs: { Q: dims.q, K: dims.kv, V: dims.kv },
    outputs: { Y: dims.q },
    constants: mask,
  });
  return { model, feeds: { Q: [q, dims.q], K: [k, dims.kv], V: [v, dims.kv] }, read: same };
}

/** com.microsoft's MultiHeadAttention: [B, T, H·D]. It knows no shared heads: they are repeated, and not timed. */
export function multiHeadAttention(shape, { q, k, v }) {
  const { heads, kvHeads, queries, keys, width } = shape;
  const packed = { q: [1, queries, heads * width], kv: [1, keys, heads * width] };
  const spread = (values) => swapAxes(repeatHeads(values, kvHeads, heads), [heads, keys, width]);
  const mask = shape.causal ? {} : maskConstant(shape);
  const leftOut = 'mask' in mask ? ['', ''] : []; // bias, key padding mask
  const rules = { num_heads: heads, ...(shape.causal ? { unidirectional: 1 } : {}) };
  const model = encodeModel({
    opsets: { '': 21, 'com.microsoft': 1 },
    nodes: [node('MultiHeadAttention', ['Q', 'K', 'V', ...leftOut, ...Object.keys(mask)], ['Y'], rules, 'com.microsoft')],
    inputs: { Q: packed.q, K: packed.kv, V: packed.kv },
    outputs: { Y: packed.q },
    constants: mask,
  });
  const feeds = {
    Q: [swapAxes(q, [heads, queries, width]), packed.q],
    K: [spread(k), packed.kv],
    V: [spread(v), packed.kv],
  };
  return { model, feeds, read: (output) => swapAxes(output, [queries, heads, width]) };
}

/**
 * MatMul, Softmax, MatMul. Query heads that share keys become rows of one matrix (not together with a mask). With `constant`,
 * keys and values are part of the graph, as weights are: the only way not to copy them at every call. A very large mask is an input.
 */
export function matmul(shape, { q, k, v }, { constant = false } = {}) {
  const { heads, kvHeads, queries, keys, width } = shape;
  const rows = (heads / kvHeads) * queries;
  const dims = { q: [1, kvHeads, rows, width], kv: [1, kvHeads, keys, width] };
  const mask = maskConstant(shape);
  const masked = 'mask' in mask;
  const given = masked && mask.mask.data.byteLength > largestConstant;
  const model = encodeModel({
    opsets: { '': 21 },
    nodes: [
      node('Mul', ['Q', 'scale'], ['scaled']),
      node('Transpose', ['K'], ['columns'], { perm: [0, 1, 3, 2] }),
      node('MatMul', ['scaled', 'columns'], ['scores']),
      ...(masked ? [node('Add', ['scores', 'mask'], ['logits'])] : []),
      node('Softmax', [masked ? 'logits' : 'scores'], ['weights'], { axis: 3 }),
      node('MatMul', ['weights', 'V'], ['Y']),
    ],
    inputs: { Q: dims.q, ...(constant ? {} : { K: dims.kv, V: dims.kv }), ...(given ? { mask: mask.mask.dims } : {}) },
    outputs: { Y: dims.q },
    constants: {
      scale: { dims: [1], data: Float32Array.of(1 / Math.sqrt(width)) },
      ...(given ? {} : mask),
      ...(constant ? { K: { dims: dims.kv, data: k }, V: { dims: dims.kv, data: v } } : {}),
    },
  });
  const feeds = {
    Q: [q, dims.q],
    ...(constant ? {} : { K: [k, dims.kv], V: [v, dims.kv] }),
    ...(given ? { mask: [mask.mask.data, mask.mask.dims] } : {}),
  };
  return { model, feeds, read: same };
}

/**
 * LinearAttention, com.microsoft's or, where the domain is '', that of opset 27: [B, T, H·D], and gates [B, T, H] or [B, T, H·D].
 * Its scale is 1/√D where none is given.
 */
export function linearAttention(shape, arrays, { domain }) {
  const { heads, kvHeads, queries, keys, width, linear } = shape;
  const { decay, beta } = gateDimensions(shape);
  const packed = (values, [h, t, d = 1]) => [swapAxes(values, [h, t, d]), [1, t, h * d]];
  const feeds = {
    Q: packed(arrays.q, [heads, queries, width]),
    K: packed(arrays.k, [kvHeads, keys, width]),
    V: packed(arrays.v, [kvHeads, keys, width]),
    ...(decay && { decay: packed(arrays.decay, decay) }),
    ...(beta && { beta: packed(arrays.beta, beta) }),
  };
  const inputs = Object.fromEntries(Object.entries(feeds).map(([name, [, dims]]) => [name, dims]));
  const gates = [decay ? 'decay' : '', ...(beta ? ['beta'] : [])]; // '' leaves the past state out
  const names = ['Q', 'K', 'V', ...(decay || beta ? ['', ...gates] : [])];
  const settings = { q_num_heads: heads, kv_num_heads: kvHeads, update_rule: onnxRules[linear.rule] };
  const model = encodeModel({
    opsets: domain === '' ? { '': 27 } : { '': 21, [domain]: 1 },
    nodes: [node('LinearAttention', names, ['Y', 'state'], settings, domain)],
    inputs,
    outputs: { Y: inputs.Q },
  });
  return { model, feeds, read: (output) => swapAxes(output, [queries, heads, width]) };
}

const onnxRules = { linear: 'linear', gated: 'gated', delta: 'delta', gatedDelta: 'gated_delta' };

function fourAxes({ heads, kvHeads, queries, keys, width }) {
  return { q: [1, heads, queries, width], kv: [1, kvHeads, keys, width] };
}

/** { mask } for the constants of a graph; empty where every pair is allowed. */
function maskConstant(shape) {
  const data = additiveMask(shape);
  return data === null ? {} : { mask: { dims: [1, 1, shape.queries, shape.keys], data } };
}

/** [Hkv, T, D] → [H, T, D] */
function repeatHeads(values, kvHeads, heads) {
  if (kvHeads === heads) return values;
  const size = values.length / kvHeads;
  const repeated = new Float32Array(size * heads);
  for (let h = 0; h < heads; ++h) {
    const from = Math.floor((h * kvHeads) / heads) * size;
    repeated.set(values.subarray(from, from + size), h * size);
  }
  return repeated;
}
