/**
 * Encoding the 16-bit floats: rounds once, to nearest, ties to even, from float64 too; what is too large becomes an infinity. NaNs
 * keep their sign and the upper bits of their payload. tensor/float16.ts decodes them.
 */
import type { HalfDtype } from '../tensor/float16.ts';
import { typedArrayKind } from '../tensor/typed_arrays.ts';

export function encodeHalves(numbers: ArrayLike<number>, dtype: HalfDtype): Uint16Array<ArrayBuffer> {
  const words = typedArrayKind(numbers) === 'Float32Array' ? bitsOf(numbers as Float32Array) : roundedToOdd(numbers);
  const bits = new Uint16Array(words.length);
  const encode = dtype === 'BF16' ? toBf16 : toF16;
  for (let i = 0; i < words.length; i++) bits[i] = encode(words[i]!);
  return bits;
}

/** The nearest binary16 of a float32, both as bits. */
function toF16(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const size = word & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7c00 | ((size >>> 13) & 0x3ff || 0x200);
  if (size >= 0x477ff000) return sign | 0x7c00; // 65520, halfway between the largest and what would follow
  if (size >= 0x38800000) return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
  const exponent = size >>> 23;
  if (exponent < 102) return sign; // less than half of the smallest
  const fraction = (size & 0x7fffff) | 0x800000;
  const shift = 126 - exponent;
  const kept = fraction >>> shift;
  const rest = fraction & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return sign | (kept + (rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0));
}

function toBf16(word: number): number {
  const upper = word >>> 16;
  if ((word & 0x7fffffff) > 0x7f800000) return (upper & 0x7f) === 0 ? upper | 0x40 : upper;
  return (word + 0x7fff + (upper & 1)) >>> 16;
}

function bitsOf(floats: Float32Array): Uint32Array {
  return new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
}

/**
 * float32 rounded to odd: of the two neighbors of a number between them the one with the odd last bit, so that rounding again,
 * to fewer bits, gives what rounding once would (Boldo and Melquiond 2008).
 */
function roundedToOdd(numbers: ArrayLike<number>): Uint32Array {
  const floats = Float32Array.from(numbers);
  const words = bitsOf(floats);
  for (let i = 0; i < words.length; i++) {
    const exact = numbers[i]!;
    const nearest = floats[i]!;
    if (nearest === exact || Number.isNaN(exact) || (words[i]! & 1) === 1) continue;
    words[i]! += Math.abs(nearest) < Math.abs(exact) ? 1 : -1;
  }
  return words;
}
