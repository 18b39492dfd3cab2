/** Pairs of a query and a key that patterns of sparse attention allow, in closed forms. Integers of any size. */

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** At most k positions away. */
export function local(n: bigint, k: bigint): bigint {
  const reach = least(k, most(0n, n - 1n));
  return n * (2n * reach + 1n) - reach * (reach + 1n);
}

/** k divides the distance: r = n mod k classes of q + 1 positions, k - r of q. */
export function atrous(n: bigint, k: bigint): bigint {
  const [q, r] = [n / k, n % k];
  return r * (q + 1n) * (q + 1n) + (k - r) * q * q;
}

/** Either; the distances 0 and k are in both. */
export function sparse(n: bigint, k: bigint): bigint {
  return local(n, k) + atrous(n, k) - (n + 2n * most(0n, n - k));
}

/** w positions on each side, `dilation` apart, and `global` tokens at the beginning that see all and are seen by all. */
export function longformer(n: bigint, w: bigint, dilation: bigint, global: bigint): bigint {
  const g = least(global, n);
  const m = n - g;
  // Σ_{q=1..w} max(0, m - q·dilation): the terms above 0.
  const terms = least(w, m === 0n ? 0n : (m - 1n) / dilation);
  const oneSide = terms * m - (dilation * terms * (terms + 1n)) / 2n;
  return m + 2n * oneSide + 2n * g * n - g * g;
}

/** Pairs of N blocks: a window of blocks, global ones, and random ones among those that a block does not see yet. */
export function bigBird(N: bigint, window: bigint, global: bigint, random: bigint): bigint {
  const [half, g] = [window / 2n, least(global, N)];
  let count = g * N;
  const seen = (i: bigint): bigint => {
    const [first, last] = [most(i - half, g), least(i + half, N - 1n)];
    const blocks = g + most(0n, last - first + 1n);
    return blocks + least(random, N - blocks);
  };
  // Rows between the two ends see as many blocks each.
  const [from, to] = [most(g, g + half), N - half];
  for (let i = g; i < N; i++) {
    if (i === from && to > from) {
      count += (to - from) * seen(i);
      i = to;
      if (i >= N) break;
    }
    count += seen(i);
  }
  return count;
}

/** Both axes of a grid, one after the other ('passes': a token's own pair counts in each) or as one. */
export function axial(
  n: bigint,
  height: bigint,
  width: bigint,
  form: 'passes' | 'union',
): { pairs: bigint; diagonals: bigint } {
  const isPasses = form === 'passes';
  return { pairs: n * (height + width - (isPasses ? 0n : 1n)), diagonals: isPasses ? 2n : 1n };
}

/** Chunks of m tokens, the last maybe shorter: each sees itself and the one before. */
export function lshChunks(n: bigint, m: bigint): bigint {
  const [whole, rest] = [n / m, n % m];
  const first = whole > 0n ? m * m + (whole - 1n) * 2n * m * m : 0n;
  return first + rest * (rest + (whole > 0n ? m : 0n));
}
