/** The Reformer's pairs: which tokens share a bucket. Integers only. */
import type { Lengths } from './lengths.ts';

export interface BucketOptions {
  /** [B, heads, R, T]. */
  readonly buckets: Int32Array;
  readonly batch: number;
  readonly heads: number;
  readonly rounds: number;
  readonly lengths: Lengths;
  readonly causal: boolean;
  /** 0 = no chunks. */
  readonly chunkLength: number;
}

export interface BucketPairs {
  /** For each round [B, heads, T, T]: 1 where query i sees key j. */
  readonly pairs: Float32Array[];
  /** [B, heads, T, T]: in how many rounds it does. */
  readonly counts: Float32Array;
}

/** A token sees the others of its bucket; itself, in every round, only where no round has another. */
export function bucketPairs({ buckets, batch, heads, rounds, lengths, causal, chunkLength }: BucketOptions): BucketPairs {
  const T = lengths.size;
  const pairs = Array.from({ length: rounds }, () => new Float32Array(batch * heads * T * T));
  const counts = new Float32Array(batch * heads * T * T);
  for (let group = 0; group < batch * heads; group++) {
    const length = lengths.list[Math.floor(group / heads)]!;
    const own = pairs.map((_, r) => buckets.subarray((group * rounds + r) * T, (group * rounds + r) * T + length));
    const chunks = own.map((ids) => chunksOf(ids, chunkLength));
    for (let i = 0; i < length; i++) {
      const row = (group * T + i) * T;
      let isAlone = true;
      for (let j = 0; j < (causal ? i : length); j++) {
        if (j === i) continue;
        own.forEach((ids, r) => {
          const back = chunks[r]![i]! - chunks[r]![j]!;
          if (ids[j] !== ids[i] || back < 0 || back > 1) return;
          pairs[r]![row + j] = 1;
          counts[row + j]!++;
          isAlone = false;
        });
      }
      if (!isAlone) continue;
      pairs.forEach((one) => (one[row + i] = 1));
      counts[row + i] = rounds;
    }
  }
  return { pairs, counts };
}

/** The chunk of each token among those sorted by bucket and position; 0 for all without chunks. */
function chunksOf(ids: Int32Array, chunkLength: number): Int32Array {
  const chunks = new Int32Array(ids.length);
  if (chunkLength === 0) return chunks;
  const sorted = [...ids.keys()].sort((a, b) => ids[a]! - ids[b]! || a - b);
  sorted.forEach((token, rank) => (chunks[token] = Math.floor(rank / chunkLength)));
  return chunks;
}
