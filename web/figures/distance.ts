import type { Matrix } from './matrix.ts';

/** How far one matrix is from another: a picture of the difference, and its size. */

/** a − b. */
export function difference(a: Matrix, b: Matrix): Matrix {
  return { ...a, data: Float32Array.from(a.data, (x, n) => x - (b.data[n] ?? NaN)) };
}

export interface Distance {
  /** The largest |a − b|, and where it stands. */
  readonly largest: number;
  readonly row: number;
  readonly col: number;
  /** ‖a − b‖ / ‖b‖, Frobenius norms. */
  readonly relative: number;
}

/** How far an approximation is from what is exact. */
export function distance(approximate: Matrix, exact: Matrix): Distance {
  let [largest, where, squares, norm] = [0, 0, 0, 0];
  Array.from(exact.data).forEach((b, n) => {
    const error = Math.abs((approximate.data[n] ?? NaN) - b);
    // The other way round a NaN would be lost.
    if (!(error <= largest)) [largest, where] = [error, n];
    squares += error * error;
    norm += b * b;
  });
  return {
    largest,
    row: Math.floor(where / exact.cols),
    col: where % exact.cols,
    relative: squares === 0 ? 0 : Math.sqrt(squares / norm),
  };
}
