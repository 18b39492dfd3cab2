/** com.microsoft Attention: input [B, T, Din], weights [Din, q + k + v widths], past [2, B, H, P, D]. */
import * as ops from 'fovea/ops';
import {
  checkKnown,
  columns,
  concatTokens,
  element,
  firstTokens,
  floats,
  integers,
  mergeHeads,
  NotApplicable,
  splitHeads,
  stack,
  transpose,
  writeTokens,
} from '../arrays.mjs';
import { joinMasks, paddingMask } from './contrib_masks.mjs';

export const operators = ['com.microsoft Attention'];

export function run(fovea, c, { returnWeights }) {
  checkKnown(
    c,
    ['num_heads', 'unidirectional', 'past_present_share_buffer', 'mask_filter_value', 'qkv_hidden_sizes', 'scale', 'do_rotary'],
    ['input', 'weight', 'weights', 'bias', 'mask_index', 'past', 'attention_bias', 'past_sequence_length'],
  );
  const { num_heads: heads, unidirectional = 0, mask_filter_value: filter, qkv_hidden_sizes: sizes, scale } = c.attributes;
  if (c.attributes.do_rotary === 1) throw new NotApplicable('rotary positions: not in the API yet');
  const weight = floats(c.inputs.weight ?? c.inputs.weights);
  const widths = sizes ?? new Array(3).fill(weight.shape[1] / 3);
  const { mask_index: maskIndex, attention_bias: bias, past, past_sequence_length: pastLength } = c.inputs;
  const input = floats(c.inputs.input);
  const B = input.shape[0];

  const parts = splitProjection(weight, c.inputs.bias && floats(c.inputs.bias), widths);
  const P = pastLength === undefined ? (past?.shape[3] ?? 0) : integers(pastLength)[0];
  const Tk = P + input.shape[1];
  const options = {
    scale,
    causal: unidirectional === 1,
    causalOffset: P > 0 ? P : undefined,
    mask: joinMasks(paddingMask(maskIndex, B, Tk, filter), bias),
    returnWeights,
  };
  if (past === undefined && c.outputs.present === undefined) {
    const [Wq, Wk, Wv] = parts.weights;
    const [bq, bk, bv] = parts.biases;
    const result = fovea.multiHeadAttention(input, input, input, { Wq, Wk, Wv, bq, bk, bv }, { ...options, heads });
    return { weights: result.weights, outputs: { output: result.output } };
  }

  const [q, k, v] = parts.weights.map((W, n) => splitHeads(ops.linear(fovea, input, transpose(W), parts.biases[n]), heads));
  const shared = c.attributes.past_present_share_buffer === 1;
  const [presentKey, presentValue] = [k, v].map((now, n) => {
    const before = past && element(floats(past), n);
    return shared ? writeTokens(before, now, new Array(B).fill(P)) : concatTokens(before, now);
  });
  const result = fovea.attention(q, firstTokens(presentKey, Tk), firstTokens(presentValue, Tk), options);
  return { weights: result.weights, outputs: { output: mergeHeads(result.output), present: stack(presentKey, presentValue) } };
}

/** The columns of a joint projection that belong to q, k and v. */
export function splitProjection(weight, bias, widths) {
  let from = 0;
  const parts = { weights: [], biases: [] };
  for (const width of widths) {
    parts.weights.push(columns(weight, from, from + width));
    parts.biases.push(bias && columns(bias, from, from + width));
    from += width;
  }
  return parts;
}
