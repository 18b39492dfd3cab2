/** Calls that must give the same bits, on random problems (fast-check; FOVEA_SEED and FOVEA_RUNS change them). */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { NDArray } from 'fovea';
import * as ops from 'fovea/ops';
import { pattern as P, type Pattern } from 'fovea/pattern';
import { connect } from 'fovea/worker';
import { assertSameBits, firstDifference } from './support/truth_bounds.ts';
import { attend, otherForms, plainForm, type Full, type Mask, type Plain, type Problem } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';
import { build, forAll, problemsOfAllOptions, problemsOfShape, type Recipe } from './support/truth_problems.ts';
import { sizeOf, TestRandom } from './support/truth_random.ts';
import { broadcastStrides, referenceAttention } from './support/truth_reference.ts';
import { expectedAttention } from './support/truth_tolerance.ts';
import type { DenseOptions } from './support/dense_options.ts';

const fovea = await loadForTests();
/** A worker of this build, which computes calls in slices. */
const remote = await connect({ variant: fovea.info.variant, sliceTime: 0 });
after(() => {
  fovea.dispose();
  remote.terminate();
});

function assertSame(got: Full, want: Full, what: string): void {
  assertSameBits(got.output, want.output, `${what}: output`);
  assertSameBits(got.weights, want.weights, `${what}: weights`);
  assertSameBits(got.lse, want.lse, `${what}: lse`);
}

test('output keeps its bits whatever else is asked for: weights, lse, logits, trace', () => {
  forAll(problemsOfAllOptions, 80, (recipe) => {
    const { q, k, v, mask, options } = build(recipe).problem;
    const call = (more: DenseOptions) => fovea.attention(q, k, v, { ...options, mask, ...more });
    const bare = call({}).output.data;
    const asked: DenseOptions[] = [
      { returnWeights: true },
      { returnWeights: 'dense' },
      { returnLse: true },
      { returnLogits: 'raw' },
      { returnLogits: 'capped' },
      { returnLogits: 'biased' },
      { trace: true },
      { trace: { batch: 0, head: 0, rows: [0, 1] } },
      { returnWeights: true, returnLse: true, returnLogits: 'biased', trace: true },
    ];
    for (const more of asked) assertSameBits(call(more).output.data, bare, JSON.stringify(more));
    const full = call({ returnWeights: true, returnLse: true, returnLogits: 'raw', trace: true });
    assertSameBits(full.weights!.data, call({ returnWeights: true }).weights!.data, 'weights beside all else');
    assertSameBits(full.lse!.data, call({ returnLse: true }).lse!.data, 'lse beside all else');
  });
});

test('every form of the call gives the same bits: axes left out, bthd, packed heads, Tensors, doubled batch, padding', () => {
  forAll(problemsOfAllOptions, 60, (recipe) => {
    const { problem, reference } = build(recipe);
    const full: Problem = { ...problem, options: { ...problem.options, returnWeights: true, returnLse: true } };
    const want = plainForm.run(fovea, full);
    for (const form of otherForms) {
      const { v, options } = full;
      // With lengths of the padded keys alone, 'bottom-right' would count from another end.
      const moved =
        reference.causalAlign === 'bottom-right' && options.keyLengths === undefined
          ? { ...options, causalAlign: undefined, causalOffset: recipe.Tk - recipe.Tq }
          : options;
      const got = form.run(fovea, { ...full, v, options: moved });
      assertSameBits(got.output, want.output, `${form.title}: output`);
      assertSameBits(got.weights!, want.weights!, `${form.title}: weights`);
      assertSameBits(got.lse!, want.lse!, `${form.title}: lse`);
    }
  });
});

