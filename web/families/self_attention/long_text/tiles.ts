import type { Matrix } from '../../../figures/matrix.ts';
import type { ReadRows } from './rows.ts';

/** A square part of the pairs of a text, drawn in tiles: each cell is the mean and the largest of its weights. */
export interface View {
  /** First query and first key. */
  readonly row: number;
  readonly col: number;
  /** Queries, and as many keys. */
  readonly span: number;
}

/** Queries whose weights are held at once. */
const ROWS = 16;

/** The view as it can be shown of `tokens` words with at most `side` tiles a side: inside the text, no smaller than a word a tile. */
export function fittedView({ row, col, span }: View, tokens: number, side: number): View {
  const least = Math.min(tokens, side);
  const size = Math.min(tokens, Math.max(least, span));
  const within = (start: number): number => Math.max(0, Math.min(tokens - size, start));
  return { row: within(row), col: within(col), span: size };
}

/** Words a tile's side has. */
export const tileOf = ({ span }: View, side: number): number => Math.max(1, Math.ceil(span / side));

/** A part of the view, an eighth or so of its pairs, around a pair of words. */
export function nearer({ span }: View, query: number, key: number, tokens: number, side: number): View {
  const size = Math.ceil(span / 3);
  return fittedView({ row: query - Math.floor(size / 2), col: key - Math.floor(size / 2), span: size }, tokens, side);
}

export interface Tiles {
  readonly mean: Matrix;
  readonly max: Matrix;
}

/** Computes a view a few queries at a time; each call of `next` does one piece and says how much is done, from 0 to 1. */
export class TileRun {
  readonly #read: ReadRows;
  readonly #view: View;
  readonly #tile: number;
  readonly #tokens: number;
  readonly #side: number;
  readonly #sums: Float64Array;
  readonly #largest: Float32Array;
  #done = 0;

  constructor(read: ReadRows, tokens: number, view: View, side: number) {
    [this.#read, this.#view, this.#tokens] = [read, view, tokens];
    this.#tile = tileOf(view, side);
    this.#side = Math.ceil(view.span / this.#tile);
    this.#sums = new Float64Array(this.#side ** 2);
    this.#largest = new Float32Array(this.#side ** 2);
  }

  next(): number {
    const { row, col, span } = this.#view;
    const from = this.#done;
    const to = Math.min(span, from + ROWS);
    const rows = this.#read(row + from, row + to);
    for (let i = from; i < to; i++) {
      const start = (i - from) * this.#tokens + col;
      const line = Math.floor(i / this.#tile) * this.#side;
      for (let j = 0; j < span; j++) {
        const cell = line + Math.floor(j / this.#tile);
        const x = rows[start + j]!;
        this.#sums[cell]! += x;
        if (x > this.#largest[cell]!) this.#largest[cell] = x;
      }
    }
    this.#done = to;
    return to / span;
  }

  /** The tiles; the last ones of a line may have fewer words. */
  tiles(): Tiles {
    const side = this.#side;
    const words = (n: number): number => Math.min(this.#tile, this.#view.span - n * this.#tile);
    const mean = Float32Array.from(this.#sums, (sum, n) => sum / (words(Math.floor(n / side)) * words(n % side)));
    return { mean: { data: mean, rows: side, cols: side }, max: { data: this.#largest, rows: side, cols: side } };
  }
}
