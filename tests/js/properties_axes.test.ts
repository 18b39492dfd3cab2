/** Scores, biases, relative positions, patterns, caches and normalizers in one call: the definition in double, for any of them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { AttentionOptions, NDArray } from 'fovea';
import { kvCache, type KvCache } from 'fovea/cache';
import { pattern } from 'fovea/pattern';
import { bias, score, type Bias, type Score } from 'fovea/score';
import { halves, sees, tokens } from './support/cache_reference.ts';
import { NORMALIZERS, weightsOf, type NormalizerParameters } from './support/normalizers.ts';
import { loadForTests } from './support/truth_instance.ts';
import { RUNS, SEED } from './support/truth_problems.ts';
import { TestRandom } from './support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

interface Additive {
  readonly Wq: NDArray;
  /** Null: keys are projected. */
  readonly Wk: NDArray | null;
  readonly w: NDArray;
  readonly activation: 'tanh' | 'relu' | 'leakyRelu';
}

const SLOPE = 0.25;

/** A width of 1 with w = 1 is a score of a sum. */
function scoreOf({ Wq, Wk, w, activation }: Additive): Score {
  const form = { activation, ...(activation === 'leakyRelu' && { slope: SLOPE }) };
  const isSum = w.data.length === 1 && w.data[0] === 1;
  const vector = ({ data }: NDArray): NDArray => ({ data, shape: [data.length] });
  const keys = { ...form, keys: 'projected' } as const;
  if (Wk === null) return isSum ? score.pairSum({ wq: vector(Wq) }, keys) : score.additive({ Wq, w }, keys);
  return isSum ? score.pairSum({ wq: vector(Wq), wk: vector(Wk) }, form) : score.additive({ Wq, Wk, w }, form);
}

function activated({ activation }: Additive, x: number): number {
  if (activation === 'tanh') return Math.tanh(x);
  return x >= 0 ? x : activation === 'relu' ? 0 : SLOPE * x;
}

/** The term added to a logit of head h for a query at p and key j, or -Infinity. */
type Term = (p: number, j: number, h: number) => number;
type Call = ReturnType<typeof draw>;

function draw(seed: number) {
  const random = new TestRandom(seed);
  const often = (share: number): boolean => random.integer(0, 99) < 100 * share;
  const array = (...shape: number[]): NDArray => ({
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => random.integer(-64, 64) / 32),
    shape,
  });
  const table = (width: number, clip: number): { table: NDArray; clip: number } => ({
    table: array(2 * clip + 1, width),
    clip,
  });
  const Hkv = random.integer(1, 2);
  const H = Hkv * random.integer(1, 2);
  const [D, Dv, Tk] = [random.integer(1, 17), random.integer(1, 9), random.integer(1, 140)];
  const cached = often(0.5);
  const Tq = cached ? random.integer(1, Math.min(Tk, 20)) : random.integer(1, 80);
  const width = random.integer(1, 6);
  const activation = (['tanh', 'relu', 'leakyRelu'] as const)[random.integer(0, 2)]!;
  const additive = often(0.25)
    ? { Wq: array(D, width), Wk: cached ? null : array(D, width), w: array(width), activation }
    : null;
  if (additive !== null && width === 1) additive.w.data[0] = 1;
  // A cache holds keys that are projected.
  const Dk = cached && additive !== null ? width : D;
  const [q, k, v] = [array(H, Tq, D), array(Hkv, Tk, Dk), array(Hkv, Tk, Dv)];
  const terms: Term[] = [];
  const biases: Bias[] = [];
  if (often(0.3)) {
    const slopes = Array.from({ length: H }, () => random.integer(0, 8) / 8);
    biases.push(bias.alibi(slopes));
    terms.push((p, j, h) => -slopes[h]! * Math.abs(p - j));
  }
  if (often(0.3)) {
    const clip = random.integer(0, 4);
    const numbers = array(2 * clip + 1);
    biases.push(bias.relative(numbers, clip));
    terms.push((p, j) => numbers.data[clipped(p, j, clip)]!);
  }
  if (often(0.2)) {
    const direction = often(0.5) ? 'forward' : 'backward';
    biases.push(bias.direction(direction));
    terms.push((p, j) => ((direction === 'forward' ? j < p : j > p) ? 0 : -Infinity));
  }
  if (often(0.2)) {
    const [center, sigma] = [random.integer(0, Tk), random.integer(1, 5)];
    biases.push(bias.gaussian(center, sigma));
    terms.push((_, j) => -((j - center) ** 2) / (2 * sigma ** 2));
  }
  const rowsOf = (D: number) => (often(0.4) ? table(D, random.integer(0, 5)) : undefined);
  const relativeKeys = additive === null ? rowsOf(D) : undefined;
  const relativeValues = rowsOf(Dv);
  const [left, right, step] = [random.integer(0, 9), random.integer(0, 9), random.integer(2, 5)];
  const kept = often(0.4) ? pattern.window(left, right).or(pattern.atrous(step)) : undefined;
  if (kept !== undefined) terms.push((p, j) => ((j >= p - left && j <= p + right) || (p - j) % step === 0 ? 0 : -Infinity));
  const causal = often(0.5);
  if (causal) terms.push((p, j) => (j <= p ? 0 : -Infinity));
  const ring = cached && often(0.6) ? { window: random.integer(1, 20), sinkTokens: random.integer(0, 3) } : {};
  const dtype: 'float16' | 'float32' = cached && often(0.3) ? 'float16' : 'float32';
  const normalizer = NORMALIZERS[random.integer(0, NORMALIZERS.length - 1)]!;
  const { weightScale, factor } = drawWeightScale([H, Tq, Tk], random, array);
  const options: AttentionOptions = {
    weightScale,
    normalizer,
    temperature: [0.5, 1, 2][random.integer(0, 2)],
    softcap: often(0.3) ? 3 : 0,
    bias: biases,
    score: additive === null ? undefined : scoreOf(additive),
    pattern: kept,
    causal,
    relativeKeys,
    relativeValues,
    returnWeights: 'dense',
  };
  const sizes = { H, Hkv, D, Dk, Dv, Tq, Tk, first: cached ? Tk - Tq : 0 };
  return {
    sizes,
    q,
    k,
    v,
    terms,
    factor,
    additive,
    relativeKeys,
    relativeValues,
    cached,
    ring,
    dtype,
    normalizer,
    options,
    random,
  };
}

