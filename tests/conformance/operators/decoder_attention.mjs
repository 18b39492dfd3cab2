/** com.microsoft DecoderAttention: tokens before batch, own weights for q and for [k; v], a cache where use_past says so. */
import * as ops from 'fovea/ops';
import { checkKnown, concatTokens, floats, integers, NotApplicable, splitHeads, swapMiddle, transpose } from '../arrays.mjs';
import { splitProjection } from './contrib_attention.mjs';

export const operators = ['com.microsoft DecoderAttention'];

export function run(fovea, c, { returnWeights }) {
  checkKnown(
    c,
    ['num_heads', 'mask_filter_value'],
    [
      'query',
      'key',
      'q_weight',
      'kv_weight',
      'bias',
      'key_padding_mask',
      'key_cache',
      'value_cache',
      'static_kv',
      'use_past',
      'has_layer_state',
      'has_key_padding_mask',
    ],
  );
  const { num_heads: heads, mask_filter_value: filter = -10000 } = c.attributes;
  const flag = (name) => integers(c.inputs[name])[0] === 1;
  const query = tokensAfterBatch(floats(c.inputs.query));
  const key = tokensAfterBatch(floats(c.inputs.key));
  const width = query.shape[2];
  const kv = splitProjection(floats(c.inputs.kv_weight), undefined, [width, width]).weights;
  const biases = splitProjection(floats({ data: c.inputs.bias.data, shape: [1, 3 * width] }), undefined, [
    width,
    width,
    width,
  ]).weights.map(({ data }) => ({ data, shape: [width] }));
  const q = splitHeads(ops.linear(fovea, query, transpose(floats(c.inputs.q_weight)), biases[0]), heads);
  if (flag('use_past') && flag('static_kv')) throw new NotApplicable('keys and values from the cache alone');
  const project = (n) => splitHeads(ops.linear(fovea, key, transpose(kv[n]), biases[n + 1]), heads);
  const past = (name) => (flag('use_past') && c.inputs[name] ? floats(c.inputs[name]) : undefined);
  const [keys, values] = [concatTokens(past('key_cache'), project(0)), concatTokens(past('value_cache'), project(1))];
  const masked = flag('has_key_padding_mask') && c.inputs.key_padding_mask;
  const result = fovea.attention(q, keys, values, {
    returnWeights,
    mask: masked
      ? { data: Float32Array.from(masked.data, (x) => (x === 1 ? filter : 0)), shape: [masked.shape[0], 1, 1, masked.shape[1]] }
      : undefined,
  });
  const output = swapMiddle(result.output); // [B, T, H, D]
  const [B, T, H, D] = output.shape;
  return {
    weights: result.weights,
    outputs: {
      output: tokensAfterBatch({ data: output.data, shape: [B, T, H * D] }),
      new_key_cache: keys,
      new_value_cache: values,
    },
  };
}

/** [T, B, D] <-> [B, T, D]. */
function tokensAfterBatch({ data, shape: [a, b, c] }) {
  return { data: swapMiddle({ data, shape: [1, a, b, c] }).data, shape: [b, a, c] };
}
