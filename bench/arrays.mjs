// The inputs: the same numbers in every engine and for every contestant.

import { allowedSpans, dimensions, encoderDimensions, gateDimensions } from './shapes.mjs';

/**
 * q, k and v of a shape as Float32Array, uniform with mean 0 and variance 1; for the update rules of linear attention that have
 * them `decay`, from -0.1 to 0, and `beta`, from 0 to 1, the keys being of length 1 then. For an encoder x [T, E] and its weights by
 * name: matrices that keep the variance, biases of a tenth of it, the weights of norms around 1.
 */
export function makeArrays(shape) {
  if (shape.encoder !== null) return encoderArrays(shape);
  const { q, kv } = dimensions(shape);
  const arrays = { q: numbers(q, 1), k: numbers(kv, 2), v: numbers(kv, 3) };
  if (shape.float16) {
    roundToFloat16(arrays.k);
    roundToFloat16(arrays.v);
  }
  if (shape.linear === null) return arrays;
  const { decay, beta } = gateDimensions(shape);
  if (decay) arrays.decay = numbers(decay, 4).map((x) => (x - most) * 0.0288);
  if (beta) arrays.beta = numbers(beta, 5).map((x) => (x + most) / (2 * most));
  if (beta) normalize(arrays.k, shape.width);
  return arrays;
}

function encoderArrays(shape) {
  const arrays = { x: numbers([shape.queries, shape.heads * shape.width], 1) };
  Object.entries(encoderDimensions(shape)).forEach(([name, dims], n) => {
    const scale = dims.length === 2 ? 1 / Math.sqrt(dims[1]) : 0.1;
    const mean = /norm\d\.weight$/.test(name) ? 1 : 0;
    arrays[name] = numbers(dims, 2 + n).map((x) => mean + scale * x);
  });
  return arrays;
}

const most = Math.sqrt(3);

/** Cuts to the ten bits of significand that a float16 has; the numbers are neither too large for one nor, but a few, too small. */
function roundToFloat16(values) {
  const bits = new Uint32Array(values.buffer);
  for (let i = 0; i < bits.length; ++i) bits[i] &= ~0x1fff;
}

/** Brings rows to length 1. */
function normalize(values, width) {
  for (let at = 0; at < values.length; at += width) {
    const row = values.subarray(at, at + width);
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
    row.forEach((x, d) => (row[d] = x / length));
  }
}

/** Marsaglia's xorshift32: integers only, so that no engine differs. */
export function numbers(dims, seed) {
  const values = new Float32Array(dims.reduce((a, b) => a * b));
  const unit = Math.fround(most / 2 ** 31);
  let state = Math.imul(seed, 0x9e3779b9);
  for (let i = 0; i < values.length; ++i) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    values[i] = state * unit;
  }
  return values;
}

/** [A, B, D] → [B, A, D]: heads and tokens change places. */
export function swapAxes(values, [a, b, d]) {
  const swapped = new Float32Array(values.length);
  for (let i = 0; i < a; ++i) {
    for (let j = 0; j < b; ++j) swapped.set(values.subarray((i * b + j) * d, (i * b + j + 1) * d), (j * a + i) * d);
  }
  return swapped;
}

/** [Tq, Tk], for all heads: 0 where attention is allowed and -Infinity elsewhere, or null where everything is. */
export function additiveMask(shape) {
  if (!shape.causal && shape.window === null && shape.pattern === null) return null;
  const mask = new Float32Array(shape.queries * shape.keys).fill(-Infinity);
  for (let i = 0; i < shape.queries; ++i) {
    for (const [from, to] of allowedSpans(shape, 0, i)) mask.fill(0, i * shape.keys + from, i * shape.keys + to);
  }
  return mask;
}
