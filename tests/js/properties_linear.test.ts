/** Linear attention against its definition, for random sizes and options: whole, in parts, token by token, and its limits. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import {
  approximation,
  favorProjection,
  linearAttention,
  linearState,
  linformer,
  type LinearOptions,
  type LinearAttentionState,
} from 'fovea/linear-attention';
import type { NDArray } from 'fovea';
import { FEATURES, favorFeatures, referenceLinear, type ReferenceRule } from './support/linear_reference.ts';
import { loadForTests } from './support/truth_instance.ts';
import { RUNS, SEED } from './support/truth_problems.ts';
import { TestRandom } from './support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

interface Recipe {
  readonly seed: number;
  readonly B: number;
  readonly kvHeads: number;
  readonly group: number;
  readonly T: number;
  readonly D: number;
  readonly Dv: number;
  readonly map: 'elu1' | 'relu' | 'squaredRelu' | 'identity' | 'exp' | 'taylor' | 'favor+';
  readonly rule: 'linear' | 'gated' | 'delta' | 'gatedDelta' | null;
  readonly perFeature: boolean;
  readonly chunkSize: number;
  readonly cuts: readonly number[];
}

const recipes: fc.Arbitrary<Recipe> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
  B: fc.constantFrom(1, 1, 2),
  kvHeads: fc.constantFrom(1, 1, 2),
  group: fc.constantFrom(1, 1, 2, 3),
  T: fc.constantFrom(1, 2, 3, 7, 8, 9, 17, 63, 64, 65, 130),
  D: fc.constantFrom(1, 2, 3, 4, 5, 8, 13),
  Dv: fc.constantFrom(1, 2, 3, 4, 7, 16, 17),
  map: fc.constantFrom('elu1', 'relu', 'squaredRelu', 'identity', 'exp', 'taylor', 'favor+'),
  rule: fc.constantFrom(null, null, 'linear', 'gated', 'delta', 'gatedDelta'),
  perFeature: fc.boolean(),
  chunkSize: fc.constantFrom(1, 2, 5, 64, 1000),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
});

interface Built {
  readonly q: NDArray;
  readonly k: NDArray;
  readonly v: NDArray;
  readonly decay: NDArray | undefined;
  readonly beta: NDArray | undefined;
  readonly options: LinearOptions;
  readonly reference: ReferenceRule;
}

function build({ seed, B, kvHeads, group, T, D, Dv, map, rule, perFeature, chunkSize }: Recipe): Built {
  const random = new TestRandom(seed);
  const [q, k, v] = [
    [B, kvHeads * group, T, D],
    [B, kvHeads, T, D],
    [B, kvHeads, T, Dv],
  ].map((shape) => random.normals(shape, 0.7)) as [NDArray, NDArray, NDArray];
  const isGated = rule === 'gated' || rule === 'gatedDelta';
  const isDelta = rule === 'delta' || rule === 'gatedDelta';
  const projection = map === 'favor+' ? random.normals([6, D]) : undefined;
  const phi = map === 'favor+' ? favorFeatures(projection!) : FEATURES[map]!;
  const F = phi(new Array<number>(D).fill(0)).length;
  const uniform = (shape: number[], scale: number): NDArray => {
    const made = random.normals(shape);
    made.data.forEach((x, n) => (made.data[n] = scale * Math.abs(x)));
    return made;
  };
  const decay = isGated ? uniform(perFeature ? [B, kvHeads, T, F] : [B, kvHeads, T], -0.3) : undefined;
  // The delta rule stays bounded where β|φ(k)|² < 2.
  const beta = isDelta ? uniform([B, kvHeads, T], 0.02) : undefined;
  const inside = map === 'exp' || map === 'taylor' || map === 'favor+';
  const half = inside ? Math.sqrt(1 / Math.sqrt(D)) : 1;
  const normalize = rule === null && map !== 'relu' && map !== 'squaredRelu' && map !== 'identity';
  const options: LinearOptions = {
    featureMap: map,
    ...(projection === undefined ? {} : { projection }),
    updateRule: rule ?? undefined,
    decay,
    beta,
    normalize,
    chunkSize,
  };
  const reference: ReferenceRule = {
    features: (row) => phi(row.map((x) => Math.fround(half) * x)),
    rule: rule ?? 'linear',
    normalize,
    causal: true,
    outputScale: inside || rule === null ? 1 : 1 / Math.sqrt(D),
    decay: (b, h, t, f) => decay!.data[((b * kvHeads + h) * T + t) * (perFeature ? F : 1) + (perFeature ? f : 0)]!,
    beta: (b, h, t) => beta!.data[(b * kvHeads + h) * T + t]!,
  };
  return { q, k, v, decay, beta, options, reference };
}

/** Within `eps` of the largest number, times what sums of so many terms may lose. */
function close(got: Float32Array, want: ArrayLike<number>, what: string, eps = 2 ** -17): void {
  let largest = 2 ** -20;
  for (let n = 0; n < want.length; n++) largest = Math.max(largest, Math.abs(want[n]!));
  assert.equal(got.length, want.length, what);
  for (let n = 0; n < want.length; n++)
    assert.ok(
      Math.abs(got[n]! - want[n]!) <= eps * largest,
      `${what}: [${n}] is ${got[n]}, not ${want[n]} (largest ${largest})`,
    );
}

