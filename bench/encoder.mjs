// A transformer encoder by its equations, in double precision: apart from the package, so that it can judge it.
//   h = norm1(x + attention(x)),   y = norm2(h + W2·gelu(W1·h + b1) + b2),   layer after layer, weights as in PyTorch

import { makeArrays } from './arrays.mjs';
import { cosineOf, differenceOf, leastCosine } from './compare.mjs';

/**
 * @typedef {object} Encoder - how a shape is an encoder: heads and tokens are said by the shape, E = heads · width
 * @property {number} layers
 * @property {number} feedForward - the width between the two linear layers
 */

/** Added to the variance by every norm. */
export const normEps = 1e-12;

/** Largest error allowed, as a part of the largest number of the result. */
const tolerance = 1e-4;

/** The output [T, E] in double. */
export function encode(shape, { x, ...weights }) {
  const { heads, queries: tokens, width, encoder } = shape;
  const E = heads * width;
  let y = Float64Array.from(x);
  for (let n = 0; n < encoder.layers; ++n) {
    const weight = (name) => weights[`layers.${n}.${name}`];
    const layer = (name, input) => linear(input, tokens, weight(`${name}weight`), weight(`${name}bias`));
    const norm = (name, input) => normalize(input, E, weight(`${name}.weight`), weight(`${name}.bias`));
    const joint = layer('self_attn.in_proj_', y);
    const attended = layer('self_attn.out_proj.', attend(joint, tokens, heads, width));
    const h = norm('norm1', sum(y, attended));
    const fed = layer('linear2.', layer('linear1.', h).map(gelu));
    y = norm('norm2', sum(h, fed));
  }
  return y;
}

/** x·Wᵀ + b for x [T, in], W [out, in]. */
function linear(x, tokens, weight, bias) {
  const inner = x.length / tokens;
  const outer = bias.length;
  const y = new Float64Array(tokens * outer);
  for (let t = 0; t < tokens; ++t) {
    for (let o = 0; o < outer; ++o) {
      let dot = bias[o];
      for (let i = 0; i < inner; ++i) dot += x[t * inner + i] * weight[o * inner + i];
      y[t * outer + o] = dot;
    }
  }
  return y;
}

/** Queries, keys and values stand beside each other in each of the rows. */
function attend(joint, tokens, heads, width) {
  const E = heads * width;
  const result = new Float64Array(tokens * E);
  const weights = new Float64Array(tokens);
  for (let h = 0; h < heads; ++h) {
    for (let i = 0; i < tokens; ++i) {
      const query = i * 3 * E + h * width;
      let maximum = -Infinity;
      for (let j = 0; j < tokens; ++j) {
        const key = j * 3 * E + E + h * width;
        let dot = 0;
        for (let d = 0; d < width; ++d) dot += joint[query + d] * joint[key + d];
        weights[j] = dot / Math.sqrt(width);
        maximum = Math.max(maximum, weights[j]);
      }
      let total = 0;
      for (let j = 0; j < tokens; ++j) total += weights[j] = Math.exp(weights[j] - maximum);
      for (let j = 0; j < tokens; ++j) {
        const value = j * 3 * E + 2 * E + h * width;
        for (let d = 0; d < width; ++d) result[i * E + h * width + d] += (weights[j] / total) * joint[value + d];
      }
    }
  }
  return result;
}

function normalize(x, width, weight, bias) {
  const y = new Float64Array(x.length);
  for (let at = 0; at < x.length; at += width) {
    const row = x.subarray(at, at + width);
    const mean = row.reduce((a, b) => a + b) / width;
    const variance = row.reduce((a, b) => a + (b - mean) ** 2, 0) / width;
    row.forEach((value, i) => (y[at + i] = ((value - mean) / Math.sqrt(variance + normEps)) * weight[i] + bias[i]));
  }
  return y;
}

const sum = (a, b) => a.map((value, i) => value + b[i]);

const gelu = (x) => (x / 2) * (1 + erf(x / Math.SQRT2));

/** 2/√π · exp(-x²) · Σ 2ⁿ x²ⁿ⁺¹ / (2n + 1)!!, whose terms have one sign. */
function erf(x) {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let total = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total); ++n) total += term *= (2 * x * x) / (2 * n + 1);
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
}

/** Checks outputs of one shape against the definition, all of their numbers. */
export class EncoderChecker {
  #shape;
  #wanted = null;

  /** It looks at all rows. */
  rows = null;

  /** Checker's field: nobody is accused later here. */
  accused = new Map();

  constructor(shape) {
    this.#shape = shape;
  }

  /**
   * @param {Float32Array} output - [T, E]
   * @param {boolean} [int8] - whether it is of weights of 8 bits, and judged by its cosine
   * @returns {{ error: number, cosine: number, complaint: string | null }} the largest error, as a part of the largest number of the
   *   result, and the cosine with the definition's
   */
  check(name, output, int8 = false) {
    this.#wanted ??= encode(this.#shape, makeArrays(this.#shape));
    const wanted = this.#wanted;
    if (output.length !== wanted.length)
      return { error: NaN, cosine: NaN, complaint: `${output.length} numbers instead of ${wanted.length}` };
    const error = differenceOf(wanted, output);
    const cosine = cosineOf(output, wanted);
    const complaint = int8
      ? cosine >= leastCosine
        ? null
        : `wrong result: a cosine of ${cosine} with the definition's, wanted ${leastCosine}`
      : error <= tolerance
        ? null
        : `wrong result: off by ${error} of the largest number, allowed ${tolerance}`;
    return { error, cosine, complaint };
  }
}