test("a row's bits do not depend on the other rows", () => {
  forAll(problemsOfAllOptions, 100, (recipe) => {
    const { problem } = build(recipe);
    const { Tq, Tk, D, Dv, seed } = recipe;
    const want = attend(fovea, problem);
    const random = new TestRandom(seed + 1);
    const kept = random.integer(0, problem.q.data.length / D - 1);
    const q = {
      data: problem.q.data.map((x, n) => (Math.floor(n / D) === kept ? x : 100 * random.normal())),
      shape: problem.q.shape,
    };
    const got = attend(fovea, { ...problem, q });
    const same = (name: keyof Full, size: number) =>
      assertSameBits(
        got[name].subarray(kept * size, (kept + 1) * size),
        want[name].subarray(kept * size, (kept + 1) * size),
        `${name} of row ${kept % Tq}`,
      );
    same('output', Dv);
    same('weights', Tk);
    same('lse', 1);
  });
});

test("a batch entry's bits do not depend on the other entries", () => {
  forAll(
    problemsOfAllOptions.filter(({ B }) => B > 1),
    80,
    (recipe) => {
      const { problem } = build(recipe);
      const { B } = recipe;
      const want = attend(fovea, problem);
      const b = recipe.seed % B;
      const part = <T extends Float32Array | Uint8Array>(array: { data: T; shape: number[] }): { data: T; shape: number[] } => {
        const size = array.data.length / B;
        return { data: array.data.slice(b * size, (b + 1) * size) as T, shape: [1, ...array.shape.slice(1)] };
      };
      const { q, k, v, mask, options } = problem;
      const ofEntry = <T>(list: number | readonly T[] | Int32Array | undefined) =>
        list === undefined || typeof list === 'number' ? list : [list[b] as number];
      const got = attend(fovea, {
        q: part(q),
        k: part(k),
        v: part(v),
        mask: mask === undefined || mask.shape.length < 4 || mask.shape[0] === 1 ? mask : part<Float32Array | Uint8Array>(mask),
        options: {
          ...options,
          keyLengths: ofEntry(options.keyLengths as number[] | undefined) as number[] | undefined,
          causalOffset: ofEntry(options.causalOffset as number | number[] | undefined),
        },
      });
      for (const name of ['output', 'weights', 'lse'] as const) {
        const size = want[name].length / B;
        assertSameBits(got[name], want[name].subarray(b * size, (b + 1) * size), `${name} of batch entry ${b}`);
      }
    },
  );
});

test('a slice of 64 or more query rows has the bits of the whole', () => {
  forAll(
    problemsOfAllOptions.filter(({ Tk, D, Dv }) => Tk * (D + Dv) < 3e4),
    60,
    (recipe) => {
      const random = new TestRandom(recipe.seed + 2);
      const Tq = random.integer(65, 300);
      const from = random.integer(0, Tq - 64);
      const to = random.integer(from + 64, Tq);
      const { problem, reference } = build({ ...recipe, Tq, B: 1, kvHeads: 1 });
      const want = attend(fovea, problem);
      const { q, k, v, mask, options } = problem;
      const heads = q.shape[1] as number;
      const { causalOffset, causalAlign } = reference;
      const offset =
        causalAlign === 'bottom-right'
          ? ((options.keyLengths as number[] | undefined)?.[0] ?? recipe.Tk) - Tq
          : typeof causalOffset === 'object'
            ? (causalOffset[0] as number)
            : (causalOffset ?? 0);
      const rowsOf = <T extends Float32Array | Uint8Array>(data: T, groups: number): T => {
        const size = data.length / groups / Tq;
        const sliced =
          data instanceof Uint8Array
            ? new Uint8Array(groups * (to - from) * size)
            : new Float32Array(groups * (to - from) * size);
        for (let g = 0; g < groups; g++)
          sliced.set(data.subarray((g * Tq + from) * size, (g * Tq + to) * size), g * (to - from) * size);
        return sliced as T;
      };
      const slicedMask = (whole: Mask): Mask => {
        if (whole.shape.at(-2) !== Tq) return whole;
        const groups = sizeOf(whole.shape.slice(0, -2));
        return {
          data: rowsOf<Float32Array | Uint8Array>(whole.data, groups),
          shape: [...whole.shape.slice(0, -2), to - from, whole.shape.at(-1) as number],
        };
      };
      const got = attend(fovea, {
        q: { data: rowsOf(q.data, heads), shape: [1, heads, to - from, recipe.D] },
        k,
        v,
        mask: mask && slicedMask(mask),
        options: { ...options, causalAlign: undefined, causalOffset: offset + from },
      });
      assertSame(
        got,
        { output: rowsOf(want.output, heads), weights: rowsOf(want.weights, heads), lse: rowsOf(want.lse, heads) },
        `rows ${from} to ${to} of ${Tq}`,
      );
    },
  );
});

