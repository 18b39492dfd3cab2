// How far each operation is from its definition in double, under inputs that make it hard: one list for every build of the core and every engine.
// The inputs come from integers alone, so that they are the same everywhere; the definitions use Math.exp, whose last bits an engine may choose.
//
// An error is |got - want| in units of 2^-24 of its scale: the largest |value| of a row for weighted sums, Σ|a||b| for products, 1 for weights,
// max(1, |want|) for logarithms, the line's largest for norms. Below float32's normal range the scale stays 2^-126. A result that should be
// finite and is not, or the other way round, counts as infinite.

const UNIT = 2 ** -24;
const SMALLEST_NORMAL = 2 ** -126;
const NONE = -Infinity;

/** Numbers of float32 in [-1, 1). */
export function draw(count, seed) {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 23 - 1;
  });
}

const array = (shape, data) => ({ data: Float32Array.from(data), shape });
const drawn = (shape, seed, scale = 1) =>
  array(
    shape,
    draw(
      shape.reduce((a, b) => a * b, 1),
      seed,
    ).map((x) => x * scale),
  );
const largest = (values) => values.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
const rowsOf = ({ data, shape: [rows, width] }) =>
  Array.from({ length: rows }, (_, i) => data.subarray(i * width, (i + 1) * width));

/** FNV-1a of the words; every NaN is the one of 0x7fc00000. */
export function hash(arrays) {
  let h = 0x811c9dc5;
  for (const data of arrays) {
    const words = new Uint32Array(Float32Array.from(data).buffer);
    for (let n = 0; n < words.length; n++) h = Math.imul(h ^ (data[n] !== data[n] ? 0x7fc00000 : words[n]), 0x01000193) >>> 0;
  }
  return h;
}

function errorOf(got, want, scaleOf) {
  let worst = 0;
  for (let n = 0; n < want.length; n++) {
    if (Object.is(got[n], want[n]) || got[n] === want[n]) continue;
    const rounded = Math.fround(want[n]);
    if (!Number.isFinite(rounded) || !Number.isFinite(got[n])) {
      if (Object.is(got[n], rounded)) continue;
      return Infinity;
    }
    worst = Math.max(worst, Math.abs(got[n] - want[n]) / (UNIT * Math.max(scaleOf(n), SMALLEST_NORMAL)));
  }
  return worst;
}

const allowed = (s) => Math.max(1, s.filter((x) => x !== NONE).length);

/** Weights of a row of logits in double, and their log-sum-exp. */
const NORMALIZERS = {
  softmax(s) {
    const m = s.reduce((most, x) => Math.max(most, x), NONE);
    if (m === NONE) return { p: s.map(() => 0), lse: NONE };
    const e = s.map((x) => Math.exp(x - m));
    const sum = e.reduce((a, b) => a + b, 0);
    return { p: e.map((x) => x / sum), lse: m + Math.log(sum) };
  },
  sigmoid: (s) => ({ p: s.map((x) => (x === NONE ? 0 : 1 / (1 + Math.exp(-x)))) }),
  relu: (s) => ({ p: s.map((x) => Math.max(x, 0) / allowed(s)) }),
  sparsemax: (s) => ({ p: threshold(s, (x) => x, 1) }),
  entmax15: (s) => ({ p: threshold(s, (x) => x * x, 0.5) }),
  topK(s) {
    const kept = s
      .map((x, j) => [x, j])
      .filter(([x]) => x !== NONE)
      .sort(([x, i], [y, j]) => y - x || i - j)
      .slice(0, 3);
    const among = NORMALIZERS.softmax(kept.map(([x]) => x)).p;
    const p = s.map(() => 0);
    kept.forEach(([, j], n) => (p[j] = among[n]));
    return { p };
  },
};

/** p_j = power(max(0, factor s_j - t)) with the t for which they sum to 1, by bisection. */
function threshold(s, power, factor) {
  const m = s.reduce((most, x) => Math.max(most, x), NONE);
  if (m === NONE) return s.map(() => 0);
  const z = s.map((x) => factor * (x - m));
  let [low, high] = [-1, 0];
  for (let n = 0; n < 80; n++) {
    const t = (low + high) / 2;
    if (z.reduce((sum, x) => sum + power(Math.max(0, x - t)), 0) >= 1) low = t;
    else high = t;
  }
  return z.map((x) => power(Math.max(0, x - low)));
}

