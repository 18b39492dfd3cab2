/** The masks of the com.microsoft attention operators: all are added, as mask_filter_value, and none forbids. */
import { add, floats, integers } from '../arrays.mjs';

const DEFAULT_FILTER = -10000;

/**
 * mask_index / key_padding_mask as a float mask that broadcasts to [B, H, Tq, Tk], or undefined.
 *   [B]           keys from there on are padding             [2B]  ends, then starts
 *   [3B + 2]      lengths, then what packed kernels need     [B, Tk], [B, Tq, Tk]  0 = padding
 */
export function paddingMask(mask, B, Tk, filter = DEFAULT_FILTER) {
  if (mask === undefined) return undefined;
  const values = integers(mask);
  if (mask.shape.length > 1) {
    const Tq = mask.shape.length === 3 ? mask.shape[1] : 1;
    return { data: Float32Array.from(values, (x) => (x > 0 ? 0 : filter)), shape: [B, 1, Tq, mask.shape.at(-1)] };
  }
  const data = new Float32Array(B * Tk);
  for (let b = 0; b < B; b++) {
    const end = values[b];
    const start = values.length === 2 * B ? values[B + b] : 0;
    for (let j = 0; j < Tk; j++) data[b * Tk + j] = j >= start && j < end ? 0 : filter;
  }
  return { data, shape: [B, 1, 1, Tk] };
}

/** Padding and attention_bias in one float mask. */
export function joinMasks(padding, bias) {
  if (bias === undefined) return padding;
  return padding === undefined ? floats(bias) : add(padding, floats(bias));
}
