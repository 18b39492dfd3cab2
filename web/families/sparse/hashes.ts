import type { Fovea } from 'fovea';
import { reformer } from 'fovea/mechanisms';
import type { LshOptions } from 'fovea/pattern';

/** Degrees at which the circle's sectors are looked up. */
export const SECTORS: readonly number[] = Array.from({ length: 180 }, (_, i) => 2 * i);

/** Vectors in the plane, by their degrees. */
export function directions(degrees: readonly number[], length = 1): number[][] {
  return degrees.map((angle) => {
    const turn = (angle * Math.PI) / 180;
    return [length * Math.cos(turn), length * Math.sin(turn)];
  });
}

/** By round, the bucket of each direction. Batch entries are hashed alike, and no pairs are made between them. */
export function bucketsOf(fovea: Fovea, x: readonly (readonly number[])[], lsh: LshOptions): number[][] {
  const entries = x.map((direction) => [direction]);
  const { data } = reformer(fovea, { x: entries }, {}, { lsh }).buckets;
  const rounds = lsh.rounds ?? 1;
  return Array.from({ length: rounds }, (_, round) => x.map((_, token) => data[token * rounds + round] ?? 0));
}

/** For each query the key to which it would give most if all shared a bucket, where `weights` has nothing for it. */
export function missedPairs(
  fovea: Fovea,
  x: readonly (readonly number[])[],
  weights: Float32Array,
): { row: number; col: number }[] {
  const n = x.length;
  const together = { data: new Int32Array(n), shape: [1, n] };
  const { data } = reformer(fovea, { x, buckets: together }, {}).weights;
  return x.flatMap((_, row) => {
    const given = Array.from(data.slice(row * n, (row + 1) * n));
    const col = given.indexOf(Math.max(...given));
    return weights[row * n + col] === 0 ? [{ row, col }] : [];
  });
}
