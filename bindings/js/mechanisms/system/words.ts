/** Weights of positions, summed over those that have the same word. */
import type { Fovea } from '../../fovea/fovea.ts';
import { concat, gather, log, multiply, scatterAdd, transpose } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import { existingIds } from './ids.ts';
import { integerOption } from './option_values.ts';
import { zeros } from './steps.ts';
import type { System } from './system.ts';

/** The words of a source with the words that the vocabulary lacks. */
export interface SourceIds {
  /** [B, Ts], 0 in the padding. */
  readonly list: Int32Array;
  /** V + X. */
  readonly words: number;
}

/**
 * The input `sourceIds`: below V, or V + k of the k-th word that the vocabulary lacks. X is the option `oovCount`, else as many as there
 * are.
 */
export function readSourceIds(system: System, lengths: Lengths, V: number): SourceIds {
  const given = system.options['oovCount'] === undefined ? undefined : integerOption(system, 'oovCount', 0, 2 ** 31 - 1 - V);
  const list = existingIds(system, 'sourceIds', lengths, given === undefined ? 2 ** 31 - 1 : V + given);
  const largest = list.reduce((most, id) => Math.max(most, id), 0);
  return { list, words: given === undefined ? Math.max(V, largest + 1) : V + given };
}

/**
 * The sums of the weights of all positions of a word, for each word.
 *
 * @param weights [B, T, n], 0 in the padding.
 * @param ids of the n positions, row-major: [B, n].
 * @returns [B, T, words].
 */
export function sumByWord(fovea: Fovea, weights: Tensor, ids: Int32Array, words: number): Tensor {
  const [batch, steps, positions] = weights.shape as [number, number, number];
  const rows = transpose(fovea, weights, [1, 0, 2]).reshape([steps, batch * positions]);
  const indices = ids.map((id, n) => Math.floor(n / positions) * words + id);
  const sums = scatterAdd(fovea, rows, indices, { axis: 1, length: batch * words });
  return transpose(fovea, sums.reshape([steps, batch, words]), [1, 0, 2]);
}

/** The distinct words of each document of a batch, with a probability for each. */
export class DocumentWords {
  /** [B, W]: in the order in which they occur first, then -1. */
  readonly ids: Int32Array;
  readonly shape: readonly [number, number];
  readonly #fovea: Fovea;
  /** The existing positions, row-major, and for each of them the place of its word. */
  readonly #positions: number[] = [];
  readonly #places: number[] = [];
  readonly #columns: readonly Map<number, number>[];

  /** `ids` [B, D]. */
  constructor(fovea: Fovea, ids: Int32Array, lengths: Lengths) {
    const { list, size } = lengths;
    this.#fovea = fovea;
    this.#columns = list.map((length, b) => {
      const columns = new Map<number, number>();
      for (const id of ids.subarray(b * size, b * size + length)) if (!columns.has(id)) columns.set(id, columns.size);
      return columns;
    });
    const width = Math.max(0, ...this.#columns.map((columns) => columns.size));
    this.shape = [list.length, width];
    this.ids = new Int32Array(list.length * width).fill(-1);
    this.#columns.forEach((columns, b) => this.ids.set([...columns.keys()], b * width));
    list.forEach((length, b) => {
      for (let t = 0; t < length; t++) {
        this.#positions.push(b * size + t);
        this.#places.push(b * width + this.#columns[b]!.get(ids[b * size + t]!)!);
      }
    });
  }

  /** The sums of the weights [B, D] of each word's positions: [B, W]. */
  sum(weights: Tensor): Tensor {
    const [batch, width] = this.shape;
    const existing = gather(this.#fovea, weights.reshape([weights.shape[0]! * weights.shape[1]!]), this.#positions);
    return scatterAdd(this.#fovea, existing, this.#places, { length: batch * width }).reshape([batch, width]);
  }

  /** The probability of given words, of each entry as many, 0 of a word that is not in the document: flat. */
  pick(probability: Tensor, ids: Int32Array): Tensor {
    const [batch, width] = this.shape;
    const each = ids.length / batch;
    const none = batch * width;
    const places = [...ids].map((id, n) => {
      const b = Math.floor(n / each);
      const column = this.#columns[b]!.get(id);
      return column === undefined ? none : b * width + column;
    });
    return gather(this.#fovea, concat(this.#fovea, [probability.reshape([none]), zeros(this.#fovea, [1])]), places);
  }

  /** -ln of the probability of one word for each entry: [B]. */
  loss(probability: Tensor, answers: Int32Array): Tensor {
    return multiply(this.#fovea, log(this.#fovea, this.pick(probability, answers)), -1);
  }
}
