/** com.microsoft GroupQueryAttention: causal, the past in a buffer, seqlens_k = valid tokens - 1 of each sequence. */
import {
  checkKnown,
  columns,
  firstTokens,
  floats,
  integers,
  mergeHeads,
  NotApplicable,
  splitHeads,
  writeTokens,
} from '../arrays.mjs';

export const operators = ['com.microsoft GroupQueryAttention'];

export function run(fovea, c, { returnWeights }) {
  if (c.attributes.do_rotary === 1) throw new NotApplicable('rotary positions: not in the API yet');
  checkKnown(
    c,
    ['num_heads', 'kv_num_heads', 'scale', 'softcap', 'local_window_size', 'do_rotary', 'rotary_interleaved', 'smooth_softmax'],
    ['query', 'key', 'value', 'past_key', 'past_value', 'seqlens_k', 'total_sequence_length', 'attention_bias', 'head_sink'],
  );
  const {
    num_heads: heads,
    kv_num_heads: kvHeads,
    softcap,
    local_window_size: local = -1,
    smooth_softmax: smooth = 0,
  } = c.attributes;
  const { q, k, v } = unpack(c.inputs, heads, kvHeads);
  const [B, , Tq, D] = q.shape;
  const lengths = integers(c.inputs.seqlens_k).map((n) => n + 1);
  const [total] = integers(c.inputs.total_sequence_length);
  const pasts = lengths.map((length) => (Tq === total ? 0 : length - Tq));

  const room = Math.max(total, c.inputs.past_key?.shape[2] ?? 0);
  const [presentKey, presentValue] = [
    [k, c.inputs.past_key],
    [v, c.inputs.past_value],
  ].map(([now, past]) => writeTokens(enlarged(past, [B, kvHeads, room, D], pasts), now, pasts));
  const result = fovea.attention(q, firstTokens(presentKey, total), firstTokens(presentValue, total), {
    scale: c.attributes.scale === 0 ? undefined : c.attributes.scale,
    softcap,
    causal: true,
    causalOffset: pasts,
    keyLengths: lengths,
    window: local > 0 ? [local - 1, -1] : undefined,
    sinks: c.inputs.head_sink ? floats(c.inputs.head_sink).data : smooth === 1 ? 0 : undefined,
    mask: c.inputs.attention_bias && floats(c.inputs.attention_bias),
    returnWeights,
  });
  return {
    weights: result.weights,
    outputs: { output: mergeHeads(result.output), present_key: presentKey, present_value: presentValue },
  };
}

/** k and v apart, or all three in the width of query. */
function unpack({ query, key, value }, heads, kvHeads) {
  const all = floats(query);
  if (key !== undefined)
    return { q: splitHeads(all, heads), k: splitHeads(floats(key), kvHeads), v: splitHeads(floats(value), kvHeads) };
  const D = all.shape[2] / (heads + 2 * kvHeads);
  const part = (from, count) => splitHeads(columns(all, from * D, (from + count) * D), count);
  return { q: part(0, heads), k: part(heads, kvHeads), v: part(heads + kvHeads, kvHeads) };
}

/** A buffer of zeros with each sequence's past at its beginning. */
function enlarged(past, [B, H, room, D], pasts) {
  const data = new Float32Array(B * H * room * D);
  if (past !== undefined) {
    const M = past.shape[2];
    const from = Float32Array.from(past.data);
    for (let n = 0; n < B * H; n++) data.set(from.subarray(n * M * D, (n * M + pasts[Math.floor(n / H)]) * D), n * room * D);
  }
  return { data, shape: [B, H, room, D] };
}
