// Shapes to measure. All are self-attention in float32 with B = 1, the scale 1/√D and standard inputs, unless it says otherwise.

import { differsByHead, keptSpans } from './patterns.mjs';

/** The groups of shapes that can be asked for together. */
export const families = ['sparse', 'linear', 'encoder'];

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
 * @property {import('./patterns.mjs').Rule | null} pattern - which pairs are kept, in place of a rule of place
 * @property {boolean} brief - part of `--quick`, and of what is measured beside Chromium
 * @property {boolean} full - part of what is measured at length
 * @property {boolean} decode - bound by reading keys and values, not by arithmetic
 * @property {boolean} float16 - keys and values are numbers of float16, and in a cache of them
 * @property {'fovea' | null} only - measured for one package only, and only when named by `--only`
 * @property {import('./linear.mjs').Linear | null} linear - linear attention in place of that of all pairs
 * @property {import('./encoder.mjs').Encoder | null} encoder - a transformer encoder in place of attention alone
 * @property {string | null} group - shapes of a group are measured together, in the same rounds; those without, by themselves. All
 *   groups are of sparse attention, of linear attention or of encoders
 * @property {string | null} dense - the shape of the group that keeps all pairs
 * @property {boolean} masked - sparse: measured also for a peer, which gets the pattern as a mask
 */

const rules = { causal: false, window: null, pattern: null, linear: null, encoder: null };
const measured = { brief: false, full: true, only: null, group: null, dense: null, masked: false };
const standard = { heads: 8, width: 64, decode: false, float16: false, ...rules, ...measured };

const dense = (tokens, more = {}) => shape({ id: `n${tokens}`, title: `N = ${tokens}`, queries: tokens, ...more });

/** Patterns of one head beside the same without one. */
function besideDense(tokens, patterns, more = {}) {
  const common = { heads: 1, group: `sparse${tokens}`, ...more };
  const whole = dense(tokens, { ...common, id: `dense${tokens}`, title: `H = 1, N = ${tokens}, all pairs` });
  const some = patterns.map(({ id, title, ...rest }) =>
    dense(tokens, { ...common, ...rest, id: `${id}${tokens}`, title: `${title}, N = ${tokens}`, dense: whole.id }),
  );
  return [whole, ...some];
}

function graph(id, nodes, edges) {
  const title = `graph, ${nodes.toLocaleString('en')} nodes, ${edges.toLocaleString('en')} edges`;
  return shape({ id, title, width: 16, queries: nodes, pattern: { graph: { edges, seed: 1 } }, group: 'graph' });
}

const near = { window: [128, 128] };
const far = { atrous: 64 };
const window = { id: 'window', title: 'window(128, 128)', pattern: near, masked: true };
const bigBird = { block: 64, window: 3, global: 2, random: 3, seed: 0 };

/** One head, 64 wide. */
function linear(id, title, tokens, how, more = {}) {
  const plain = { featureMap: 'elu1', normalize: true, rule: 'linear', decay: null, beta: false, piece: null };
  const common = { heads: 1, queries: tokens, group: tokens > 262144 ? id : 'linear' }; // a million tokens fill a page
  return shape({ id, title: `${title}, N = ${tokens}`, ...common, linear: { ...plain, ...how }, ...more });
}

const causal = { causal: true };
const updateRules = {
  linear: { rule: 'linear' },
  gated: { rule: 'gated', decay: 'feature' },
  delta: { rule: 'delta', beta: true },
  gatedDelta: { rule: 'gatedDelta', decay: 'head', beta: true },
};
const rule = (name) => ({ featureMap: 'identity', normalize: false, ...updateRules[name] });

function linearShapes() {
  const growing = [1024, 4096, 16384, 65536, 262144].map((tokens) => linear(`elu${tokens}`, 'elu1', tokens));
  const ruled = Object.keys(updateRules).map((name) => {
    const decay = updateRules[name].decay ? `, decay per ${updateRules[name].decay}` : '';
    return linear(`rule-${name.toLowerCase()}`, `updateRule ${name}${decay}`, 16384, rule(name), causal);
  });
  return [
    ...growing,
    linear('elucausal16384', 'elu1, causal', 16384, {}, causal),
    ...ruled,
    linear('steps', 'state, elu1, token by token', 4096, { piece: 1 }, causal),
    linear('steps-gateddelta', 'state, gatedDelta, token by token', 4096, { ...rule('gatedDelta'), piece: 1 }, causal),
    linear('elu1048576', 'elu1', 1048576),
    linear('elucausal1048576', 'elu1, causal', 1048576, {}, causal),
    linear('stream', 'state, elu1, in pieces of 1000', 1_000_000, { piece: 1000 }, causal),
  ];
}

/** Six layers of the sizes of MiniLM, a model that embeds sentences. */
function encoder(tokens) {
  const sizes = { heads: 12, width: 32, encoder: { layers: 6, feedForward: 1536 } };
  return dense(tokens, { ...sizes, id: `encoder${tokens}`, title: `6 layers, E = 384, N = ${tokens}`, group: 'encoder' });
}

function shape(given) {
  const whole = { ...standard, ...given };
  return { kvHeads: whole.heads, keys: whole.queries, ...whole };
}

