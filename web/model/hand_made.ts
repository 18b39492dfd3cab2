/** A head set by hand on the tokens of a trained model, and how near two heads are. */
import type { Fovea } from 'fovea';
import { at, nested, type Matrix } from '../figures/matrix.ts';
import { head, type HeadName } from '../text/named_heads.ts';
import { embed } from '../text/vectors.ts';

/** A piece without the sign that says that a word begins there. */
export const wordOf = (piece: string): string => piece.replace(/^[▁Ġ]|^##/, '') || piece;

export function handMade(fovea: Fovea, name: HeadName, pieces: readonly string[]): Matrix {
  const { X, axes } = embed(pieces.map(wordOf), true);
  const { q, k, v } = head(name, axes);
  const params = { Wq: nested(q.matrix), Wk: nested(k.matrix), Wv: nested(v.matrix) };
  const { weights } = fovea.selfAttention(nested(X), params, { returnWeights: true });
  return { data: weights.data, rows: pieces.length, cols: pieces.length };
}

/** 0 … 1: how much of a row's weight stands in the same places, the mean of all rows. */
export function overlap(a: Matrix, b: Matrix): number {
  let shared = 0;
  for (let r = 0; r < a.rows; r++) for (let c = 0; c < a.cols; c++) shared += Math.min(at(a, r, c), at(b, r, c));
  return shared / a.rows;
}
