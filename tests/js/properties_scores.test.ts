/** Scores with every other option: a pattern is a mask, concat is additive, and the additive score is its definition in double. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { NDArray } from 'fovea';
import { pattern } from 'fovea/pattern';
import { score, type Score } from 'fovea/score';
import { numbers } from './support/numbers.ts';
import { loadForTests } from './support/truth_instance.ts';
import { RUNS, SEED } from './support/truth_problems.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const problems = fc.record({
  heads: fc.constantFrom(1, 2, 4),
  kvHeads: fc.constantFrom(1, 2),
  queries: fc.constantFrom(1, 3, 9, 65, 70),
  keys: fc.constantFrom(1, 5, 63, 65, 130),
  Dq: fc.integer({ min: 1, max: 9 }),
  Dk: fc.integer({ min: 1, max: 9 }),
  A: fc.constantFrom(1, 4, 7, 30),
  seed: fc.integer({ min: 1, max: 1e6 }),
  perHead: fc.boolean(),
  causal: fc.boolean(),
  softcap: fc.constantFrom(0, 2),
  window: fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })),
  magnitude: fc.constantFrom(1, 1, 1, 90),
  activation: fc.constantFrom('tanh', 'relu', 'leakyRelu'),
  slope: fc.constantFrom(0.2, 0, 1, -1.5),
});

function build(one: typeof problems extends fc.Arbitrary<infer T> ? T : never) {
  const { heads, queries, keys, Dq, Dk, A, seed, perHead, causal, softcap, magnitude } = one;
  const kvHeads = heads % one.kvHeads === 0 ? one.kvHeads : 1;
  const scaled = ({ data, shape }: NDArray): NDArray => ({ data: data.map((x) => x * magnitude), shape });
  const q = scaled(numbers([heads, queries, Dq], seed));
  const k = scaled(numbers([kvHeads, keys, Dk], seed + 1));
  const v = numbers([kvHeads, keys, 3], seed + 2);
  const [Wq, Wk] = [numbers([Dq, A], seed + 3), numbers([Dk, A], seed + 4)];
  const w = numbers(perHead ? [heads, A] : [A], seed + 5);
  const form =
    one.activation === 'leakyRelu' ? ({ activation: 'leakyRelu', slope: one.slope } as const) : { activation: one.activation };
  return { q, k, v, Wq, Wk, w, form, options: { causal, softcap, returnLse: true } as const };
}

function near(got: Float32Array, want: Float32Array, bound: number, what: string): void {
  assert.equal(got.length, want.length);
  for (let n = 0; n < got.length; n++) {
    const equal = Object.is(got[n], want[n]) || Math.abs(got[n]! - want[n]!) <= bound;
    if (!equal) assert.fail(`${what}[${n}]: ${got[n]}, not ${want[n]}`);
  }
}

function forAll(runs: number, check: (one: Parameters<typeof build>[0]) => void): void {
  fc.assert(fc.property(problems, check), { seed: SEED, numRuns: Math.ceil(runs * RUNS) });
}

test('an additive score with a pattern is the same with a mask of its pairs', () => {
  forAll(60, (one) => {
    const { q, k, v, Wq, Wk, w, form, options } = build({ ...one, magnitude: one.activation === 'tanh' ? one.magnitude : 1 });
    const additive = score.additive({ Wq, Wk, w }, form);
    const kept = pattern.window(...one.window).or(pattern.atrous(7), pattern.random({ perQuery: 2, block: 1, seed: one.seed }));
    const sizes = { heads: one.heads, queries: one.queries, keys: one.keys };
    const mask = kept.toMask(fovea, sizes);
    const sparse = fovea.attention(q, k, v, { ...options, score: additive, pattern: kept });
    const masked = fovea.attention(q, k, v, { ...options, score: additive, mask });
    near(sparse.output.data, masked.output.data, 1e-5, 'output');
    near(sparse.lse!.data, masked.lse!.data, 1e-5, 'lse');
  });
});

test('concat is additive with one matrix', () => {
  forAll(60, (one) => {
    const { q, k, v, Wq, Wk, w, form, options } = build(one);
    const W = { data: Float32Array.from([...Wq.data, ...Wk.data]), shape: [one.Dq + one.Dk, one.A] };
    const additive = fovea.attention(q, k, v, { ...options, score: score.additive({ Wq, Wk, w }, form) });
    const concat = fovea.attention(q, k, v, { ...options, score: score.concat({ W, w }, form) });
    assert.deepEqual(concat.output.data, additive.output.data);
    assert.deepEqual(concat.lse!.data, additive.lse!.data);
  });
});

test('a pair-sum score is the additive score of width 1', () => {
  forAll(60, (one) => {
    const { q, k, v, Wq, Wk, form, options } = build({ ...one, A: 1 });
    const [wq, wk] = [Wq, Wk].map(({ data }) => ({ data, shape: [data.length] })) as [NDArray, NDArray];
    const kept = { pattern: pattern.window(...one.window) };
    for (const more of [{}, kept]) {
      const run = (score_: Score): readonly Float32Array[] => {
        const { output, lse } = fovea.attention(q, k, v, { ...options, ...more, score: score_ });
        return [output.data, lse.data];
      };
      assert.deepEqual(run(score.pairSum({ wq, wk }, form)), run(score.additive({ Wq, Wk, w: [1] }, form)));
    }
  });
});

test('bits do not depend on the number of query heads that share a call', () => {
  forAll(30, (one) => {
    const { q, k, v, Wq, Wk, w, form, options } = build({ ...one, kvHeads: 1, perHead: false });
    const additive = score.additive({ Wq, Wk, w }, form);
    const whole = fovea.attention(q, k, v, { ...options, score: additive }).output.data;
    const size = q.data.length / one.heads;
    for (let h = 0; h < one.heads; h++) {
      const own = { data: q.data.slice(h * size, (h + 1) * size), shape: [1, one.queries, one.Dq] };
      const part = fovea.attention(own, k, v, { ...options, score: additive }).output.data;
      assert.deepEqual(part, whole.slice(h * part.length, (h + 1) * part.length));
    }
  });
});
