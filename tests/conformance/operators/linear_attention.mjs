/**
 * ai.onnx LinearAttention (opset 27) and com.microsoft LinearAttention: heads packed in the width, decay [B, T, H] or
 * [B, T, H·D], beta [B, T, H] or [B, T, 1], a state [B, H, D, Dv]. Where there are fewer heads of keys than of values, as in
 * ORT's KGQA, each is repeated.
 */
import { linearAttention } from 'fovea/linear-attention';
import { checkKnown, floats, reshape } from '../arrays.mjs';

export const operators = ['ai.onnx LinearAttention', 'com.microsoft LinearAttention'];

const RULES = { linear: 'linear', gated: 'gated', delta: 'delta', gated_delta: 'gatedDelta' };

export function run(fovea, c) {
  checkKnown(
    c,
    ['q_num_heads', 'kv_num_heads', 'scale', 'update_rule', 'chunk_size'],
    ['query', 'key', 'value', 'past_state', 'decay', 'beta'],
  );
  const { q_num_heads: heads, kv_num_heads: kvHeads, scale, update_rule: rule = 'gated_delta', chunk_size } = c.attributes;
  const { query, key, value, past_state: past, decay, beta } = c.inputs;
  const { output, state } = linearAttention(
    fovea,
    floats(query),
    repeatKeys(floats(key), query, heads, kvHeads),
    floats(value),
    {
      updateRule: RULES[rule],
      heads,
      kvHeads,
      scale,
      decay: decay && floats(decay),
      beta: beta && forHeads(floats(beta), kvHeads),
      initialState: past && { s: floats(past) },
      returnState: true,
      chunkSize: chunk_size,
    },
  );
  return { outputs: { output, present_state: state.s } };
}

/** [B, T, heads of keys · D] -> [B, T, kvHeads · D]. */
function repeatKeys(key, { shape: [, , width] }, heads, kvHeads) {
  const [B, T, own] = key.shape;
  const D = width / heads;
  const times = kvHeads / (own / D);
  if (times === 1) return key;
  const data = new Float32Array(B * T * kvHeads * D);
  for (let n = 0; n < B * T; n++)
    for (let h = 0; h < kvHeads; h++) {
      const from = n * own + Math.floor(h / times) * D;
      data.set(key.data.subarray(from, from + D), (n * kvHeads + h) * D);
    }
  return { data, shape: [B, T, kvHeads * D] };
}

/** [B, T, 1] -> [B, T, kvHeads]; [B, T, kvHeads] stays. */
function forHeads(beta, kvHeads) {
  const [B, T, own] = beta.shape;
  if (own === kvHeads) return beta;
  return reshape(
    {
      data: Float32Array.from({ length: B * T * kvHeads }, (_, n) => beta.data[Math.floor(n / kvHeads)]),
      shape: [B, T, kvHeads],
    },
    B,
    T,
    kvHeads,
  );
}
