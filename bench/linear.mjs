// Linear attention by its definition, in double precision: apart from the package, so that it can judge it.

import { makeArrays } from './arrays.mjs';

/**
 * @typedef {object} Linear - how a shape is linear attention; whether it is causal is said by the shape
 * @property {'elu1' | 'identity'} featureMap - φ
 * @property {boolean} normalize - divided by φ(q)·Σ φ(k), else by √D
 * @property {'linear' | 'gated' | 'delta' | 'gatedDelta'} rule - how a token changes the state; all but 'linear' are causal
 * @property {'head' | 'feature' | null} decay - what has one of its own at every token
 * @property {boolean} beta - whether tokens have one; keys are of length 1 then
 * @property {number | null} piece - tokens of each step of a state that goes on; null: all in one call
 */

/** Up to so many tokens every row is looked at, by going through all tokens with a state. */
const wholeTokens = 16384;
/** Beyond them, some: about so many queries times keys, in pairs. */
const pairs = 2 ** 21;
/** Largest error allowed, as a part of the largest number of the result. */
const tolerance = 1e-4;

/** These settings with few tokens, though more than one step of a state and more than one chunk. */
export function fewTokens(shape) {
  const { piece } = shape.linear;
  const tokens = 200 + (piece > 1 ? 2 * piece : 0);
  return { ...shape, queries: tokens, keys: tokens };
}

/** The rows that are looked at, ascending, first and last among them. */
export function sampledRows({ queries, keys }) {
  const count = queries <= wholeTokens ? queries : Math.max(4, Math.min(32, Math.floor(pairs / keys)));
  return Array.from({ length: count }, (_, n) => Math.round((n * (queries - 1)) / (count - 1)));
}

/** Output rows of head h in double, one after another: token by token, with a state. */
export function byState(shape, arrays, h, rows) {
  const { queries, keys, width, causal, linear } = shape;
  const { q, k, v, decay, beta } = arrays;
  const head = keyHead(shape, h);
  const state = new Float64Array(width * width);
  const sums = new Float64Array(width);
  const seen = new Float64Array(width);
  const output = new Float64Array(rows.length * width);
  for (let t = 0, next = 0; t < keys; ++t) {
    const at = head * keys + t;
    takeIn(at);
    if (causal && rows[next] === t) read(next++);
  }
  if (!causal) rows.forEach((_, n) => read(n));
  return output;

  function takeIn(at) {
    const key = features(linear, k, at * width, width);
    if (decay) for (let i = 0; i < width; ++i) fade(i, Math.exp(decay[linear.decay === 'feature' ? at * width + i : at]));
    seen.fill(0);
    if (beta) for (let i = 0; i < width; ++i) addTo(seen, 0, key[i], state, i * width, width);
    for (let d = 0; d < width; ++d) seen[d] = (beta ? beta[at] : 1) * (v[at * width + d] - seen[d]);
    for (let i = 0; i < width; ++i) addTo(state, i * width, key[i], seen, 0, width);
    addTo(sums, 0, 1, key, 0, width);
  }

  function fade(i, factor) {
    for (let d = 0; d < width; ++d) state[i * width + d] *= factor;
    sums[i] *= factor;
  }

  function read(n) {
    const query = features(linear, q, (h * queries + rows[n]) * width, width);
    for (let i = 0; i < width; ++i) addTo(output, n * width, query[i], state, i * width, width);
    divide(output, n * width, width, linear.normalize ? dot(query, sums) : Math.sqrt(width));
  }
}