/** Tokens [from, to) of [..., T, width], or of [..., T] where `axes` is 3. */
function tokens({ data, shape }: NDArray, from: number, to: number): NDArray {
  const T = shape[2]!;
  const size = shape.slice(3).reduce((product, n) => product * n, 1);
  const outer = shape[0]! * shape[1]!;
  const part = new Float32Array(outer * (to - from) * size);
  for (let n = 0; n < outer; n++) part.set(data.subarray((n * T + from) * size, (n * T + to) * size), n * (to - from) * size);
  return { data: part, shape: [shape[0]!, shape[1]!, to - from, ...shape.slice(3)] };
}

function forAll(runs: number, check: (recipe: Recipe) => void): void {
  const live = fovea.memory().live;
  fc.assert(fc.property(recipes, check), { seed: SEED, numRuns: Math.ceil(runs * RUNS) });
  assert.equal(fovea.memory().live, live, 'live bytes');
}

test('causal calls are the definition, and so are their parts and single tokens', () => {
  forAll(150, (recipe) => {
    const { B, kvHeads, group, T, D, Dv } = recipe;
    const { q, k, v, decay, beta, options, reference } = build(recipe);
    const want = referenceLinear(q, k, v, reference);
    const whole = linearAttention(fovea, q, k, v, { ...options, causal: true, returnState: true });
    close(whole.output.data, want.output, 'whole');

    const { decay: _d, beta: _b, ...rule } = options;
    const state = linearState(fovea, { ...rule, batch: B, kvHeads, width: D, valueWidth: Dv });
    const bounds = [0, ...recipe.cuts.map((cut) => Math.floor(cut * T)).sort((a, b) => a - b), T];
    let carried: LinearAttentionState<NDArray> | undefined;
    const rows = { chunks: new Float32Array(want.output.length), steps: new Float32Array(want.output.length) };
    for (let n = 1; n < bounds.length; n++) {
      const [from, to] = [bounds[n - 1]!, bounds[n]!];
      const cut = (x: NDArray | undefined): NDArray | undefined => x && tokens(x, from, to);
      const part = [cut(q)!, cut(k)!, cut(v)!] as const;
      const gates = { decay: cut(decay), beta: cut(beta) };
      const chunk = linearAttention(fovea, ...part, {
        ...options,
        ...gates,
        causal: true,
        initialState: carried,
        returnState: true,
      });
      carried = chunk.state;
      const stepped = state.step(...part, gates);
      for (let g = 0; g < B * kvHeads * group; g++) {
        const size = (to - from) * Dv;
        rows.chunks.set(chunk.output.data.subarray(g * size, (g + 1) * size), (g * T + from) * Dv);
        rows.steps.set(stepped.data.subarray(g * size, (g + 1) * size), (g * T + from) * Dv);
      }
    }
    assert.equal(state.length, T);
    close(rows.chunks, want.output, 'in parts');
    close(rows.steps, want.output, 'in steps');
    const kept = state.state();
    for (const part of ['s', 'z', 'm'] as const)
      close(kept[part]?.data ?? new Float32Array(0), carried?.[part]?.data ?? [], `state ${part}`);
    state.dispose();
  });
});

