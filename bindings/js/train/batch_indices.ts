/** `batchIndices`: which examples a step takes. */
import { checkInteger, readOptions } from '../errors/options.ts';
import { checkSeed } from '../errors/seeds.ts';

export interface BatchIndicesOptions {
  /** An integer from 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
  /** The step: 1 is the first. */
  readonly step: number;
}

/**
 * The indices of the examples of a step: in every pass over all `count` examples each comes once, in an order that the seed and the number of the pass
 * choose. Nothing is kept between calls, so a run that goes on from step n takes what an uninterrupted one would.
 *
 * @param count how many examples there are, at least 1, at most 2^31.
 * @param size how many a step takes.
 * @returns `size` integers from 0 to count - 1; the same in every engine.
 * @throws AttentionError `value` | `option`.
 *
 * Source: a Feistel network of Philox2x32-10 (Salmon et al. 2011, §3.3), walked until it stays below `count` (Black, Rogaway 2002, §3).
 * @example
 * import { batchIndices } from 'fovea/train';
 * const first = batchIndices(4, 2, { seed: 1, step: 1 });
 * const second = batchIndices(4, 2, { seed: 1, step: 2 });
 * console.assert([...first, ...second].sort().join() === '0,1,2,3');
 */
export function batchIndices(count: number, size: number, options: BatchIndicesOptions): Int32Array {
  const fn = 'batchIndices';
  const { seed = 0, step } = readOptions<BatchIndicesOptions>(fn, options, ['seed', 'step']);
  checkInteger(fn, 'count', count, 1, 2 ** 31);
  checkInteger(fn, 'size', size, 0, 2 ** 31 - 1);
  checkSeed(fn, seed);
  checkInteger(fn, 'step', step, 1, Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, size)));
  const indices = new Int32Array(size);
  for (let n = 0; n < size; n++) {
    const drawn = (step - 1) * size + n;
    indices[n] = permuted(drawn % count, count, seed, Math.floor(drawn / count));
  }
  return indices;
}

/** The network's rounds: more than Luby and Rackoff's four. */
const ROUNDS = 6;

/** Where a permutation of [0, count) takes an index. */
function permuted(index: number, count: number, seed: number, pass: number): number {
  // The network permutes [0, half²), the smallest such range that holds [0, count).
  let half = 2;
  while (half * half < count) half *= 2;
  const mask = half - 1;
  const key = philox(pass >>> 0, Math.floor(pass / 2 ** 32), philox(seed >>> 0, Math.floor(seed / 2 ** 32), 0));
  let at = index;
  do {
    let left = Math.floor(at / half);
    let right = at & mask;
    for (let round = 0; round < ROUNDS; round++) [left, right] = [right, (left ^ philox(right, round, key)) & mask];
    at = left * half + right;
  } while (at >= count);
  return at;
}

/** Philox2x32's multiplier, and what its key grows by from round to round. */
const MULTIPLIER = 0xd256d193;
const WEYL = 0x9e3779b9;

/** The first word of Philox2x32-10. */
function philox(low: number, high: number, key: number): number {
  let [a, b] = [low, high];
  for (let round = 0; round < 10; round++) {
    [a, b] = [(multiplyHigh(a, MULTIPLIER) ^ key ^ b) >>> 0, Math.imul(a, MULTIPLIER) >>> 0];
    key = (key + WEYL) >>> 0;
  }
  return a;
}

/** The upper half of the product of two words. */
function multiplyHigh(a: number, b: number): number {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  return a1 * b1 + Math.floor(middle / 0x10000) + ((((middle % 0x10000) + a0 * b1) / 0x10000) | 0);
}