/** Longer than the last cache holds. */
const longDecode = { queries: 1, keys: 16384, decode: true, only: 'fovea' };

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
  // Arithmetic bounds it: at 25 GB/s eight queries of one key head would take 100 GFLOP/s.
  shape({ id: 'decode-gqa', title: 'decode, H = 8 over 1, 1 × 4096', kvHeads: 1, queries: 1, keys: 4096 }),
  ...[16, 32, 64].map((queries) => shape({ id: `q${queries}`, title: `${queries} × 8192`, queries, keys: 8192 })),
  ...besideDense(4096, [window], { brief: true, full: false }),
  ...besideDense(16384, [
    window,
    { id: 'atrous', title: 'atrous(64)', pattern: far },
    { id: 'union', title: 'window(128, 128) or atrous(64)', pattern: { or: [near, far] } },
    { id: 'bigbird', title: 'bigBird', pattern: { bigBird } },
    { id: 'documents', title: 'blockDiagonal of 512', pattern: { documents: 512 } },
  ]),
  dense(262144, { ...window, id: 'long', title: 'window(128, 128), N = 262144', heads: 1, masked: false, group: 'long' }),
  graph('graph10k', 10_000, 100_000),
  graph('graph50k', 50_000, 500_000),
  graph('graph100k', 100_000, 1_000_000),
  ...linearShapes(),
  encoder(128),
  encoder(512),
  shape({ ...longDecode, id: 'decode-long', title: 'decode, 1 × 16384' }),
  shape({ ...longDecode, id: 'decode-f16', title: 'decode, 1 × 16384, float16', float16: true }),
  dense(8, { id: 'heads512', title: 'H = 512, N = 8', heads: 512, only: 'fovea' }),
  dense(4, { id: 'heads4096', title: 'H = 4096, N = 4', heads: 4096, only: 'fovea' }),
  dense(65536, { id: 'n65536', title: 'H = 1, N = 65536', heads: 1, only: 'fovea' }),
];

/** Whether a shape is of one of the `families`. */
export function isOf(family, { group, linear, encoder }) {
  return group !== null && family === (encoder !== null ? 'encoder' : linear === null ? 'sparse' : 'linear');
}

/** The keys that query `i` of head `h` may attend to, as [from, to), ascending, with gaps between them. */
export function allowedSpans(shape, h, i) {
  return shape.pattern === null ? [allowedKeys(shape, i)] : keptSpans(shape.pattern, shape.keys, h, i);
}

/** Keys that query i may attend to, where no pattern leaves gaps: [from, to). */
export function allowedKeys({ keys, causal, window }, i) {
  const from = window === null ? 0 : Math.max(0, i - window);
  const to = Math.min(keys, causal ? i + 1 : keys, window === null ? keys : i + window + 1);
  return [from, to];
}

const counted = new WeakMap();

/** Pairs of a query and a key that the rules allow, of all heads. */
export function pairsOf(shape) {
  if (!counted.has(shape)) counted.set(shape, countPairs(shape));
  return counted.get(shape);
}

function countPairs(shape) {
  const different = shape.pattern !== null && differsByHead(shape.pattern) ? shape.heads : 1;
  let pairs = 0;
  for (let h = 0; h < different; ++h) {
    for (let i = 0; i < shape.queries; ++i) {
      for (const [from, to] of allowedSpans(shape, h, i)) pairs += to - from;
    }
  }
  return (pairs * shape.heads) / different;
}

/** The part of all pairs that the rules allow. */
export const densityOf = (shape) => pairsOf(shape) / (shape.heads * shape.queries * shape.keys);

/**
 * Floating-point operations that the definition needs: a product and a sum per pair and width, for scores and for values. Linear
 * attention: the same for each number of a state, when a key is taken in and when a query reads; more of no update rule counts.
 * Encoders: those of attention and of the products with weights, in all layers.
 */
export function flopsOf(shape) {
  const { heads, kvHeads, queries, keys, width, linear, encoder } = shape;
  if (encoder !== null) {
    const E = heads * width;
    return encoder.layers * (4 * width * pairsOf(shape) + 2 * queries * (4 * E * E + 2 * E * encoder.feedForward));
  }
  return linear === null ? 4 * width * pairsOf(shape) : 2 * width ** 2 * (kvHeads * keys + heads * queries);
}

/** Bytes of keys and values: what must be read at least. */
export function cacheBytes({ kvHeads, keys, width, float16 }) {
  return 2 * (float16 ? 2 : 4) * kvHeads * keys * width;
}

/** Bytes of q, k, v and the output. */
export function arrayBytes(shape) {
  return 2 * 4 * shape.heads * shape.queries * shape.width + cacheBytes(shape);
}

/** The shapes by the names of their axes: q and the output [H, Tq, D], k and v [Hkv, Tk, D]. */
export function dimensions({ heads, kvHeads, queries, keys, width }) {
  return { q: [heads, queries, width], kv: [kvHeads, keys, width] };
}

/** Dimensions of an update rule's decay and beta: [Hkv, T], [Hkv, T, D], or null. */
export function gateDimensions({ kvHeads, keys, width, linear: { decay, beta } }) {
  const perHead = [kvHeads, keys];
  return { decay: decay && (decay === 'feature' ? [...perHead, width] : perHead), beta: beta ? perHead : null };
}

/** The shapes of an encoder's weights by their names in PyTorch. */
export function encoderDimensions({ heads, width, encoder: { layers, feedForward: F } }) {
  const E = heads * width;
  const layer = {
    'self_attn.in_proj_weight': [3 * E, E],
    'self_attn.in_proj_bias': [3 * E],
    'self_attn.out_proj.weight': [E, E],
    'self_attn.out_proj.bias': [E],
    'linear1.weight': [F, E],
    'linear1.bias': [F],
    'linear2.weight': [E, F],
    'linear2.bias': [E],
    ...Object.fromEntries(['norm1', 'norm2'].flatMap((norm) => ['weight', 'bias'].map((kind) => [`${norm}.${kind}`, [E]]))),
  };
  const all = Array.from({ length: layers }, (_, n) =>
    Object.entries(layer).map(([name, dims]) => [`layers.${n}.${name}`, dims]),
  );
  return Object.fromEntries(all.flat());
}
