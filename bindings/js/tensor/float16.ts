/** The 16-bit floats as bits. F16: 1 sign, 5 exponent, 10 fraction bits, bias 15 (IEEE 754 binary16). BF16: the upper half of a float32. */

export type HalfDtype = 'F16' | 'BF16';

/** Exact; NaNs keep their sign and the upper bits of their payload. */
export function decodeHalves(bits: Uint16Array, dtype: HalfDtype): Float32Array<ArrayBuffer> {
  const words = new Uint32Array(bits.length);
  if (dtype === 'BF16') for (let i = 0; i < bits.length; i++) words[i] = bits[i]! << 16;
  else for (let i = 0; i < bits.length; i++) words[i] = fromF16(bits[i]!);
  return new Float32Array(words.buffer);
}

/** The float32 of a binary16, both as bits. */
function fromF16(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return sign | 0x7f800000 | (fraction << 13);
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction === 0) return sign;
  // Subnormal: the leading one goes where float32 does not write it.
  const shift = Math.clz32(fraction) - 21;
  return sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}
