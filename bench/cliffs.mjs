// The slowest inputs of a shape: each beside an ordinary input of the same shape and size, called in turns by one instance.

import { summary } from './stats.mjs';

const heads = 8;
const tokens = 512;
const width = 64;
const samples = 9;
const turn = 12; // milliseconds that a sample takes at least: short calls are repeated

/**
 * @typedef {object} Cliff
 * @property {string} id
 * @property {string} title
 * @property {string} beside - the ordinary input, in words
 * @property {number} goal - the ratio of times wanted at most
 * @property {(kit: object) => { slow: () => void, ordinary: () => void }} make
 */

const plain = (kit) => kit.attend(kit.qkv());
const attends = (kit, slow, options) => ({ ordinary: plain(kit), slow: kit.attend(slow, options) });

/** A boolean or float mask [T, T] by a function of query and key. */
const maskOf = (keep) => Array.from({ length: tokens }, (_, i) => Array.from({ length: tokens }, (_, j) => keep(i, j)));
const isDrawn = (i, j) => (Math.imul(i * tokens + j + 1, 0x9e3779b9) >>> 16) % 2 === 0;

/** Adds an offset to every number, or to those of a feature. */
const shifted = ({ data, shape }, by, feature = null) => ({
  data: data.map((x, n) => (feature === null || n % width === feature ? x + by : x)),
  shape,
});
const scaled = ({ data, shape }, by) => ({ data: data.map((x) => x * by), shape });
const tiny = 1e-40;

const scoreOf = (kit, size) => {
  const A = 32;
  const matrix = (seed) => kit.random([width, A], seed, 1 / Math.sqrt(width));
  const { q, k, v } = kit.qkv(2);
  const score = kit.score.additive({ Wq: matrix(7), Wk: matrix(8), w: kit.random([A], 9) });
  return kit.attend({ q: scaled(q, size), k: scaled(k, size), v }, { score });
};

const linearOf = (kit, options, change = (arrays) => arrays) => {
  const arrays = change({
    q: kit.random([1, 4096, width], 1),
    k: kit.random([1, 4096, width], 2),
    v: kit.random([1, 4096, width], 3),
  });
  const { q, k, v } = Object.fromEntries(Object.entries(arrays).map(([name, x]) => [name, kit.fovea.tensor(x)]));
  return kit.disposing(() => kit.linear.linearAttention(kit.fovea, q, k, v, options).output);
};

const gated = (kit, decay) =>
  linearOf(
    kit,
    { updateRule: 'gated', causal: true, decay: { data: new Float32Array(4096 * width).fill(decay), shape: [1, 4096, width] } },
    ({ q, k, v }) => ({
      q,
      k: { data: k.data.map((x, n) => (n < 256 * width ? x : 0)), shape: k.shape },
      v,
    }),
  );

/** Tokens that grow: token t is x · (1 + t · by). */
const rising = ({ data, shape }, by) => ({ data: data.map((x, n) => x + Math.floor(n / width) * by), shape });

/** A call of ops on two arrays of [1024, 1024]. */
const overRows = (kit, name, slow, ...more) => {
  const x = kit.random([1024, 1024], 1);
  const call = (array) => {
    const tensor = kit.fovea.tensor(array);
    return kit.disposing(() => kit.ops[name](kit.fovea, tensor, ...more));
  };
  return { ordinary: call(x), slow: call(slow(x)) };
};

/** One query over the float16 keys and values of 4096 tokens. */
const overCache = (kit, change) => {
  const call = (arrays) => {
    const [q, k, v] = [
      kit.random([heads, 1, width], 1),
      kit.random([heads, 4096, width], 2),
      kit.random([heads, 4096, width], 3),
    ];
    const cache = kit.cache.kvCache(kit.fovea, { kvHeads: heads, width, capacity: 4096, dtype: 'float16' });
    const changed = arrays({ k, v });
    cache.append(changed.k, changed.v);
    const query = kit.fovea.tensor(q);
    const output = kit.fovea.tensor({ data: new Float32Array(heads * width), shape: q.shape });
    return () => void kit.fovea.attention(query, cache, { out: { output } });
  };
  return { ordinary: call((arrays) => arrays), slow: call(change) };
};

/** The array with one number in its middle. */
const withOne = ({ data, shape }, x) => ({ data: data.map((own, n) => (n === data.length >> 1 ? x : own)), shape });