/** The factor of a weight of head h, query i and key j. */
type Factor = (h: number, i: number, j: number) => number;

function drawWeightScale(
  [H, Tq, Tk]: readonly [number, number, number],
  random: TestRandom,
  array: (...shape: number[]) => NDArray,
): { weightScale?: AttentionOptions['weightScale']; factor: Factor } {
  const one = (x: NDArray, at: number): number => x.data[at]!;
  const kind = random.integer(0, 8);
  if (kind === 0) {
    const all = array(H, Tq, Tk);
    return { weightScale: all, factor: (h, i, j) => one(all, (h * Tq + i) * Tk + j) };
  }
  if (kind === 1) {
    const ofKeys = array(Tk);
    return { weightScale: ofKeys, factor: (_h, _i, j) => one(ofKeys, j) };
  }
  if (kind === 2) {
    const rows = array(H, Tq, 1);
    return { weightScale: rows, factor: (h, i) => one(rows, h * Tq + i) };
  }
  if (kind === 3) {
    const heads = array(H);
    return { weightScale: { heads }, factor: (h) => one(heads, h) };
  }
  if (kind === 4) {
    const [center, sigma] = [array(H, Tq), random.integer(1, 40) / 4];
    for (let n = 0; n < center.data.length; n++) center.data[n] = random.integer(-8, 4 * Tk) / 4;
    const factor: Factor = (h, i, j) => Math.exp(-((j - one(center, h * Tq + i)) ** 2) / (2 * sigma ** 2));
    return { weightScale: { gaussian: { center, sigma } }, factor };
  }
  return { factor: () => 1 };
}

const clipped = (p: number, j: number, clip: number): number => Math.max(-clip, Math.min(clip, j - p)) + clip;

function filledCache({ sizes: { Hkv, Dk, Dv, Tq, Tk }, k, v, ring, dtype, random }: Call): KvCache {
  const { window = 0, sinkTokens = 0 } = ring as { window?: number; sinkTokens?: number };
  const capacity = window === 0 ? Tk : sinkTokens + window + Tq;
  const cache = kvCache(fovea, { kvHeads: Hkv, width: Dk, valueWidth: Dv, capacity, dtype, ...ring });
  const part = (x: NDArray, from: number, to: number): NDArray => {
    const { data, shape } = tokens({ data: x.data, shape: [1, ...x.shape] }, from, to);
    return { data, shape: shape.slice(1) };
  };
  for (let from = 0; from < Tk;) {
    const to = from < Tk - Tq ? Math.min(Tk - Tq, from + random.integer(1, Math.max(1, capacity - sinkTokens))) : Tk;
    cache.append(part(k, from, to), part(v, from, to));
    from = to;
  }
  return cache;
}

