/** Patterns with every other option, against the definition in double: each pair by its rule, written a second time. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { SparseWeights } from 'fovea';
import { plant, trees, type Ruled, type Tree } from './support/pattern_trees.ts';
import type { Mask } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';
import { build, problemsOfAllOptions, RUNS, SEED, type Built, type Recipe } from './support/truth_problems.ts';
import { broadcastStrides } from './support/truth_reference.ts';
import { expectedAttention } from './support/truth_tolerance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

interface Case extends Built {
  readonly ruled: Ruled;
  readonly sizes: readonly [number, number, number, number];
  /** The pattern's answer for every pair. */
  readonly kept: Uint8Array;
}

const cases = fc.record({ recipe: problemsOfAllOptions, tree: trees });

function caseOf({ recipe, tree }: { recipe: Recipe; tree: Tree }): Case {
  const built = build(recipe);
  const { B, Tq, Tk, kvHeads, group } = recipe;
  const H = kvHeads * group;
  const { causalAlign, causalOffset, keyLengths } = built.problem.options;
  const offsets = Array.from({ length: B }, (_, b) => {
    if (causalAlign === 'bottom-right') return Number(keyLengths?.[b] ?? Tk) - Tq;
    return typeof causalOffset === 'number' ? causalOffset : Number(causalOffset?.[b] ?? 0);
  });
  const ruled = plant(tree, { B, H, Tq, Tk, offsets });
  const kept = new Uint8Array(B * H * Tq * Tk);
  for (let at = 0; at < kept.length; at++) {
    const [j, i, h, b] = [at % Tk, Math.floor(at / Tk) % Tq, Math.floor(at / Tk / Tq) % H, Math.floor(at / Tk / Tq / H)];
    kept[at] = Number(ruled.allows(i + offsets[b]!, j, h, b));
  }
  return { ...built, ruled, sizes: [B, H, Tq, Tk], kept };
}

/** The problem's mask with what the pattern forbids forbidden in it. */
function maskWith({ problem: { mask }, sizes, kept }: Case): Mask {
  if (mask === undefined) return { data: kept, shape: [...sizes] };
  const [b, h, i, j] = broadcastStrides(mask.shape, [...sizes]);
  const [, H, Tq, Tk] = sizes;
  const at = (n: number): number =>
    Math.floor(n / Tk / Tq / H) * b + (Math.floor(n / Tk / Tq) % H) * h + (Math.floor(n / Tk) % Tq) * i + (n % Tk) * j;
  const allowed = (n: number): number => mask.data[at(n)]!;
  if (mask.data instanceof Uint8Array) return { data: kept.map((keep, n) => keep * allowed(n)), shape: [...sizes] };
  return { data: Float32Array.from(kept, (keep, n) => (keep === 1 ? allowed(n) : -Infinity)), shape: [...sizes] };
}

function assertNear(got: Float32Array, want: Float64Array, bound: number, what: string): void {
  assert.equal(got.length, want.length, what);
  for (let n = 0; n < want.length; n++) {
    const [g, w] = [got[n]!, want[n]!];
    const near = Number.isFinite(w) ? Math.abs(g - w) <= bound : Object.is(g, w);
    if (!near) assert.fail(`${what}[${n}]: ${g}, not ${w} (error ${Math.abs(g - w)}, bound ${bound})`);
  }
}

function forAll(runs: number, check: (one: Case) => void): void {
  fc.assert(
    fc.property(cases, (one) => check(caseOf(one))),
    { seed: SEED, numRuns: Math.ceil(runs * RUNS) },
  );
}

