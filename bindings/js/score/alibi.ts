/** The slopes of ALiBi (Press, Smith, Lewis 2022, arXiv:2108.12409 §3), by products of square roots of 1/2: the same bits everywhere. */

/**
 * H a power of two: slope[k] = 2^(-8(k+1)/H). Other H: the slopes of the largest power of two below it, then every other
 * slope, from the first, of twice that power (the authors' own rule).
 */
export function defaultSlopes(heads: number): Float32Array {
  let power = 1;
  while (2 * power <= heads) power *= 2;
  const slopes = new Float32Array(heads);
  for (let k = 0; k < power && k < heads; k++) slopes[k] = halfPower(8 * (k + 1), power);
  for (let k = power; k < heads; k++) slopes[k] = halfPower(8 * (2 * (k - power) + 1), 2 * power);
  return slopes;
}

/** (1/2)^(numerator / denominator) in double, for a denominator that is a power of two. */
function halfPower(numerator: number, denominator: number): number {
  let result = 1;
  for (let whole = Math.floor(numerator / denominator); whole > 0; whole--) result /= 2;
  let rest = numerator % denominator;
  for (let root = Math.sqrt(0.5); rest > 0; root = Math.sqrt(root)) {
    rest *= 2;
    if (rest >= denominator) {
      result *= root;
      rest -= denominator;
    }
  }
  return result;
}