/** A row's logits, and Σ |terms| of the one that has most. */
function logitsOf(call: Call, k: NDArray, h: number, i: number): { logits: number[]; size: number } {
  const { sizes, q, terms, additive, relativeKeys, ring, cached, options } = call;
  const { H, Hkv, D, Dk, Tk, first } = sizes;
  const [p, g] = [first + i, Math.floor((h * Hkv) / H)];
  const query = (d: number): number => q.data[(h * sizes.Tq + i) * D + d]!;
  let size = 0;
  const logits = Array.from({ length: Tk }, (_, j) => {
    let [s, terms_] = [0, 0];
    const add = (x: number): void => void ([s, terms_] = [s + x, terms_ + Math.abs(x)]);
    const key = (d: number): number => k.data[(g * Tk + j) * Dk + d]!;
    if (additive === null) {
      for (let d = 0; d < D; d++) {
        const relative = relativeKeys?.table.data[clipped(p, j, relativeKeys.clip) * D + d] ?? 0;
        add((query(d) * (key(d) + relative)) / Math.sqrt(D));
      }
    } else {
      const { Wq, Wk, w } = additive;
      for (let a = 0; a < w.data.length; a++) {
        let sum = 0;
        for (let d = 0; d < D; d++) {
          sum += query(d) * Wq.data[d * w.data.length + a]!;
          if (Wk !== null) sum += key(d) * Wk.data[d * w.data.length + a]!;
        }
        if (Wk === null) sum += key(a);
        add(w.data[a]! * activated(additive, sum));
        terms_ += 8 * D * Math.abs(w.data[a]!); // of each sum in f, its terms are at most 4
      }
    }
    if (options.softcap) s = options.softcap * Math.tanh(s / options.softcap);
    for (const term of terms) add(term(p, j, h));
    if (cached && !sees(p, j, ring)) s = -Infinity;
    if (s !== -Infinity) size = Math.max(size, terms_ / options.temperature!);
    return s / options.temperature!;
  });
  return { logits, size };
}

/** Whether a choice between keys hangs on the last digits. */
function isClose({ kind, ...rest }: NormalizerParameters, logits: readonly number[], bound: number): boolean {
  if (kind === 'sampled') return true; // its draws are tested elsewhere; here they would have to be drawn twice
  const k = kind === 'argmax' ? 1 : kind === 'topK' ? (rest as { k: number }).k : 0;
  const ranked = logits.filter((s) => s !== -Infinity).sort((a, b) => b - a);
  return k > 0 && k < ranked.length && ranked[k - 1]! - ranked[k]! <= 4 * bound;
}

test('whatever is chosen on every axis, output and weights are those of the definition', () => {
  const property = fc.property(fc.integer({ min: 1, max: 2 ** 30 }), (seed) => {
    const call = draw(seed);
    const { sizes, q, k, v, factor, relativeValues, cached, dtype, normalizer, options } = call;
    const { H, Hkv, Dv, Tq, Tk, first } = sizes;
    const cache = cached ? filledCache(call) : null;
    const got = cache === null ? fovea.attention(q, k, v, options) : fovea.attention(q, cache, options);
    cache?.dispose();
    const weights = got.weights as NDArray;
    const [keys, values] = dtype === 'float16' ? [halves(k), halves(v)] : [k, v];
    for (let row = 0; row < H * Tq; row++) {
      const [h, i] = [Math.floor(row / Tq), row % Tq];
      const { logits, size } = logitsOf(call, keys, h, i);
      // A relative error of eps in every term moves a logit by eps Σ|terms|, and no weight by more than twice that.
      const bound = 16 * 2 ** -23 * (1 + size);
      if (isClose(normalizer, logits, bound)) continue;
      const want = weightsOf(normalizer, logits, { position: first + i, head: h });
      const text = `seed ${seed}, row ${row}, ${JSON.stringify(normalizer)}`;
      const sizeOf = (w: number, j: number): number => Math.max(1, Math.abs(factor(h, i, j))) * (1 + w);
      want.forEach((unscaled, j) => {
        const w = factor(h, i, j) * unscaled;
        if (!(Math.abs(weights.data[row * Tk + j]! - w) <= bound * sizeOf(unscaled, j)))
          assert.fail(`weight of ${j}: ${weights.data[row * Tk + j]}, not ${w}: ${text}`);
      });
      const kvHead = Math.floor((h * Hkv) / H);
      for (let d = 0; d < Dv; d++) {
        let sum = 0;
        want.forEach((w, j) => {
          const relative = relativeValues?.table.data[clipped(first + i, j, relativeValues.clip) * Dv + d] ?? 0;
          sum += factor(h, i, j) * w * (values.data[(kvHead * Tk + j) * Dv + d]! + relative);
        });
        const most = want.reduce((all, w, j) => all + sizeOf(w, j), 0);
        if (!(Math.abs(got.output.data[row * Dv + d]! - sum) <= 4 * bound * most))
          assert.fail(`output ${d}: ${got.output.data[row * Dv + d]}, not ${sum}: ${text}`);
      }
    }
  });
  fc.assert(property, { seed: SEED, numRuns: Math.ceil(300 * RUNS) });
});