/** Patterns whose rows are computed in tiles with their neighbors and pair by pair, in one pass and in several. */
const patterns: Record<string, Pattern> = {
  window: P.window(9, 5),
  atrous: P.atrous(16),
  strided: P.strided(16),
  fixed: P.fixed(16, 4),
  longformer: P.longformer({ window: 18, globalTokens: [3] }),
  bigBird: P.bigBird({ block: 8 }),
};

for (const [name, pattern] of Object.entries(patterns)) {
  const [B, H, T, D] = [2, 2, 300, 16];
  const random = new TestRandom(11);
  const [q, k, v] = [random.normals([B, H, T, D]), random.normals([B, H, T, D]), random.normals([B, H, T, D])];
  const asked = { pattern, returnWeights: 'dense', returnLse: true } as const;
  const fullOf = ({ output, weights, lse }: { output: NDArray; weights?: NDArray; lse?: NDArray }): Full => ({
    output: output.data,
    weights: weights!.data,
    lse: lse!.data,
  });
  const call = (query: Plain, options: object = {}): Full =>
    fullOf(fovea.attention(query, k, v, { ...asked, ...options }) as Parameters<typeof fullOf>[0]);

  test(`with ${name} a row's bits depend neither on other rows' numbers nor on other batch entries or what is asked besides`, () => {
    const want = call(q);
    const kept = 131;
    const others = { data: q.data.map((x, n) => (Math.floor(n / D) % T === kept ? x : 100 * random.normal())), shape: q.shape };
    const got = call(others);
    for (let bh = 0; bh < B * H; bh++)
      for (const [part, size] of [
        ['output', D],
        ['weights', T],
        ['lse', 1],
      ] as const) {
        const at = (bh * T + kept) * size;
        assertSameBits(got[part].subarray(at, at + size), want[part].subarray(at, at + size), `${part} of row ${kept}`);
      }
    assertSameBits(fovea.attention(q, k, v, { pattern }).output.data, want.output, 'the output alone');
    const entry = (x: NDArray): Plain => ({ data: x.data.slice(H * T * D), shape: [1, H, T, D] });
    // A random pattern is drawn anew for each batch entry, by its number.
    if (name === 'bigBird') return;
    const alone = fovea.attention(entry(q), entry(k), entry(v), { pattern }).output.data;
    assertSameBits(alone, want.output.subarray(H * T * D), 'batch entry 1 alone');
  });

  test(`with ${name} a slice of the queries agrees with the definition as the whole call does, and slices in a worker have its bits`, async () => {
    const want = call(q);
    assertSame(fullOf((await remote.attention(q, k, v, asked)) as Parameters<typeof fullOf>[0]), want, 'in a worker');
    const mask = pattern.toMask(fovea, { batch: B, heads: H, queries: T, keys: T });
    const [from, to] = [70, 198];
    const rowsOf = <A extends Float32Array | Float64Array | Uint8Array>(data: A, size: number): number[] =>
      Array.from({ length: data.length / (T * size) }, (_, n) => [
        ...data.subarray((n * T + from) * size, (n * T + to) * size),
      ]).flat();
    const part = { data: Float32Array.from(rowsOf(q.data, D)), shape: [B, H, to - from, D] };
    const allowed = { data: Uint8Array.from(rowsOf(mask.data, T)), shape: [...mask.shape.slice(0, -2), to - from, T] };
    const { bounds, want: truth } = expectedAttention(part, k, v, { mask: allowed }, false);
    const got = call(part, { causalOffset: from });
    for (const [name, size] of [
      ['output', D],
      ['weights', T],
      ['lse', 1],
    ] as const) {
      for (const values of [got[name], rowsOf(want[name], size)])
        truth[name].forEach((x, n) => {
          // A message for each number would take most of the time.
          if (!(Math.abs(values[n]! - x) <= bounds[name])) assert.fail(`${name}[${n}]: ${values[n]}, not ${x}`);
        });
    }
  });
}

