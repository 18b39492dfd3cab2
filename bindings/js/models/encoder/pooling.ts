/** One vector of the states of a text's tokens. Sums are in double, in the order of the tokens. */
import type { Pooling } from '../types/index.ts';

export const POOLINGS = [
  'mean',
  'cls',
  'max',
  'lastToken',
  'meanSqrtLength',
  'weightedMean',
] as const satisfies readonly Pooling[];

/** @param states [tokens, width], row-major */
export function pool(states: Float32Array, width: number, pooling: Pooling): Float64Array {
  const tokens = states.length / width;
  const row = (token: number): Float32Array => states.subarray(token * width, (token + 1) * width);
  if (pooling === 'cls') return Float64Array.from(row(0));
  if (pooling === 'lastToken') return Float64Array.from(row(tokens - 1));
  const pooled = new Float64Array(width).fill(pooling === 'max' ? -Infinity : 0);
  for (let token = 0; token < tokens; token++) {
    const own = row(token);
    const weight = pooling === 'weightedMean' ? token + 1 : 1;
    for (let i = 0; i < width; i++)
      pooled[i] = pooling === 'max' ? Math.max(pooled[i]!, own[i]!) : pooled[i]! + weight * own[i]!;
  }
  if (pooling === 'max') return pooled;
  const divisor = { mean: tokens, meanSqrtLength: Math.sqrt(tokens), weightedMean: (tokens * (tokens + 1)) / 2 }[pooling];
  return pooled.map((sum) => sum / divisor);
}

/** Sets the length to 1; zeros stay zeros. */
export function toUnitLength(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return length === 0 ? vector : vector.map((x) => x / length);
}
