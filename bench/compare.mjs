// How far results are from each other, and how far they may be.

/** With weights of 8 bits, the least cosine allowed of all numbers with those of the judge. */
export const leastCosine = 0.99;

/** Cosine of two lists of numbers. */
export function cosineOf(a, b) {
  let [dot, one, other] = [0, 0, 0];
  for (let at = 0; at < a.length; ++at) {
    dot += a[at] * b[at];
    one += a[at] * a[at];
    other += b[at] * b[at];
  }
  return dot / Math.sqrt(one * other);
}

/** The largest difference of two results, as a part of the largest number of the first. */
export function differenceOf(a, b) {
  if (a.length !== b.length) return Infinity;
  let most = 0;
  let largest = 0;
  for (let n = 0; n < a.length; ++n) {
    const difference = Math.abs(a[n] - b[n]);
    most = Math.max(most, difference); // NaN stays
    largest = Math.max(largest, Math.abs(a[n]));
  }
  return most / largest;
}

/**
 * Compares a way's numbers with those wanted: by their largest difference, or of 8 bits by their cosine.
 *
 * @param {string} what - the numbers as the error names them
 * @param {{ isInt8: boolean, tolerance: number }} rules - tolerance: as a part of the largest number wanted
 * @returns {number} their cosine
 */
export function checkNumbers(what, numbers, wanted, { isInt8, tolerance }) {
  const cosine = cosineOf(numbers, wanted);
  const error = differenceOf(wanted, numbers);
  if (isInt8 && !(cosine >= leastCosine)) throw new Error(`${what} have a cosine of ${cosine}, wanted ${leastCosine}`);
  if (!isInt8 && !(error <= tolerance)) throw new Error(`${what} are off by ${error} of the largest, allowed ${tolerance}`);
  return cosine;
}