/** The array with this number in each row. */
const withEach = ({ data, shape }, x) => ({ data: data.map((own, n) => (n % shape.at(-1) === 7 ? x : own)), shape });

const overAxis = (kit, name, slow, ordinary, more = {}) => {
  const x = kit.fovea.tensor(kit.random([1024, 1024], 1));
  const call = (axis) => kit.disposing(() => kit.ops[name](kit.fovea, x, { axis, ...more }));
  return { slow: call(slow), ordinary: call(ordinary) };
};

/** @type {Cliff[]} */
export const cliffs = [
  ...[50, 1000].map((size) => ({
    id: `logits${size}`,
    title: `logits ± ${size}`,
    make: (kit) => attends(kit, { ...kit.qkv(), q: scaled(kit.qkv().q, size) }),
  })),
  {
    id: 'offset',
    title: 'queries and keys share an offset of 2.5: logits 50 and more',
    make: (kit) => attends(kit, { ...kit.qkv(), q: shifted(kit.qkv().q, 2.5), k: shifted(kit.qkv().k, 2.5) }),
  },
  {
    id: 'offset1',
    title: 'queries and keys share an offset of 60 in one feature, as K biases make: logits near 450',
    make: (kit) => attends(kit, { ...kit.qkv(), q: shifted(kit.qkv().q, 60, 3), k: shifted(kit.qkv().k, 60, 3) }),
  },
  {
    id: 'random-mask',
    title: 'half of a float mask −∞ at random',
    make: (kit) => attends(kit, kit.qkv(), { mask: floatMask(maskOf(isDrawn)) }),
  },
  {
    id: 'checkerboard',
    title: 'a boolean mask like a checkerboard',
    make: (kit) => attends(kit, kit.qkv(), { mask: booleanMask(maskOf((i, j) => (i + j) % 2 === 0)) }),
  },
  {
    id: 'nested-mask',
    title: 'nested booleans',
    make: (kit) => attends(kit, kit.qkv(), { mask: maskOf((i, j) => (i + j) % 3 !== 0) }),
  },
  ...['q', 'k', 'v'].map((name) => ({
    id: `denormal-${name}`,
    title: `denormal ${name === 'v' ? 'values' : name === 'q' ? 'queries' : 'keys'}`,
    goal: 3,
    make: (kit) => attends(kit, { ...kit.qkv(), [name]: scaled(kit.qkv()[name], tiny) }),
  })),
  {
    id: 'denormal-qkv',
    title: 'denormal queries, keys and values',
    goal: 3,
    make: (kit) =>
      attends(
        kit,
        kit.each(kit.qkv(), (x) => scaled(x, tiny)),
      ),
  },
  {
    id: 'd65',
    title: 'D = 65',
    beside: 'D = 64',
    make: (kit) => attends(kit, kit.qkv(heads, tokens, 65)),
  },
  {
    id: 'n1025',
    title: 'N = 1025',
    beside: 'N = 1024',
    make: (kit) => ({ ordinary: kit.attend(kit.qkv(2, 1024)), slow: kit.attend(kit.qkv(2, 1025)) }),
  },
  {
    id: 'bthd',
    title: "layout 'bthd'",
    beside: "layout 'bhtd'",
    make: (kit) =>
      attends(
        kit,
        kit.each(kit.qkv(), ({ data }) => ({ data, shape: [1, tokens, heads, width] })),
        { layout: 'bthd' },
      ),
  },
  {
    id: 'sliced',
    title: 'q, k and v slices of one Tensor of width 3 · D',
    make(kit) {
      const whole = kit.fovea.tensor(kit.random([heads, tokens, 3 * width], 4));
      const [q, k, v] = [0, 1, 2].map((n) => whole.slice(2, n * width, (n + 1) * width));
      return { ordinary: plain(kit), slow: kit.attendTensors({ q, k, v }) };
    },
  },
  {
    id: 'heads512',
    title: '512 heads of 8 tokens',
    beside: '8 heads of 64 tokens: as many pairs',
    make: (kit) => ({ ordinary: kit.attend(kit.qkv(8, 64)), slow: kit.attend(kit.qkv(512, 8)) }),
  },
  {
    id: 'batches4096',
    title: '4096 batches of 4 tokens',
    beside: '16 heads of 64 tokens: as many pairs',
    make: (kit) => ({
      ordinary: kit.attend(kit.qkv(16, 64)),
      slow: kit.attend(kit.each(kit.qkv(4096, 4), ({ data }) => ({ data, shape: [4096, 1, 4, width] }))),
    }),
  },
  {
    id: 'sparse-weights',
    title: "returnWeights: 'sparse' without a pattern, half masked",
    beside: "returnWeights: 'dense'",
    make(kit) {
      const mask = booleanMask(maskOf(isDrawn));
      const call = (returnWeights) => kit.attend(kit.qkv(), { mask, returnWeights }, /*fresh=*/ true);
      return { ordinary: call('dense'), slow: call('sparse') };
    },
  },
  {
    id: 'additive',
    title: 'additive scores of projections beyond 43',
    beside: 'of projections near 1',
    make: (kit) => ({ ordinary: scoreOf(kit, 1), slow: scoreOf(kit, 100) }),
  },
  {
    id: 'qk-normalize',
    title: "linear attention, qkNormalize: 'l2', N = 4096",
    beside: 'without it',
    make: (kit) => ({ ordinary: linearOf(kit, {}), slow: linearOf(kit, { qkNormalize: 'l2' }) }),
  },
  {
    id: 'rising',
    title: "linear attention, causal, 'exp' features that rise by 12 a token, N = 4096",
    beside: 'features that stay',
    make(kit) {
      const options = { featureMap: 'exp', causal: true, scale: 1 };
      const rises = ({ q, k, v }) => ({ q, k: rising(k, 12), v });
      return { ordinary: linearOf(kit, options), slow: linearOf(kit, options, rises) };
    },
  },
  {
    id: 'decaying',
    title: 'linear attention, a gated state that decays into denormals, N = 4096',
    beside: 'a state that stays',
    goal: 3,
    make: (kit) => ({ ordinary: gated(kit, 0), slow: gated(kit, -0.1) }),
  },
  {
    id: 'denormal-gelu',
    title: 'gelu of denormals',
    goal: 3,
    make(kit) {
      const call = (x) => kit.disposing(() => kit.ops.gelu(kit.fovea, x));
      const x = kit.random([1024, 512], 1);
      return { ordinary: call(kit.fovea.tensor(x)), slow: call(kit.fovea.tensor(scaled(x, tiny))) };
    },
  },
  ...Object.entries({ sparsemax: 0.1, entmax15: 0.001 }).map(([normalizer, size]) => ({
    id: `${normalizer}-small`,
    title: `${normalizer}, queries and keys times ${size}`,
    beside: `${normalizer} of standard inputs`,
    make(kit) {
      const { q, k, v } = kit.qkv();
      const call = (arrays) => kit.attend(arrays, { normalizer });
      return { ordinary: call({ q, k, v }), slow: call({ q: scaled(q, size), k: scaled(k, size), v }) };
    },
  })),
  ...Object.entries({
    infinite: ['one value of 7e4', ({ k, v }) => ({ k, v: withOne(v, 7e4) })],
    subnormal: ['keys and values times 1e-4', ({ k, v }) => ({ k: scaled(k, 1e-4), v: scaled(v, 1e-4) })],
    rising: ['keys and values that rise', ({ k, v }) => ({ k: rising(k, 0.01), v: rising(v, 0.01) })],
  }).map(([name, [title, change]]) => ({
    id: `float16-${name}`,
    title: `one query over 4096 tokens in a cache of float16, ${title}`,
    make: (kit) => overCache(kit, change),
  })),
  ...['layerNorm', 'rmsNorm'].flatMap((name) =>
    Object.entries({
      large: ['of magnitudes near 1e18', (x) => scaled(x, 1e18)],
      nan: ['with a not-a-number in each row', (x) => withEach(x, NaN)],
      infinity: ['with an infinity in each row', (x) => withEach(x, Infinity)],
    }).map(([kind, [title, change]]) => ({
      id: `${name.toLowerCase()}-${kind}`,
      title: `${name} ${title}`,
      make: (kit) => overRows(kit, name, change),
    })),
  ),
  ...['gelu', 'silu', 'elu', 'exp', 'sigmoid', 'softmax', 'logSoftmax'].map((name) => ({
    id: `${name.toLowerCase()}-tiny`,
    title: `${name} of inputs near 1e-20`,
    make: (kit) => overRows(kit, name, (x) => scaled(x, 1e-20)),
  })),
  {
    id: 'gelu-tanh-tiny',
    title: 'geluTanh of inputs near 1e-20',
    make: (kit) => overRows(kit, 'geluTanh', (x) => scaled(x, 1e-20)),
  },
  {
    id: 'linear-nan',
    title: 'linear attention, causal, a not-a-number in each value row, N = 4096',
    make(kit) {
      const change = ({ q, k, v }) => ({ q, k, v: withEach(v, NaN) });
      return { ordinary: linearOf(kit, { causal: true }), slow: linearOf(kit, { causal: true }, change) };
    },
  },
  ...['softmax', 'logSoftmax', 'argmax', 'layerNorm', 'rmsNorm'].map((name) => ({
    id: `${name.toLowerCase()}-axis0`,
    title: `${name} of axis 0, 1024 × 1024`,
    beside: 'the last axis',
    make: (kit) => overAxis(kit, name, 0, -1),
  })),
  ...[{}, { kernel: 2 }].map((more) => ({
    id: `maxpool${more.kernel ?? ''}-last`,
    title: `maxPool ${more.kernel ? 'by 2 ' : ''}of the last axis, 1024 × 1024`,
    beside: 'axis 0',
    make: (kit) => overAxis(kit, 'maxPool', -1, 0, more),
  })),
].map((cliff) => ({ beside: 'standard inputs', goal: 2, ...cliff }));

