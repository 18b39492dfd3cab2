/** The library's generator, written from its definition: Philox4x32-10 (Salmon et al. 2011), and blocks drawn by Floyd's rule. */

type Four = [number, number, number, number];

/** The high and low words of the product of two 32-bit words. */
function product(a: number, b: number): [high: number, low: number] {
  const whole = BigInt(a >>> 0) * BigInt(b >>> 0);
  return [Number(whole >> 32n), Number(whole & 0xffffffffn)];
}

export function philox(seed: number, counter: Four): Four {
  let [k0, k1] = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)];
  let [c0, c1, c2, c3] = counter;
  for (let round = 0; round < 10; round++) {
    const [high0, low0] = product(0xd2511f53, c0);
    const [high1, low1] = product(0xcd9e8d57, c2);
    [c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1, (high0 ^ c3 ^ k1) >>> 0, low0];
    [k0, k1] = [(k0 + 0x9e3779b9) % 2 ** 32, (k1 + 0xbb67ae85) % 2 ** 32];
  }
  return [c0, c1, c2, c3];
}

/** The key blocks that a block of queries sees. */
export function drawnBlocks(
  { perQuery, block, seed }: { perQuery: number; block: number; seed: number },
  queryBlock: number,
  head: number,
  keys: number,
): Set<number> {
  const n = Math.ceil(keys / block);
  const r = Math.min(perQuery, n);
  const taken = new Set<number>();
  for (let s = 0; s < r; s++) {
    const t = n - r + s;
    const words = philox(seed, [Math.floor(s / 4), queryBlock >>> 0, head, 4]);
    const u = Math.floor(((words[s % 4]! >>> 9) + 0.5) * 2 ** -23 * (t + 1));
    taken.add(taken.has(u) ? t : u);
  }
  return taken;
}

/** FNV-1a (32 bit) of a text's bytes in UTF-8. */
export function fnv1a(text: string): number {
  return new TextEncoder().encode(text).reduce((hash, byte) => product(hash ^ byte, 16777619)[1], 2166136261);
}

export function uniform(word: number): number {
  return ((word >>> 9) + 0.5) * 2 ** -23;
}

/** Normal n of the four of one call: Box-Muller of the words 0 and 1, then of 2 and 3. */
export function normal(words: Four, n: number): number {
  const [first, second] = n < 2 ? [words[0], words[1]] : [words[2], words[3]];
  const angle = 2 * Math.PI * uniform(second);
  return Math.sqrt(-2 * Math.log(uniform(first))) * (n % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
}