test('grouped query attention has the bits of the same call with every key/value head repeated', () => {
  forAll(
    problemsOfAllOptions.filter(({ group }) => group > 1),
    100,
    (recipe) => {
      const { problem } = build(recipe);
      const repeat = (x: Plain): Plain => {
        const [B, Hkv, T, D] = x.shape as [number, number, number, number];
        const data = new Float32Array(x.data.length * recipe.group);
        for (let n = 0; n < B * Hkv * recipe.group; n++)
          data.set(
            x.data.subarray(Math.floor(n / recipe.group) * T * D, (Math.floor(n / recipe.group) + 1) * T * D),
            n * T * D,
          );
        return { data, shape: [B, Hkv * recipe.group, T, D] };
      };
      assertSame(
        attend(fovea, { ...problem, k: repeat(problem.k), v: repeat(problem.v) }),
        attend(fovea, problem),
        'heads repeated',
      );
    },
  );
});

test('causal, window, keyLengths and a boolean mask have the bits of the boolean and the float mask that say the same', () => {
  forAll(
    problemsOfAllOptions.map((recipe) => ({ ...recipe, mask: recipe.mask === 'boolean' ? recipe.mask : 'none' })),
    150,
    (recipe) => {
      const { problem, reference } = build(recipe);
      const want = attend(fovea, problem);
      const { q, k, v, options } = problem;
      const { allowed } = referenceAttention(
        { data: new Float32Array(q.data.length / recipe.D), shape: [...q.shape.slice(0, 3), 1] },
        { data: new Float32Array(k.data.length / recipe.D), shape: [...k.shape.slice(0, 3), 1] },
        v,
        reference,
      );
      const shape = [...q.shape.slice(0, 3), recipe.Tk];
      // ALiBi needs the positions still; the rules are left to the mask.
      const rest = { ...options, causal: false, window: undefined, keyLengths: undefined, ...keptPositions(recipe, problem) };
      assertSame(attend(fovea, { q, k, v, mask: { data: allowed, shape }, options: rest }), want, 'as a boolean mask');
      const added = Float32Array.from(allowed, (one) => (one === 1 ? 0 : -Infinity));
      assertSame(attend(fovea, { q, k, v, mask: { data: added, shape }, options: rest }), want, 'as a float mask');
    },
  );
});

/** The positions of the queries, told by causalOffset alone. */
function keptPositions({ B, Tq, Tk }: Recipe, { options }: Problem): Pick<DenseOptions, 'causalAlign' | 'causalOffset'> {
  if (options.causalAlign !== 'bottom-right') return {};
  const lengths = options.keyLengths as number[] | undefined;
  return { causalAlign: undefined, causalOffset: Array.from({ length: B }, (_, b) => (lengths?.[b] ?? Tk) - Tq) };
}

test('a mask of fewer axes has the bits of the same mask written out', () => {
  forAll(
    problemsOfAllOptions.filter(({ mask }) => mask !== 'none'),
    100,
    (recipe) => {
      const { problem } = build(recipe);
      const { mask } = problem as { mask: Mask };
      const full = [...problem.q.shape.slice(0, 3), recipe.Tk];
      const strides = broadcastStrides(mask.shape, full);
      const written = mask.data instanceof Uint8Array ? new Uint8Array(sizeOf(full)) : new Float32Array(sizeOf(full));
      const [, H, Tq, Tk] = full as [number, number, number, number];
      for (let n = 0; n < written.length; n++) {
        const [b, h, i, j] = [Math.floor(n / (H * Tq * Tk)), Math.floor(n / (Tq * Tk)) % H, Math.floor(n / Tk) % Tq, n % Tk];
        written[n] = mask.data[b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3]] as number;
      }
      assertSame(
        attend(fovea, { ...problem, mask: { data: written, shape: full } }),
        attend(fovea, problem),
        'the mask written out',
      );
    },
  );
});

