/** A pattern is dense attention with the same mask, whatever normalizes: fast-check over sizes, options and patterns. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { SparseWeights } from 'fovea';
import { NORMALIZERS } from './support/normalizers.ts';
import { plant, trees } from './support/pattern_trees.ts';
import { loadForTests } from './support/truth_instance.ts';
import { RUNS, SEED } from './support/truth_problems.ts';
import { TestRandom } from './support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const problems = fc.record({
  tree: trees,
  B: fc.integer({ min: 1, max: 2 }),
  H: fc.integer({ min: 1, max: 3 }),
  Tq: fc.integer({ min: 1, max: 90 }),
  Tk: fc.integer({ min: 1, max: 140 }),
  causal: fc.boolean(),
  offset: fc.integer({ min: -5, max: 60 }),
  normalizer: fc.constantFrom(...NORMALIZERS),
  temperature: fc.constantFrom(1, 0.5, 4),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

test('whatever the normalizer, a pattern is dense attention with the same mask, and its sparse weights are those', () => {
  const property = fc.property(problems, ({ tree, B, H, Tq, Tk, causal, offset, normalizer, temperature, seed }) => {
    // Quarters: logits are exact, so that ties are ties on every path.
    const random = new TestRandom(seed);
    const quarters = (shape: number[]) => ({
      data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => random.integer(-8, 8) / 4),
      shape,
    });
    const [q, k, v] = [quarters([B, H, Tq, 4]), quarters([B, H, Tk, 4]), quarters([B, H, Tk, 3])];
    const ruled = plant(tree, { B, H, Tq, Tk, offsets: new Array<number>(B).fill(offset) });
    const kept = new Uint8Array(B * H * Tq * Tk);
    for (let at = 0; at < kept.length; at++) {
      const [j, i, h, b] = [at % Tk, Math.floor(at / Tk) % Tq, Math.floor(at / Tk / Tq) % H, Math.floor(at / Tk / Tq / H)];
      kept[at] = Number(ruled.allows(i + offset, j, h, b));
    }
    const options = { scale: 0.5, causal, causalOffset: offset, normalizer, temperature } as const;
    const mask = { data: kept, shape: [B, H, Tq, Tk] };
    const dense = fovea.attention(q, k, v, { ...options, mask, returnWeights: 'dense' });
    const other = fovea.attention(q, k, v, { ...options, pattern: ruled.pattern, returnWeights: 'dense' });
    const sparse = fovea.attention(q, k, v, { ...options, pattern: ruled.pattern });
    const text = `${normalizer.kind}, ${ruled.pattern.describe()}`;
    assert.deepEqual(sparse.output.data, other.output.data, `asking for weights changes no bit: ${text}`);
    const values = new Float32Array(kept.length);
    const weights = fovea.attention(q, k, v, { ...options, pattern: ruled.pattern, returnWeights: true })
      .weights as SparseWeights;
    for (let row = 0; row < B * H * Tq; row++) {
      for (let n = weights.indptr[row]!; n < weights.indptr[row + 1]!; n++)
        values[row * Tk + weights.indices[n]!] = weights.values[n]!;
    }
    assert.deepEqual(values, other.weights!.data, `sparse weights are the dense ones: ${text}`);
    // Logits are the same bits; weights are at most those of 140 keys, each rounded a few times, and values at most 2.
    const bound = (scale: number): number => 140 * scale * 8 * 2 ** -23;
    const near = (got: Float32Array, want: Float32Array, scale: number, what: string): void =>
      got.forEach((x, at) => {
        if (!(Math.abs(x - want[at]!) <= bound(scale))) assert.fail(`${what}[${at}]: ${x}, not ${want[at]}: ${text}`);
      });
    near(other.weights!.data, dense.weights!.data, 1, 'weights');
    near(other.output.data, dense.output.data, 100, 'output');
  });
  fc.assert(property, { seed: SEED, numRuns: Math.ceil(300 * RUNS) });
});
