/**
 * ai.onnx Attention, opsets 23 to 25: softcap before the mask, causal with the length of the past (or nonpad_kv_seqlen - Tq)
 * as offset, rows without an allowed key 0. qk_matmul_output_mode: 0 raw, 1 after softcap, 2 after mask and bias, 3 weights.
 */
import { checkKnown, concatTokens, floats, integers, mergeHeads, splitHeads } from '../arrays.mjs';

export const operators = ['ai.onnx Attention'];

const STAGES = ['raw', 'capped', 'biased'];

export function run(fovea, c, { returnWeights }) {
  checkKnown(
    c,
    ['scale', 'softcap', 'is_causal', 'q_num_heads', 'kv_num_heads', 'qk_matmul_output_mode', 'softmax_precision'],
    ['Q', 'K', 'V', 'attn_mask', 'past_key', 'past_value', 'nonpad_kv_seqlen'],
  );
  const {
    scale,
    softcap,
    is_causal: causal = 0,
    q_num_heads: heads,
    kv_num_heads: kvHeads,
    qk_matmul_output_mode: mode = 0,
  } = c.attributes;
  const { Q, K, V, attn_mask: mask, past_key: pastKey, past_value: pastValue, nonpad_kv_seqlen: lengths } = c.inputs;
  const packed = Q.shape.length === 3;
  // Heads packed in the width go in as they are; with a past, keys and values are laid out head by head to be joined to it.
  const joined = pastKey !== undefined || pastValue !== undefined;
  const keys = packed ? splitHeads(floats(K), kvHeads) : floats(K);
  const values = packed ? splitHeads(floats(V), kvHeads) : floats(V);
  const presentKey = concatTokens(pastKey && floats(pastKey), keys);
  const presentValue = concatTokens(pastValue && floats(pastValue), values);
  const [Tq, Tk] = [Q.shape.at(-2), presentKey.shape[2]];
  const past = Tk - keys.shape[2];

  const options = {
    scale,
    softcap,
    causal: causal === 1,
    causalOffset: past > 0 ? past : lengths && integers(lengths).map((length) => length - Tq),
    keyLengths: lengths && integers(lengths),
    mask: mask && padMask(mask, Tk),
    returnWeights: returnWeights || mode === 3,
    returnLogits: c.outputs.qk_matmul_output === undefined ? undefined : STAGES[mode],
  };
  const result =
    packed && !joined
      ? fovea.attention(floats(Q), floats(K), floats(V), { ...options, heads, kvHeads })
      : fovea.attention(packed ? splitHeads(floats(Q), heads) : floats(Q), presentKey, presentValue, options);
  return {
    weights: result.weights,
    outputs: {
      Y: packed && joined ? mergeHeads(result.output) : result.output,
      present_key: presentKey,
      present_value: presentValue,
      qk_matmul_output: mode === 3 ? result.weights : result.logits,
    },
  };
}

/** The mask for all keys: where its last axis is shorter, the keys beyond are forbidden. */
function padMask({ dtype, data, shape }, Tk) {
  const boolean = dtype === 'bool';
  const width = shape.at(-1);
  if (width === Tk || width === 1)
    return { data: boolean ? Uint8Array.from(data) : Float32Array.from(data), shape: [...shape] };
  const rows = data.length / width;
  const padded = boolean ? new Uint8Array(rows * Tk) : new Float32Array(rows * Tk).fill(-Infinity);
  for (let row = 0; row < rows; row++) padded.set(data.subarray(row * width, (row + 1) * width), row * Tk);
  return { data: padded, shape: [...shape.slice(0, -1), Tk] };
}
