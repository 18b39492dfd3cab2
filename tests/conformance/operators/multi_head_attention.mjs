/** com.microsoft MultiHeadAttention: projected q, k, v with an optional bias, a past, padding and an attention bias. */
import {
  add,
  checkKnown,
  columns,
  concatTokens,
  firstTokens,
  floats,
  integers,
  mergeHeads,
  NotApplicable,
  reshape,
  splitHeads,
  swapMiddle,
  writeTokens,
} from '../arrays.mjs';
import { joinMasks, paddingMask } from './contrib_masks.mjs';

export const operators = ['com.microsoft MultiHeadAttention'];

export function run(fovea, c, { returnWeights }) {
  checkKnown(
    c,
    ['num_heads', 'unidirectional', 'mask_filter_value', 'scale'],
    [
      'query',
      'key',
      'value',
      'bias',
      'key_padding_mask',
      'attention_bias',
      'past_key',
      'past_value',
      'past_sequence_length',
      'cache_indirection',
    ],
  );
  const { num_heads: heads, unidirectional = 0, mask_filter_value: filter, scale } = c.attributes;
  const { key_padding_mask: padding, attention_bias: bias, past_sequence_length: pastLength } = c.inputs;
  if (c.inputs.cache_indirection && integers(c.inputs.cache_indirection).some((beam) => beam !== 0))
    throw new NotApplicable('beam search: keys of other beams');

  const blocked = c.inputs.cache_indirection !== undefined;
  const { q, k, v } = withBias(unpack(c.inputs, heads, blocked), c.inputs.bias, heads);
  const [pastKey, pastValue] = [c.inputs.past_key, c.inputs.past_value].map(
    (past, n) => past && (blocked && n === 0 ? fromBlocks(floats(past)) : floats(past)),
  );
  // With past_sequence_length, the past is a buffer that holds that many tokens and room for more.
  const P = pastKey === undefined ? 0 : pastLength === undefined ? pastKey.shape[2] : integers(pastLength)[0];
  const B = q.shape[0];
  const join = (past, now) =>
    past === undefined || pastLength === undefined ? concatTokens(past, now) : writeTokens(past, now, new Array(B).fill(P));
  const [presentKey, presentValue] = [join(pastKey, k), join(pastValue, v)];
  const Tk = P + k.shape[2];
  const options = {
    scale,
    causal: unidirectional === 1,
    causalOffset: P > 0 ? P : undefined,
    returnWeights,
    returnLogits: c.outputs.output_qk && 'raw',
    ...masks(padding, bias, B, Tk, filter),
  };
  const result =
    P === 0 && c.inputs.key?.shape.length === 3
      ? fovea.attention(mergeHeads(q), mergeHeads(k), mergeHeads(v), { ...options, heads })
      : fovea.attention(q, firstTokens(presentKey, Tk), firstTokens(presentValue, Tk), options);
  return {
    weights: result.weights,
    outputs: {
      output: result.output.shape.length === 4 ? mergeHeads(result.output) : result.output,
      present_key: blocked ? toBlocks(presentKey) : presentKey,
      present_value: presentValue,
      output_qk: result.logits,
    },
  };
}

/** Lengths go in as keyLengths where no sequence is empty (an added mask leaves an empty one uniform); all else is added. */
function masks(padding, bias, B, Tk, filter) {
  if (padding?.shape.length === 1 && padding.shape[0] !== 2 * B) {
    const lengths = integers(padding).slice(0, B);
    if (lengths.every((length) => length > 0)) return { keyLengths: lengths, mask: bias && floats(bias) };
  }
  return { mask: joinMasks(paddingMask(padding, B, Tk, filter), bias) };
}

/** q, k, v as [B, H, T, D] from any of the operator's layouts: apart, k and v head by head, [B, T, H, 2, D], [B, T, H, 3, D]. */
function unpack({ query, key, value }, heads, blocked) {
  if (query.shape.length === 5) return { q: fifth(query, 0), k: fifth(query, 1), v: fifth(query, 2) };
  const q = splitHeads(floats(query), heads);
  if (key.shape.length === 5) return { q, k: fifth(key, 0), v: fifth(key, 1) };
  const cached = key.shape.length === 4;
  return {
    q,
    k: cached && blocked ? fromBlocks(floats(key)) : splitHeads(floats(key), heads),
    v: splitHeads(floats(value), heads),
    cached,
  };
}

/** [B, T, H, n, D] -> element `at` of n as [B, H, T, D]. */
function fifth({ data, shape: [B, T, H, n, D] }, at) {
  return splitHeads(
    reshape(columns({ data: Float32Array.from(data), shape: [B, T, H, n * D] }, at * D, (at + 1) * D), B, T, H * D),
    H,
  );
}

/** With cache_indirection the cached keys are stored as [B, H, D/4, T, 4], though their shape says [B, H, T, D]. */
function fromBlocks({ data, shape: [B, H, T, D] }) {
  return reshape(swapMiddle({ data, shape: [B * H, D / 4, T, 4] }), B, H, T, D);
}

function toBlocks({ data, shape: [B, H, T, D] }) {
  return reshape(swapMiddle({ data, shape: [B * H, T, D / 4, 4] }), B, H, T, D);
}

/** bias is [q; k; v] widths; keys and values that come head by head are projected already and take none. */
function withBias({ q, k, v, cached }, bias, heads) {
  if (bias === undefined) return { q, k, v };
  const all = floats(bias);
  const widths = [q, k, v].map((x) => x.shape[1] * x.shape[3]);
  const part = (n) => {
    const from = widths.slice(0, n).reduce((sum, width) => sum + width, 0);
    return splitHeads(reshape(columns(all, from, from + widths[n]), 1, 1, widths[n]), heads);
  };
  return { q: add(q, part(0)), k: cached ? k : add(k, part(1)), v: cached ? v : add(v, part(2)) };
}