test('output, weights, lse and logits agree with the definition, whatever the pattern and the options', () => {
  forAll(250, (one) => {
    const { problem, reference, exactLogits, ruled, kept } = one;
    const { want, bounds } = expectedAttention(
      problem.q,
      problem.k,
      problem.v,
      { ...reference, mask: maskWith(one) },
      exactLogits,
    );
    const options = { ...problem.options, mask: problem.mask, pattern: ruled.pattern, returnLse: true };
    const run = (more: object) =>
      fovea.attention(problem.q, problem.k, problem.v, { ...options, ...more, returnWeights: 'dense' });
    const got = run({});
    const text = ruled.pattern.describe();
    assertNear(got.output.data, want.output, bounds.output, `output of ${text}`);
    assertNear(got.weights!.data, want.weights, bounds.weights, `weights of ${text}`);
    assertNear(got.lse!.data, want.lse, bounds.lse, `lse of ${text}`);
    for (const stage of ['raw', 'capped', 'biased'] as const) {
      const logits = run({ returnLogits: stage }).logits!;
      const known = want[stage].map((logit, n) => (kept[n] === 1 ? logit : -Infinity));
      assertNear(logits.data, known, bounds[stage], `logits '${stage}' of ${text}`);
    }
  });
});

test('sparse weights are the dense ones of exactly the allowed pairs, with a pattern and without', () => {
  forAll(150, (one) => {
    const { problem, reference, ruled, sizes } = one;
    const [B, H, Tq, Tk] = sizes;
    for (const pattern of [ruled.pattern, undefined]) {
      const options = { ...problem.options, mask: problem.mask, pattern };
      const dense = fovea.attention(problem.q, problem.k, problem.v, { ...options, returnWeights: 'dense' });
      const sparse = fovea.attention(problem.q, problem.k, problem.v, { ...options, returnWeights: 'sparse' });
      assert.deepEqual(sparse.output.data, dense.output.data, 'asking for weights changes no bit of the output');
      const mask = pattern === undefined ? problem.mask : maskWith(one);
      const { allowed } = expectedAttention(problem.q, problem.k, problem.v, { ...reference, mask }, true).want;
      const { shape, indptr, indices, values } = sparse.weights as SparseWeights;
      assert.deepEqual(shape, [...sizes]);
      assert.equal(indptr.length, B * H * Tq + 1);
      assert.equal(indices.length, values.length);
      const pairs = Array.from({ length: B * H * Tq }, (_, row) =>
        [...indices.subarray(indptr[row], indptr[row + 1])].map((j) => row * Tk + j),
      ).flat();
      assert.deepEqual(
        pairs,
        Array.from(allowed.keys()).filter((n) => allowed[n] === 1),
      );
      assert.deepEqual(
        [...values],
        pairs.map((n) => dense.weights!.data[n]),
      );
    }
  });
});

test('toMask, pairs and density tell what the rules of the pattern say', () => {
  forAll(150, ({ ruled, sizes: [batch, heads, queries, keys] }) => {
    const sizes = { batch, heads, queries, keys };
    let mask;
    try {
      mask = ruled.pattern.toMask(fovea, sizes);
    } catch (error) {
      // Made for the positions of the problem, which are others here.
      assert.match(String(error), /is made for positions/);
      return;
    }
    const perBatch = mask.shape.length === 4;
    const perHead = mask.shape.length > 2;
    let kept = 0;
    for (let at = 0; at < mask.data.length; at++) {
      const [j, i] = [at % keys, Math.floor(at / keys) % queries];
      const [h, b] = [Math.floor(at / keys / queries) % heads, Math.floor(at / keys / queries / heads)];
      const wanted = ruled.allows(i, j, perHead ? h : 0, perBatch ? b : 0);
      if (mask.data[at] !== Number(wanted)) assert.fail(`${ruled.pattern.describe()} at ${[b, h, i, j]}: ${mask.data[at]}`);
      kept += mask.data[at]!;
    }
    assert.equal(ruled.pattern.density(fovea, sizes), kept / mask.data.length);
    const { shape, indptr, indices } = ruled.pattern.pairs(fovea, sizes);
    assert.deepEqual(shape, mask.shape);
    const again = new Uint8Array(mask.data.length);
    for (let row = 0; row + 1 < indptr.length; row++)
      for (let at = indptr[row]!; at < indptr[row + 1]!; at++) again[row * keys + indices[at]!] = 1;
    assert.deepEqual(again, mask.data);
  });
});