test('calls that are causal or not are the definition, whatever is in the padding', () => {
  forAll(120, (recipe) => {
    const { q, k, v, options, reference } = build(recipe);
    const causal = recipe.rule !== null || recipe.seed % 2 === 0;
    const random = new TestRandom(recipe.seed + 1);
    const keyLengths = Array.from({ length: recipe.B }, () => random.integer(0, recipe.T));
    for (const x of [k, v])
      for (let n = 0; n < x.data.length; n++) {
        const width = x.shape[3]!;
        const token = Math.floor(n / width) % recipe.T;
        const entry = Math.floor(n / (width * recipe.T * recipe.kvHeads));
        if (token >= keyLengths[entry]!) x.data[n] = n % 2 === 0 ? NaN : Infinity;
      }
    const want = referenceLinear(q, k, v, { ...reference, causal, keyLengths });
    const got = linearAttention(fovea, q, k, v, { ...options, causal, keyLengths });
    close(got.output.data, want.output, 'output');
  });
});

test('FAVOR+ comes to exact attention as features are added, its error about as 1/√F', () => {
  const random = new TestRandom(5);
  // The variance of a feature grows as e^(|q + k|²): small rows, so that the law shows at these numbers of features.
  const [q, k, v] = [random.normals([24, 8], 0.6), random.normals([24, 8], 0.6), random.normals([24, 4])];
  const errorOf = (features: number): number => {
    let sum = 0;
    for (let redraw = 0; redraw < 8; redraw++)
      sum += approximation(fovea, q, k, v, { linear: { featureMap: 'favor+', features, redraw } }).relativeFrobenius ** 2;
    return Math.sqrt(sum / 8);
  };
  const errors = [32, 512, 8192].map(errorOf);
  assert.ok(errors[2]! < 0.1, `${errors}`);
  for (const [few, many] of [errors.slice(0, 2), errors.slice(1)] as [number, number][]) {
    // 16 times as many features: a quarter of the error.
    assert.ok(few / many > 2 && few / many < 8, `errors ${errors}`);
  }
});

test('a drawn projection is orthogonal in blocks, and the same for a call that is given it', () => {
  const random = new TestRandom(6);
  const [q, k, v] = [random.normals([2, 9, 4]), random.normals([2, 9, 4]), random.normals([2, 9, 4])];
  const projection = favorProjection(fovea, { width: 4, features: 10, seed: 3, redraw: 2 });
  for (let a = 0; a < 4; a++)
    for (let b = 0; b < a; b++) {
      let dot = 0;
      for (let d = 0; d < 4; d++) dot += projection.data[a * 4 + d]! * projection.data[b * 4 + d]!;
      assert.ok(Math.abs(dot) < 1e-5, `rows ${a} and ${b}: ${dot}`);
    }
  const drawn = linearAttention(fovea, q, k, v, { featureMap: 'favor+', features: 10, seed: 3, redraw: 2 });
  const given = linearAttention(fovea, q, k, v, { featureMap: 'favor+', projection });
  assert.deepEqual(drawn, given);
  const other = linearAttention(fovea, q, k, v, { featureMap: 'favor+', features: 10, seed: 3, redraw: 1 });
  assert.notDeepEqual(drawn, other);
});

test('linformer whose mixtures are the keys themselves is attention', () => {
  const sizes = fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 30 }),
    B: fc.constantFrom(1, 2),
    H: fc.constantFrom(1, 4),
    Hkv: fc.constantFrom(1, 2, 4),
    T: fc.constantFrom(1, 5, 33),
    D: fc.constantFrom(1, 3, 8),
  });
  fc.assert(
    fc.property(sizes, ({ seed, B, H, Hkv, T, D }) => {
      if (H % Hkv !== 0) return;
      const random = new TestRandom(seed);
      const [q, k, v] = [random.normals([B, H, 7, D]), random.normals([B, Hkv, T, D]), random.normals([B, Hkv, T, 5])];
      const E = { data: new Float32Array(T * T), shape: [T, T] };
      for (let n = 0; n < T; n++) E.data[n * T + n] = 1;
      const got = linformer(fovea, q, k, v, { E, returnWeights: true });
      const want = fovea.attention(q, k, v, { returnWeights: true });
      close(got.output.data, want.output.data, 'output');
      close(got.weights!.data, (want.weights as NDArray).data, 'weights');
    }),
    { seed: SEED, numRuns: Math.ceil(40 * RUNS) },
  );
});