function floatMask(rows) {
  return { data: Float32Array.from(rows.flat(), (keep) => (keep ? 0 : -Infinity)), shape: [tokens, tokens] };
}

function booleanMask(rows) {
  return { data: Uint8Array.from(rows.flat()), shape: [tokens, tokens] };
}

/** Calls of the package as the inputs above want them: arrays in Tensors, results freed or written into one. */
export function makeKit({ fovea, ops, score, linear, cache }, numbers) {
  const random = (shape, seed, scale = 1) => {
    const data = numbers(shape, seed);
    return { data: scale === 1 ? data : data.map((x) => x * scale), shape };
  };
  const each = (arrays, change) => Object.fromEntries(Object.entries(arrays).map(([name, x]) => [name, change(x)]));
  const attendTensors = ({ q, k, v }, options = {}, fresh = false) => {
    if (fresh) return () => fovea.scope(() => void fovea.attention(q, k, v, options));
    const output = fovea.tensor({ data: new Float32Array(q.shape.reduce((a, b) => a * b)), shape: q.shape });
    return () => void fovea.attention(q, k, v, { ...options, out: { output } });
  };
  return {
    ...{ fovea, ops, score, linear, cache, random, each, attendTensors },
    qkv(H = heads, N = tokens, D = width) {
      return { q: random([H, N, D], 1), k: random([H, N, D], 2), v: random([H, N, D], 3) };
    },
    attend: (arrays, options, fresh) =>
      attendTensors(
        each(arrays, (x) => fovea.tensor(x)),
        options,
        fresh,
      ),
    disposing: (call) => () => fovea.scope(() => void call()),
  };
}

