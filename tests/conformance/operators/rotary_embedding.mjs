/**
 * ai.onnx RotaryEmbedding and com.microsoft RotaryEmbedding: x [B, H, T, D] or [B, T, H·D], tables of cosines and sines
 * [rows, R/2], by position_ids [B, T] or from one position on, or [B, T, R/2] for the tokens of x.
 */
import { rotaryEmbedding } from 'fovea/position';
import { checkKnown, floats, integers, NotApplicable } from '../arrays.mjs';

export const operators = ['ai.onnx RotaryEmbedding', 'com.microsoft RotaryEmbedding'];

export function run(fovea, c) {
  checkKnown(
    c,
    ['interleaved', 'num_heads', 'rotary_embedding_dim', 'is_packed_batching', 'scale'],
    ['input', 'X', 'cos_cache', 'sin_cache', 'position_ids'],
  );
  const { interleaved = 0, num_heads: heads = 0, is_packed_batching: packed = 0, scale = 1 } = c.attributes;
  if (packed !== 0 || scale !== 1) throw new NotApplicable('is_packed_batching or scale: not in the API');
  const { cos_cache: cos, sin_cache: sin, position_ids: ids } = c.inputs;
  const x = floats(c.inputs.input ?? c.inputs.X);
  const [B, T] = x.shape.length === 4 ? [x.shape[0], x.shape[2]] : x.shape;
  const output = rotaryEmbedding(fovea, x, {
    interleaved: interleaved !== 0,
    rotaryWidth: c.attributes.rotary_embedding_dim || undefined,
    heads: x.shape.length === 4 ? undefined : heads || x.shape[2] / (2 * cos.shape.at(-1)),
    cos: floats(cos),
    sin: floats(sin),
    ...placesOf(ids, B, T),
  });
  return { outputs: { output } };
}

/** One id is that of the first token of every sequence. */
function placesOf(ids, B, T) {
  if (ids === undefined) return {};
  const list = integers(ids).map(Number);
  if (list.length === 1 && ids.shape.length < 2) return { start: list[0] };
  return { positions: { data: Int32Array.from(list), shape: list.length === T ? [T] : [B, T] } };
}
