/** Scores as they are defined, in double, one pair at a time. */
import type { NDArray } from 'fovea';

/** [heads, rows, width] of one batch entry. */
export type Rows = (h: number, row: number) => Float32Array;

export function rowsOf({ data, shape }: NDArray): Rows {
  const [tokens, width] = shape.slice(-2) as [number, number];
  return (h, row) => data.subarray((h * tokens + row) * width, (h * tokens + row + 1) * width);
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!;
  return sum;
}

/** x · W for W [in, out]. */
export function through(x: ArrayLike<number>, W: NDArray): number[] {
  const outer = W.shape[1]!;
  return Array.from({ length: outer }, (_, o) => {
    let sum = 0;
    for (let d = 0; d < x.length; d++) sum += x[d]! * W.data[d * outer + o]!;
    return sum;
  });
}

export function additive(
  q: ArrayLike<number>,
  k: ArrayLike<number>,
  Wq: NDArray,
  Wk: NDArray,
  w: NDArray,
  bias?: NDArray,
  f: (x: number) => number = Math.tanh,
): number {
  const [a, b] = [through(q, Wq), through(k, Wk)];
  return a.reduce((sum, x, n) => sum + w.data[n]! * f(x + b[n]! + (bias?.data[n] ?? 0)), 0);
}

export function cosine(q: ArrayLike<number>, k: ArrayLike<number>): number {
  const lengths = Math.sqrt(dot(q, q) * dot(k, k));
  return lengths === 0 ? 0 : dot(q, k) / lengths;
}