/**
 * @param {object} kit - what makeKit returned
 * @param {string[]} ids
 * @returns {Promise<Record<string, object>>} by input: times of one call in milliseconds, { slow, ordinary }; or { failure }
 */
export async function measureCliffs(kit, ids) {
  const results = {};
  for (const { id, make } of cliffs.filter(({ id }) => ids.includes(id))) {
    try {
      results[id] = kit.fovea.scope(() => takeTurns(make(kit)));
    } catch (error) {
      results[id] = { failure: error.message };
    }
  }
  return results;
}

function takeTurns(calls) {
  const entries = Object.entries(calls).map(([name, call]) => ({ name, call, repetitions: repetitionsOf(call), times: [] }));
  for (let n = 0; n < samples; ++n) {
    for (const { call, repetitions, times } of n % 2 === 0 ? entries : [...entries].reverse())
      times.push(time(call, repetitions));
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, summary(times)]));
}

/** After calls enough for the engine to have compiled the code well. */
function repetitionsOf(call) {
  const end = performance.now() + 5 * turn;
  let last;
  do last = time(call, 1);
  while (performance.now() < end);
  return Math.max(1, Math.ceil(turn / last));
}

function time(call, repetitions) {
  const begin = performance.now();
  for (let n = 0; n < repetitions; ++n) call();
  return (performance.now() - begin) / repetitions;
}