/** Linear attention by all pairs of a query and a key, for the rule 'linear': similarity times value, summed. */
export function byPairs(shape, { q, k, v }, h, rows) {
  const { queries, keys, width, causal, linear } = shape;
  if (linear.rule !== 'linear') throw new Error(`by pairs there is no rule '${linear.rule}'`);
  const head = keyHead(shape, h);
  const asked = rows.map((i) => features(linear, q, (h * queries + i) * width, width).slice());
  const sums = new Float64Array(rows.length);
  const output = new Float64Array(rows.length * width);
  for (let j = 0; j < keys; ++j) {
    const key = features(linear, k, (head * keys + j) * width, width);
    for (let n = 0; n < rows.length; ++n) {
      if (causal && j > rows[n]) continue;
      const weight = dot(asked[n], key);
      sums[n] += weight;
      addTo(output, n * width, weight, v, (head * keys + j) * width, width);
    }
  }
  rows.forEach((_, n) => divide(output, n * width, width, linear.normalize ? sums[n] : Math.sqrt(width)));
  return output;
}

const keyHead = ({ heads, kvHeads }, h) => Math.floor((h * kvHeads) / heads);

const mapped = new Map(); // by width, so that no row needs an array of its own

/** φ of a row; valid until the next one of the same width. */
function features({ featureMap }, values, at, width) {
  if (!mapped.has(width)) mapped.set(width, new Float64Array(width));
  const row = mapped.get(width);
  for (let d = 0; d < width; ++d) {
    const x = values[at + d];
    row[d] = featureMap === 'identity' ? x : x > 0 ? x + 1 : Math.exp(x); // elu(x) + 1
  }
  return row;
}

function addTo(to, place, factor, from, at, width) {
  for (let d = 0; d < width; ++d) to[place + d] += factor * from[at + d];
}

function divide(values, at, width, by) {
  for (let d = 0; d < width; ++d) values[at + d] /= by;
}

function dot(a, b) {
  let sum = 0;
  for (let d = 0; d < a.length; ++d) sum += a[d] * b[d];
  return sum;
}

/** Checks outputs of one shape against the definition: all rows, or those that it asks for. */
export class LinearChecker {
  #shape;
  #wanted = null;

  /** The places of the rows to hand over, heads one after another; null: all. */
  rows;

  /** Checker's field: nobody is accused later here. */
  accused = new Map();

  constructor(shape) {
    this.#shape = shape;
    this.rows = shape.queries <= wholeTokens ? null : this.#places();
  }

  /**
   * @param {Float32Array} output - [H, T, D], or of that the `rows` asked for
   * @returns {{ error: number, complaint: string | null }} the largest error seen, as a part of the largest number of the result
   */
  check(name, output) {
    this.#wanted ??= this.#compute();
    const { values, largest } = this.#wanted;
    if (output.length !== values.length)
      return { error: NaN, complaint: `${output.length} numbers instead of ${values.length}` };
    let most = 0;
    for (let at = 0; at < values.length; ++at) {
      const error = Math.abs(output[at] - values[at]) / largest;
      if (!(error <= tolerance)) return { error, complaint: this.#describe(at, error) };
      most = Math.max(most, error);
    }
    return { error: most, complaint: null };
  }

  #places() {
    const { heads, queries } = this.#shape;
    const rows = sampledRows(this.#shape);
    return Array.from({ length: heads }, (_, h) => rows.map((i) => h * queries + i)).flat();
  }

  /** The inputs are large and are made again where they are needed. */
  #compute() {
    const { heads, width } = this.#shape;
    const arrays = makeArrays(this.#shape);
    const rows = sampledRows(this.#shape);
    const compute = this.rows === null ? byState : byPairs;
    const values = new Float64Array(heads * rows.length * width);
    for (let h = 0; h < heads; ++h) values.set(compute(this.#shape, arrays, h, rows), h * rows.length * width);
    return { values, largest: values.reduce((most, x) => Math.max(most, Math.abs(x)), 0) };
  }

  #describe(at, error) {
    const { queries, width } = this.#shape;
    const place = this.#places()[Math.floor(at / width)];
    const where = `head ${Math.floor(place / queries)}, query ${place % queries}`;
    return `wrong result: off by ${error.toExponential(1)} of the largest number at ${where}, allowed ${tolerance}`;
  }
}
