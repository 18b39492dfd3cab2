/** |X[k]|² for k = 0 … N / 2 of `samples`, filled up with zeros to `size` = N, a power of 2. Radix 2, in place, in double. */
export function powerSpectrum(samples: ArrayLike<number>, size: number): Float64Array {
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)];
  const bits = Math.log2(size);
  if (!Number.isInteger(bits) || samples.length > size)
    throw new RangeError(`${samples.length} samples do not fit a spectrum of ${size}`);
  for (let n = 0; n < samples.length; n++) real[reversed(n, bits)] = samples[n]!;
  for (let half = 1; half < size; half *= 2) {
    for (let k = 0; k < half; k++) {
      const angle = (-Math.PI * k) / half;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let even = k; even < size; even += 2 * half) {
        const odd = even + half;
        const re = real[odd]! * cos - imaginary[odd]! * sin;
        const im = real[odd]! * sin + imaginary[odd]! * cos;
        real[odd] = real[even]! - re;
        imaginary[odd] = imaginary[even]! - im;
        real[even]! += re;
        imaginary[even]! += im;
      }
    }
  }
  return Float64Array.from({ length: size / 2 + 1 }, (_, k) => real[k]! ** 2 + imaginary[k]! ** 2);
}

function reversed(n: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result = (result << 1) | ((n >> bit) & 1);
  return result;
}