/** Logits by a key's one entry, exact in float32; `forbidden(i, j)` becomes -Infinity in a mask. */
function attentionCase({ queries, logits, values, forbidden, width = 1 }) {
  const keys = logits.length;
  const q = array(
    [queries, width],
    Array.from({ length: queries * width }, (_, n) => (n % width === 0 ? 1 : 0)),
  );
  const k = array(
    [keys, width],
    Array.from({ length: keys * width }, (_, n) => (n % width === 0 ? logits[n / width] : 0)),
  );
  const mask =
    forbidden &&
    array(
      [queries, keys],
      Array.from({ length: queries * keys }, (_, n) => (forbidden(Math.floor(n / keys), n % keys) ? NONE : 0)),
    );
  return {
    q,
    k,
    v: values,
    options: { scale: 1, ...(mask && { mask }) },
    scores: (i, j) => (forbidden?.(i, j) ? NONE : logits[j]),
  };
}

const scaledLogits = (keys, seed, size) => draw(keys, seed).map((x) => (Math.abs(x) < 0.5 ? x : Math.sign(x)) * size);

const ATTENTION = {
  ordinary: (queries) => {
    const [width, keys] = [64, 130];
    const [q, k, v] = [drawn([queries, width], 1, 2), drawn([keys, width], 2, 2), drawn([keys, 5], 3)];
    const [qs, ks] = [rowsOf(q), rowsOf(k)];
    const scores = (i, j) => qs[i].reduce((sum, x, d) => sum + x * ks[j][d], 0) / Math.sqrt(width);
    return { q, k, v, options: {}, scores };
  },
  'logits ±1e4': (queries) => attentionCase({ queries, logits: scaledLogits(130, 4, 1e4), values: drawn([130, 5], 5) }),
  'logits ±3e38': (queries) => attentionCase({ queries, logits: scaledLogits(130, 6, 3e38), values: drawn([130, 5], 7) }),
  denormals: (queries) =>
    attentionCase({ queries, logits: draw(130, 8).map((x) => x * 1e-40), values: drawn([130, 5], 9, 1e-39), width: 3 }),
  'one finite key': (queries) =>
    attentionCase({ queries, logits: draw(130, 10), values: drawn([130, 5], 11), forbidden: (i, j) => j !== (7 * i) % 130 }),
  '1e6 keys': (queries) => attentionCase({ queries, logits: draw(1e6, 12).map((x) => 4 * x), values: drawn([1e6, 2], 13) }),
  cancellation: (queries) => {
    const data = draw(130 * 5, 14).map((x, n) => (Math.floor(n / 5) % 2 === 0 ? 1e6 : -1e6) + x);
    return attentionCase({ queries, logits: new Float32Array(130), values: array([130, 5], data) });
  },
};

function attention(fovea, { normalizer }, kind, condition, queries) {
  const { q, k, v, options, scores } = ATTENTION[condition](condition === '1e6 keys' ? 1 : queries);
  const normalized = kind === 'softmax' ? {} : { normalizer: kind === 'topK' ? normalizer.topK(3) : normalizer[kind]() };
  const got = fovea.attention(q, k, v, {
    ...options,
    ...normalized,
    returnWeights: true,
    ...(kind === 'softmax' && { returnLse: true }),
  });
  const [[rows], [keys, width]] = [q.shape, v.shape];
  const want = { output: [], weights: [], lse: [], spread: [] };
  for (let i = 0; i < rows; i++) {
    const { p, lse } = NORMALIZERS[kind](Array.from({ length: keys }, (_, j) => scores(i, j)));
    want.lse.push(lse);
    for (let j = 0; j < keys; j++) want.weights.push(p[j]);
    for (let d = 0; d < width; d++) {
      let [sum, spread] = [0, 0];
      for (let j = 0; j < keys; j++) {
        sum += p[j] * v.data[j * width + d];
        spread = Math.max(spread, p[j] === 0 ? 0 : Math.abs(v.data[j * width + d]));
      }
      want.output.push(sum);
      want.spread.push(spread * Math.max(1, kind === 'softmax' ? 1 : p.reduce((a, b) => a + b, 0)));
    }
  }
  return {
    results: [got.output.data, got.weights.data, ...(got.lse ? [got.lse.data] : [])],
    error: Math.max(
      errorOf(got.output.data, want.output, (n) => want.spread[n]),
      errorOf(got.weights.data, want.weights, (n) => Math.max(1, want.weights[n])),
      got.lse ? errorOf(got.lse.data, want.lse, (n) => Math.max(1, Math.abs(want.lse[n]))) : 0,
    ),
  };
}

