// Whether a result is right: attention by its definition, in double precision.

import { makeArrays } from './arrays.mjs';
import { allowedSpans } from './shapes.mjs';

/** Largest error allowed, as a part of the largest |v|. Float32 by the definition stays below a tenth of it. */
const tolerance = 1e-5;
const rowsPerHead = 32;

/** Output row i of head h, in double; zeros where nothing is allowed. */
export function referenceRow(shape, { q, k, v }, h, i) {
  const { heads, kvHeads, queries, keys, width } = shape;
  const kvHead = Math.floor((h * kvHeads) / heads);
  const allowed = allowedSpans(shape, h, i).flatMap(([from, to]) => Array.from({ length: to - from }, (_, n) => from + n));
  const row = new Float64Array(width);
  if (allowed.length === 0) return row;
  const query = (h * queries + i) * width;
  const logits = allowed.map((j) => {
    const key = (kvHead * keys + j) * width;
    let dot = 0;
    for (let d = 0; d < width; ++d) dot += q[query + d] * k[key + d];
    return dot / Math.sqrt(width);
  });
  const maximum = logits.reduce((a, b) => Math.max(a, b));
  let sum = 0;
  allowed.forEach((j, n) => {
    const weight = Math.exp(logits[n] - maximum);
    const value = (kvHead * keys + j) * width;
    sum += weight;
    for (let d = 0; d < width; ++d) row[d] += weight * v[value + d];
  });
  return row.map((x) => x / sum);
}

/**
 * Checks whole outputs of one shape. Rows spread over every head, first and last among them, are held against the reference;
 * the others against the first output that passed, and where the two differ the reference decides about both.
 */
export class Checker {
  #shape;
  #arrays;
  #bound;
  #rows = new Map();
  #witness = null;

  /** It looks at all rows. */
  rows = null;

  /** Complaints about an earlier output that a later one revealed: a map of names to complaints. */
  accused = new Map();

  constructor(shape) {
    this.#shape = shape;
    this.#arrays = makeArrays(shape);
    this.#bound = tolerance * this.#arrays.v.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }

  /**
   * @param {string} name - whose output it is
   * @param {Float32Array} output - [H, Tq, D]
   * @returns {{ error: number, complaint: string | null }} the largest error seen, as a part of the largest |v|
   */
  check(name, output) {
    const { heads, queries, width } = this.#shape;
    const length = heads * queries * width;
    if (output.length !== length) return { error: NaN, complaint: `${output.length} numbers instead of ${length}` };

    let largest = 0;
    for (let row = 0; row < heads * queries; ++row) {
      const agrees = this.#agreesWithWitness(output, row);
      if (agrees && !this.#isSampled(row % queries)) continue;
      const error = this.#rowError(output, row);
      if (!(error <= this.#bound)) return { error: this.#relative(error), complaint: this.#describe(row, error) };
      if (!agrees) this.#accuseWitness(row);
      largest = Math.max(largest, error);
    }
    this.#witness ??= { name, output };
    return { error: this.#relative(largest), complaint: null };
  }

  #isSampled(i) {
    const { queries } = this.#shape;
    return i === queries - 1 || Math.floor((i * rowsPerHead) / queries) !== Math.floor(((i - 1) * rowsPerHead) / queries);
  }

  /** Without a witness a row must only be finite. */
  #agreesWithWitness(output, row) {
    const { width } = this.#shape;
    const other = this.#witness?.output;
    for (let at = row * width; at < (row + 1) * width; ++at) {
      if (!(other ? Math.abs(output[at] - other[at]) <= this.#bound : Number.isFinite(output[at]))) return false;
    }
    return true;
  }

  /** Called where another output differs from the witness and is right. */
  #accuseWitness(row) {
    if (this.#witness === null) return;
    const error = this.#rowError(this.#witness.output, row);
    if (error <= this.#bound) return;
    this.accused.set(this.#witness.name, this.#describe(row, error));
    this.#witness = null;
  }

  #rowError(output, row) {
    const { queries, width } = this.#shape;
    if (!this.#rows.has(row)) {
      this.#rows.set(row, referenceRow(this.#shape, this.#arrays, Math.floor(row / queries), row % queries));
    }
    const wanted = this.#rows.get(row);
    const errors = wanted.map((x, d) => Math.abs(output[row * width + d] - x));
    return errors.reduce((most, error) => (error <= most ? most : error), 0); // NaN stays
  }

  #relative(error) {
    return (error / this.#bound) * tolerance;
  }

  #describe(row, error) {
    const { queries } = this.#shape;
    const place = `head ${Math.floor(row / queries)}, query ${row % queries}`;
    return `wrong result: off by ${error.toExponential(1)} at ${place}, allowed ${this.#bound.toExponential(1)}`;
  }
}
