// What is measured. All are self-attention in float32 with B = 1, the scale 1/√D and standard inputs, unless it says otherwise.

/**
 * @typedef {object} Shape
 * @property {string} id
 * @property {string} title
 * @property {number} heads - of queries
 * @property {number} kvHeads
 * @property {number} queries - Tq
 * @property {number} keys - Tk
 * @property {number} width - D
 * @property {boolean} causal - key j for query i only if j ≤ i
 * @property {number | null} window - key j for query i only if |i - j| ≤ window
 * @property {boolean} brief - part of `--quick`, and of what is measured beside Chromium
 * @property {boolean} decode - bound by reading keys and values, not by arithmetic
 * @property {'fovea' | null} only - measured for one package only, and only when named by `--only`
 */

const standard = { heads: 8, width: 64, causal: false, window: null, brief: false, decode: false, only: null };

const dense = (tokens, more = {}) => shape({ id: `n${tokens}`, title: `N = ${tokens}`, queries: tokens, ...more });

function shape(given) {
  const whole = { ...standard, ...given };
  return { kvHeads: whole.heads, keys: whole.queries, ...whole };
}

/** @type {Shape[]} */
export const shapes = [
  dense(128, { brief: true }),
  dense(512, { brief: true }),
  dense(1024),
  dense(2048, { brief: true }),
  dense(4096),
  dense(512, { id: 'h12', title: 'H = 12, N = 512', heads: 12 }),
  dense(1024, { id: 'd128', title: 'D = 128, N = 1024', width: 128 }),
  dense(8192, { id: 'h1', title: 'H = 1, N = 8192', heads: 1 }),
  dense(2048, { id: 'causal', title: 'causal, N = 2048', causal: true, brief: true }),
  dense(4096, { id: 'window', title: 'window ± 256, N = 4096', window: 256 }),
  dense(1024, { id: 'gqa', title: 'H = 8 over 2, N = 1024', kvHeads: 2 }),
  shape({ id: 'decode', title: 'decode, 1 × 4096', queries: 1, keys: 4096, decode: true, brief: true }),
  dense(65536, { id: 'n65536', title: 'H = 1, N = 65536', heads: 1, only: 'fovea' }),
];

/** The keys that query `i` may attend to: [from, to). */
export function allowedKeys({ keys, causal, window }, i) {
  const from = window === null ? 0 : Math.max(0, i - window);
  const to = Math.min(keys, causal ? i + 1 : keys, window === null ? keys : i + window + 1);
  return [from, to];
}

/** Floating-point operations that the definition needs: a product and a sum per pair and width, for scores and for values. */
export function flopsOf(shape) {
  let pairs = 0;
  for (let i = 0; i < shape.queries; ++i) {
    const [from, to] = allowedKeys(shape, i);
    pairs += to - from;
  }
  return 4 * shape.heads * shape.width * pairs;
}

/** Bytes of keys and values: what must be read at least. */
export function cacheBytes({ kvHeads, keys, width }) {
  return 2 * 4 * kvHeads * keys * width;
}

/** Bytes of q, k, v and the output. */
export function arrayBytes(shape) {
  return 2 * 4 * shape.heads * shape.queries * shape.width + cacheBytes(shape);
}

/** The shapes by the names of their axes: q and the output [H, Tq, D], k and v [Hkv, Tk, D]. */
export function dimensions({ heads, kvHeads, queries, keys, width }) {
  return { q: [heads, queries, width], kv: [kvHeads, keys, width] };
}
