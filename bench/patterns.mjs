// Which pairs the sparse shapes keep: the definitions once more, apart from the package's, so that they can judge it.

/**
 * @typedef {object} Rule - one of these
 * @property {[number, number]} [window] - keys from so many before the query to so many behind it
 * @property {number} [atrous] - keys at distances divisible by this
 * @property {number} [documents] - of this length, one after another: keys of the query's own
 * @property {{ block: number, window: number, global: number, random: number, seed: number }} [bigBird] - in blocks: a window, the
 *   first ones, and some drawn for each block of queries
 * @property {{ edges: number, seed: number }} [graph] - so many pairs drawn; those drawn twice count once
 * @property {Rule[]} [or] - what any of them keeps
 */

/** The kept keys of query `i` of head `h` as [from, to), ascending, with gaps between them. */
export function keptSpans(rule, keys, h, i) {
  const [[kind, given]] = Object.entries(rule);
  return spansBy[kind](given, keys, h, i);
}

/** Whether heads keep different pairs. */
export const differsByHead = (rule) => 'bigBird' in rule || (rule.or ?? []).some(differsByHead);

const spansBy = {
  window: ([left, right], keys, h, i) => [[Math.max(0, i - left), Math.min(keys, i + right + 1)]],
  atrous: (step, keys, h, i) =>
    single(Array.from({ length: Math.ceil((keys - (i % step)) / step) }, (_, n) => (i % step) + n * step)),
  documents: (length, keys, h, i) => [blockAt(Math.floor(i / length), length, keys)],
  graph: ({ edges, seed }, keys, h, i) => {
    const { indptr, indices } = randomGraph(keys, edges, seed);
    return single(indices.subarray(indptr[i], indptr[i + 1]));
  },
  or: (rules, keys, h, i) => united(rules.flatMap((rule) => keptSpans(rule, keys, h, i))),
  bigBird: ({ block, window, global, random, seed }, keys, h, i) => {
    const own = Math.floor(i / block);
    const count = Math.ceil(keys / block);
    if (own < global) return [[0, keys]];
    const side = (window - 1) / 2;
    const seen = [
      ...Array.from({ length: Math.min(global, count) }, (_, b) => b),
      ...Array.from({ length: window }, (_, n) => own - side + n).filter((b) => b >= 0 && b < count),
      ...drawnBlocks({ count, wanted: random, own, h, seed }),
    ];
    return united(seen.map((b) => blockAt(b, block, keys)));
  },
};

const single = (list) => Array.from(list, (j) => [j, j + 1]);
const blockAt = (b, size, keys) => [b * size, Math.min(keys, (b + 1) * size)];

function united(spans) {
  const merged = [];
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Floyd's choice of `wanted` blocks out of `count`, without repeats, by the generator at stream 4. */
function drawnBlocks({ count, wanted, own, h, seed }) {
  const taken = new Set();
  const draws = Math.min(wanted, count);
  for (let s = 0; s < draws; ++s) {
    const last = count - draws + s;
    const word = philox([seed >>> 0, Math.floor(seed / 2 ** 32)], [Math.floor(s / 4), own, h, 4])[s % 4];
    const drawn = Math.floor(((word >>> 9) + 0.5) * 2 ** -23 * (last + 1));
    taken.add(taken.has(drawn) ? last : drawn);
  }
  return [...taken];
}

const graphs = new Map();

/** Edges from nodes to nodes, both ends drawn uniformly: { indptr, indices }, ascending in a row, each once. */
export function randomGraph(nodes, edges, seed) {
  const name = [nodes, edges, seed].join();
  if (!graphs.has(name)) graphs.set(name, drawGraph(nodes, edges, seed));
  return graphs.get(name);
}

function drawGraph(nodes, edges, seed) {
  const ends = new Uint32Array(2 * edges); // query, key, query, key, …
  for (let at = 0; at < ends.length; at += 4) ends.set(philox([seed, 0], [at / 4, 0, 0, 0]).slice(0, ends.length - at), at);
  const end = (at) => Math.floor((ends[at] / 2 ** 32) * nodes);

  const starts = new Int32Array(nodes + 1);
  for (let at = 0; at < ends.length; at += 2) starts[end(at) + 1]++;
  for (let i = 0; i < nodes; ++i) starts[i + 1] += starts[i];
  const next = starts.slice();
  const keys = new Int32Array(edges);
  for (let at = 0; at < ends.length; at += 2) keys[next[end(at)]++] = end(at + 1);

  const indptr = new Int32Array(nodes + 1);
  let kept = 0;
  for (let i = 0; i < nodes; ++i) {
    for (const key of keys.slice(starts[i], starts[i + 1]).sort()) {
      if (kept === indptr[i] || keys[kept - 1] !== key) keys[kept++] = key;
    }
    indptr[i + 1] = kept;
  }
  return { indptr, indices: keys.subarray(0, kept) };
}

/** Philox4x32-10 (Salmon et al. 2011): four words of 32 bits. */
export function philox([k0, k1], [c0, c1, c2, c3]) {
  for (let round = 0; round < 10; ++round) {
    [c0, c1, c2, c3] = [
      (high(0xcd9e8d57, c2) ^ c1 ^ (k0 + round * 0x9e3779b9)) >>> 0,
      Math.imul(0xcd9e8d57, c2) >>> 0,
      (high(0xd2511f53, c0) ^ c3 ^ (k1 + round * 0xbb67ae85)) >>> 0,
      Math.imul(0xd2511f53, c0) >>> 0,
    ];
  }
  return [c0, c1, c2, c3];
}

/** The upper half of a product of two 32-bit numbers. Every step is exact in a double. */
function high(a, b) {
  const low = (a & 0xffff) * b;
  return Math.floor(((a >>> 16) * b + Math.floor(low / 65536)) / 65536);
}