test('options that say nothing change nothing', () => {
  forAll(problemsOfShape, 40, (recipe) => {
    const { problem } = build(recipe);
    const want = attend(fovea, problem);
    const { B, Tk, Tq } = recipe;
    const nothings: DenseOptions[] = [
      { window: [-1, -1] },
      { softcap: 0 },
      { causal: false },
      { causalOffset: 5 },
      { causalAlign: 'bottom-right' },
      { keyLengths: new Array<number>(B).fill(Tk) },
      { keyLengths: Int32Array.from({ length: B }, () => Tk) },
      { causal: true, causalOffset: Tk },
      { window: [Tq + Tk, Tq + Tk] },
      { bias: [] },
      { mask: { data: new Uint8Array(Tk).fill(255), shape: [Tk] } },
      { mask: { data: new Float32Array(Tk), shape: [1, Tk] } },
      {
        causal: undefined,
        window: undefined,
        mask: undefined,
        keyLengths: undefined,
        softcap: undefined,
        bias: undefined,
        sinks: undefined,
        trace: undefined,
        out: undefined,
      },
    ];
    for (const more of nothings) assertSame(attend(fovea, problem, more), want, JSON.stringify(more));
  });
});

test('a sink changes no bit of lse, and a sink far below the logits none of output and weights', () => {
  forAll(
    problemsOfAllOptions.filter(({ sinks }) => sinks === 'none'),
    80,
    (recipe) => {
      const { problem } = build(recipe);
      const want = attend(fovea, problem);
      const heads = recipe.kvHeads * recipe.group;
      for (const sinks of [0, -1e6, 1e4, Array.from({ length: heads }, (_, h) => h - 1)]) {
        const got = attend(fovea, problem, { sinks });
        assertSameBits(got.lse, want.lse, `lse with sinks ${sinks}`);
        if (sinks === -1e6) assertSame(got, want, 'with a sink that weighs nothing');
      }
    },
  );
});

test('multiHeadAttention has the bits of its projections followed by attention', () => {
  forAll(
    problemsOfShape.filter(({ D }) => D < 80),
    40,
    (recipe) => {
      const random = new TestRandom(recipe.seed);
      const { B, Tq, Tk, D, kvHeads: heads } = recipe;
      const E = heads * D;
      const [query, source] = [random.normals([B, Tq, E]), random.normals([B, Tk, E])];
      const weight = () => random.normals([E, E], 1 / Math.sqrt(E));
      const bias = () => random.normals([E]);
      const params = { Wq: weight(), Wk: weight(), Wv: weight(), Wo: weight(), bq: bias(), bk: bias(), bv: bias(), bo: bias() };
      const options = { heads, causal: recipe.seed % 2 === 0, returnWeights: true, returnLse: true };
      const got = fovea.multiHeadAttention(query, source, source, params, { ...options, weightLayout: 'outIn' });
      const linear = (x: NDArray, weight: NDArray, bias: NDArray): NDArray => ops.linear(fovea, x, weight, bias);
      const inner = fovea.attention(
        linear(query, params.Wq, params.bq),
        linear(source, params.Wk, params.bk),
        linear(source, params.Wv, params.bv),
        options,
      );
      assert.equal(firstDifference(linear(inner.output, params.Wo, params.bo).data, got.output.data), -1, 'output');
      assertSameBits(got.weights!.data, inner.weights!.data, 'weights');
      assertSameBits(got.lse!.data, inner.lse!.data, 'lse');
    },
  );
});