/** Lines of an operation along the last axis. */
const LINES = {
  ordinary: () => drawn([9, 77], 20, 3),
  'logits ±1e4': () => array([9, 77], scaledLogits(9 * 77, 21, 1e4)),
  'logits ±3e38': () => array([9, 77], scaledLogits(9 * 77, 22, 3e38)),
  denormals: () => drawn([9, 77], 23, 1e-39),
  'one finite key': () =>
    array(
      [9, 77],
      draw(9 * 77, 24).map((x, n) => (n % 77 === Math.floor(n / 77) * 8 ? x : NONE)),
    ),
  '1e6 keys': () => drawn([1, 1e6], 25, 4),
  cancellation: () =>
    array(
      [9, 77],
      draw(9 * 77, 26).map((x) => 1e4 + x),
    ),
};

const LINE_OPERATIONS = {
  softmax: (line) => NORMALIZERS.softmax(line).p,
  logSoftmax(line) {
    // The sum's logarithm would be lost in a maximum of 3e38.
    const m = line.reduce((most, x) => Math.max(most, x), NONE);
    const logSum = Math.log(line.reduce((sum, x) => sum + Math.exp(x - m), 0));
    return line.map((x) => x - m - logSum);
  },
  logSumExp: (line) => [NORMALIZERS.softmax(line).lse],
  layerNorm(line) {
    const mean = line.reduce((a, b) => a + b, 0) / line.length;
    const variance = line.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / line.length;
    return line.map((x) => (x - mean) / Math.sqrt(variance + 1e-5));
  },
  rmsNorm(line) {
    const root = Math.sqrt(line.reduce((sum, y) => sum + y * y, 0) / line.length + 1e-5);
    return line.map((x) => x / root);
  },
};
const NORMS = ['layerNorm', 'rmsNorm'];

function lines(fovea, { ops }, name, condition) {
  const x = LINES[condition]();
  const got = ops[name](fovea, x).data;
  const [, width] = x.shape;
  const perLine = rowsOf(x).map((row) => LINE_OPERATIONS[name](Array.from(row)));
  const want = perLine.flat();
  const tops = perLine.map((line) => largest(line));
  const scale = {
    softmax: () => 1,
    logSoftmax: (n) => Math.max(1, Math.abs(want[n])),
    logSumExp: (n) => Math.max(1, Math.abs(want[n])),
    layerNorm: (n) => tops[Math.floor(n / width)],
    rmsNorm: (n) => tops[Math.floor(n / width)],
  }[name];
  return { results: [got], error: errorOf(got, want, scale) };
}

const PRODUCTS = {
  ordinary: () => [drawn([17, 65], 30), drawn([65, 19], 31)],
  'logits ±1e4': () => [drawn([17, 65], 32, 1e4), drawn([65, 19], 33, 1e4)],
  'logits ±3e38': () => [drawn([17, 65], 34, 3e38), drawn([65, 19], 35, 1 / 128)],
  denormals: () => [drawn([17, 65], 36, 1e-39), drawn([65, 19], 37)],
  '1e6 keys': () => [drawn([1, 1e6], 38), drawn([1e6, 1], 39)],
  cancellation: () => {
    const [a, b] = [drawn([17, 65], 40), drawn([65, 19], 41)];
    for (let i = 0; i < 17; i++) for (let d = 0; d < 64; d += 2) a.data[i * 65 + d + 1] = -a.data[i * 65 + d];
    for (let d = 0; d < 64; d += 2) for (let j = 0; j < 19; j++) b.data[(d + 1) * 19 + j] = b.data[d * 19 + j];
    return [a, b];
  },
};

function matmul(fovea, { ops }, condition) {
  const [a, b] = PRODUCTS[condition]();
  const got = ops.matmul(fovea, a, b).data;
  const [[rows, inner], [, columns]] = [a.shape, b.shape];
  const [want, scales] = [[], []];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let [sum, scale] = [0, 0];
      for (let d = 0; d < inner; d++) {
        const term = a.data[i * inner + d] * b.data[d * columns + j];
        sum += term;
        scale += Math.abs(term);
      }
      want.push(sum);
      scales.push(scale);
    }
  return { results: [got], error: errorOf(got, want, (n) => scales[n]) };
}

