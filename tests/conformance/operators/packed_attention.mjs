/** com.microsoft PackedAttention and PackedMultiHeadAttention: sequences of different lengths without padding, as rows of one matrix. */
import * as ops from 'fovea/ops';
import { add, checkKnown, columns, floats, integers, reshape, transpose } from '../arrays.mjs';
import { splitProjection } from './contrib_attention.mjs';

export const operators = ['com.microsoft PackedAttention', 'com.microsoft PackedMultiHeadAttention'];

export function run(fovea, c, { returnWeights }) {
  checkKnown(
    c,
    ['num_heads', 'scale', 'qkv_hidden_sizes', 'mask_filter_value'],
    ['input', 'weight', 'bias', 'query', 'key', 'value', 'token_offset', 'cumulative_sequence_length', 'attention_bias'],
  );
  const { num_heads: heads, scale } = c.attributes;
  const { q, k, v } = c.op === 'PackedAttention' ? project(fovea, c) : unpack(c.inputs);
  const [B, T] = c.inputs.token_offset.shape;
  const ends = integers(c.inputs.cumulative_sequence_length);
  const lengths = ends.slice(1).map((end, b) => end - ends[b]);

  const [paddedQ, paddedK, paddedV] = [q, k, v].map((x) => pad(x, ends, B, T));
  const result = fovea.attention(paddedQ, paddedK, paddedV, {
    scale,
    heads,
    keyLengths: lengths,
    returnWeights,
    mask: c.inputs.attention_bias && floats(c.inputs.attention_bias),
  });
  return { weights: result.weights, outputs: { output: unpad(result.output, ends) } };
}

function project(fovea, { attributes, inputs }) {
  const weight = floats(inputs.weight);
  const widths = attributes.qkv_hidden_sizes ?? new Array(3).fill(weight.shape[1] / 3);
  const { weights, biases } = splitProjection(weight, inputs.bias && floats(inputs.bias), widths);
  const [q, k, v] = weights.map((W, n) => ops.linear(fovea, floats(inputs.input), transpose(W), biases[n]));
  return { q, k, v };
}

/** q, k and v [tokens, H·D], apart or as [tokens, H, 3, D]. */
function unpack({ query, key, value, bias }) {
  let parts;
  if (query.shape.length === 4) {
    const [tokens, H, , D] = query.shape;
    parts = [0, 1, 2].map((n) =>
      reshape(columns({ data: Float32Array.from(query.data), shape: [tokens, H, 3 * D] }, n * D, (n + 1) * D), tokens, H * D),
    );
  } else parts = [query, key, value].map(floats);
  if (bias !== undefined) {
    const { biases } = splitProjection(
      reshape(floats(bias), 1, bias.shape[0]),
      reshape(floats(bias), 1, bias.shape[0]),
      parts.map((x) => x.shape[1]),
    );
    parts = parts.map((x, n) => add(x, biases[n]));
  }
  const [q, k, v] = parts;
  return { q, k, v };
}

/** [tokens, width] -> [B, T, width]; what is beyond a sequence is NaN: keyLengths must keep it out. */
function pad({ data, shape: [, width] }, ends, B, T) {
  const padded = new Float32Array(B * T * width).fill(NaN);
  for (let b = 0; b < B; b++) padded.set(data.subarray(ends[b] * width, ends[b + 1] * width), b * T * width);
  return { data: padded, shape: [B, T, width] };
}

function unpad({ data, shape: [B, T, width] }, ends) {
  const tokens = new Float32Array(ends[B] * width);
  for (let b = 0; b < B; b++)
    tokens.set(data.subarray(b * T * width, (b * T + ends[b + 1] - ends[b]) * width), ends[b] * width);
  return { data: tokens, shape: [ends[B], width] };
}