/** elu(x) + 1 and its sums, causal, in double. */
function linear(fovea, { linearAttention }, condition) {
  const size = { ordinary: 1, 'logits ±1e4': 1e4, denormals: 1e-39, cancellation: 1, '1e6 keys': 1 }[condition];
  const tokens = condition === '1e6 keys' ? 1e6 : 150;
  const [width, out] = condition === '1e6 keys' ? [2, 1] : [8, 5];
  const [q, k] = [drawn([tokens, width], 50, size), drawn([tokens, width], 51, size)];
  // Else a denominator leaves float32's range where all entries of a query are far below 0.
  q.data.forEach((x, n) => (q.data[n] = Math.abs(x)));
  const v =
    condition === 'cancellation'
      ? array(
          [tokens, out],
          draw(tokens * out, 52).map((x, n) => (Math.floor(n / out) % 2 === 0 ? 1e6 : -1e6) + x),
        )
      : drawn([tokens, out], 53);
  const got = linearAttention(fovea, q, k, v, { causal: true }).output.data;
  const feature = (x) => (x > 0 ? x + 1 : Math.exp(x));
  const [s, z] = [new Float64Array(width * out), new Float64Array(width)];
  const [want, scales] = [new Float64Array(tokens * out), new Float64Array(tokens * out)];
  let most = 0;
  for (let t = 0; t < tokens; t++) {
    let below = 0;
    for (let f = 0; f < width; f++) {
      const [phiK, phiQ] = [feature(k.data[t * width + f]), feature(q.data[t * width + f])];
      z[f] += phiK;
      below += phiQ * z[f];
      for (let d = 0; d < out; d++) {
        s[f * out + d] += phiK * v.data[t * out + d];
        want[t * out + d] += phiQ * s[f * out + d];
      }
    }
    for (let d = 0; d < out; d++) {
      most = Math.max(most, Math.abs(v.data[t * out + d]));
      want[t * out + d] /= below;
      scales[t * out + d] = most;
    }
  }
  return { results: [got], error: errorOf(got, want, (n) => scales[n]) };
}

/** Functions entry by entry: the scale is the result. */
const ELEMENTARY = {
  exp: Math.exp,
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  silu: (x) => x / (1 + Math.exp(-x)),
};
const ELEMENTS = {
  ordinary: () => drawn([4001], 60, 8),
  'logits ±1e4': () => drawn([4001], 61, 1e4),
  'logits ±3e38': () => drawn([4001], 62, 3e38),
  denormals: () => drawn([4001], 63, 1e-39),
};

function elementary(fovea, { ops }, name, condition) {
  const x = ELEMENTS[condition]();
  const got = ops[name](fovea, x).data;
  const want = Array.from(x.data, (one) => ELEMENTARY[name](one));
  // An exponential below the smallest normal number may be 0: one unit then, times x in silu.
  const least = (n) => (SMALLEST_NORMAL / UNIT) * (name === 'silu' ? Math.max(1, Math.abs(x.data[n])) : 1);
  return { results: [got], error: errorOf(got, want, (n) => Math.max(Math.abs(want[n]), least(n))) };
}

/** Every case, as [operation, condition, run(fovea, api)]. */
export function cases() {
  const all = [];
  for (const kind of Object.keys(NORMALIZERS))
    for (const condition of Object.keys(ATTENTION)) {
      // A million keys are softmax's; sums of numbers near 3e38 leave float32's range.
      if (condition === '1e6 keys' && kind !== 'softmax') continue;
      if (condition === 'logits ±3e38' && kind === 'relu') continue;
      for (const [form, queries] of [
        ['few queries', 3],
        ['many queries', 70],
      ]) {
        if (condition === '1e6 keys' && queries > 3) continue;
        all.push([`attention, ${kind}, ${form}`, condition, (fovea, api) => attention(fovea, api, kind, condition, queries)]);
      }
    }
  for (const name of Object.keys(LINE_OPERATIONS))
    for (const condition of Object.keys(LINES))
      if (!(NORMS.includes(name) && condition === 'one finite key'))
        all.push([name, condition, (fovea, api) => lines(fovea, api, name, condition)]);
  for (const condition of Object.keys(PRODUCTS)) all.push(['matmul', condition, (fovea, api) => matmul(fovea, api, condition)]);
  for (const condition of ['ordinary', 'logits ±1e4', 'denormals', 'cancellation', '1e6 keys'])
    all.push(['linearAttention, causal', condition, (fovea, api) => linear(fovea, api, condition)]);
  for (const name of Object.keys(ELEMENTARY))
    for (const condition of Object.keys(ELEMENTS))
      all.push([name, condition, (fovea, api) => elementary(fovea, api, name, condition)]);
  return all;
}

/** { operation, condition, error, bytes } of each case; of those of a million keys only on demand, as their definitions take seconds. */
export function measure(fovea, api, { isLong = false } = {}) {
  return cases()
    .filter(([, condition]) => isLong || condition !== '1e6 keys')
    .map(([operation, condition, run]) => {
      const { results, error } = run(fovea, api);
      return { operation, condition, error, bytes: hash(results) };
    });
}
