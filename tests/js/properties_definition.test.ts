/** The definition holds for every attention problem, on random ones (fast-check; FOVEA_SEED and FOVEA_RUNS change them). */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { EPS } from './support/truth_bounds.ts';
import { attend, type Plain } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';
import { build, forAll, problemsOfAllOptions, RUNS, SEED } from './support/truth_problems.ts';
import { sizeOf, TestRandom } from './support/truth_random.ts';
import { referenceAttention } from './support/truth_reference.ts';
import * as ops from 'fovea/ops';
import { expectedAttention, type Part } from './support/truth_tolerance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

function assertNear(got: Float32Array, want: Float64Array, bound: number, what: string): void {
  assert.equal(got.length, want.length, what);
  for (let n = 0; n < want.length; n++) {
    const [g, w] = [got[n] as number, want[n] as number];
    const near = Number.isFinite(w) ? Math.abs(g - w) <= bound : Object.is(g, w);
    if (!near) assert.fail(`${what}[${n}]: ${g}, not ${w} (error ${Math.abs(g - w)}, bound ${bound})`);
  }
}

test('all options together agree with the definition in double', () => {
  forAll(problemsOfAllOptions, 250, (recipe) => {
    const { problem, reference, exactLogits } = build(recipe);
    const { want, bounds } = expectedAttention(problem.q, problem.k, problem.v, reference, exactLogits);
    const got = attend(fovea, problem);
    assertNear(got.output, want.output, bounds.output, 'output');
    assertNear(got.weights, want.weights, bounds.weights, 'weights');
    assertNear(got.lse, want.lse, bounds.lse, 'lse');
    for (const [n, w] of got.weights.entries())
      if (want.allowed[n] === 0 && w !== 0) assert.fail(`weights[${n}] of a forbidden pair is ${w}`);
    for (const stage of ['raw', 'capped', 'biased'] as const satisfies readonly Part[]) {
      const { logits } = fovea.attention(problem.q, problem.k, problem.v, {
        ...problem.options,
        mask: problem.mask,
        returnLogits: stage,
      });
      assertNear(logits!.data, want[stage], bounds[stage], `logits '${stage}'`);
    }
  });
});

test('rows without an allowed key: zero weights, zero output, lse -Infinity, exactly', () => {
  let seen = 0;
  forAll(problemsOfAllOptions, 300, (recipe) => {
    const { problem, reference } = build({ ...recipe, D: 1 });
    const { allowed } = referenceAttention(problem.q, problem.k, problem.v, reference);
    const got = attend(fovea, problem);
    const { Tk, Dv } = recipe;
    for (let row = 0; row < got.lse.length; row++) {
      if (allowed.subarray(row * Tk, (row + 1) * Tk).includes(1)) {
        assert.notEqual(got.lse[row], -Infinity, `lse of row ${row}, which has keys`);
        continue;
      }
      seen++;
      assert.equal(got.lse[row], -Infinity, `lse of row ${row}`);
      assert.ok(
        got.output.subarray(row * Dv, (row + 1) * Dv).every((x) => Object.is(x, 0)),
        `output of row ${row}`,
      );
      assert.ok(
        got.weights.subarray(row * Tk, (row + 1) * Tk).every((x) => Object.is(x, 0)),
        `weights of row ${row}`,
      );
    }
  });
  assert.ok(RUNS < 1 || seen > 100, `${seen} such rows were seen`);
});

test('weights of a row sum to 1 within 4 units of 2^-23; a sink takes its share', () => {
  forAll(problemsOfAllOptions, 300, (recipe) => {
    const { problem, reference } = build({ ...recipe, weightScale: 'none' });
    const got = attend(fovea, problem);
    const { sinks } = reference;
    for (let row = 0; row < got.lse.length; row++) {
      if (got.lse[row] === -Infinity) continue;
      const sum = got.weights.subarray(row * recipe.Tk, (row + 1) * recipe.Tk).reduce((total, w) => total + w, 0);
      const head = Math.floor(row / recipe.Tq) % (recipe.kvHeads * recipe.group);
      const sink = sinks === undefined ? -Infinity : typeof sinks === 'number' ? sinks : (sinks[head] as number);
      // The share is known as well as lse is.
      const share = 1 / (1 + Math.exp(sink - (got.lse[row] as number)));
      const bound = 8 * EPS + (sinks === undefined ? 0 : 2 * EPS * Math.abs(got.lse[row] as number));
      assert.ok(Math.abs(sum - share) <= bound, `row ${row} sums to ${sum}, not ${share}`);
    }
  });
});

test('keys and values in another order: the weights move along, the output stays', () => {
  forAll(
    problemsOfAllOptions.map((recipe) => ({
      ...recipe,
      ...{ causal: false, window: null, alibi: false, lengths: false },
      weightScale: recipe.weightScale === 'gaussian' ? 'heads' : recipe.weightScale,
    })),
    100,
    (recipe) => {
      const { problem, reference, exactLogits } = build(recipe);
      const { bounds } = expectedAttention(problem.q, problem.k, problem.v, reference, exactLogits);
      const { Tk } = recipe;
      const random = new TestRandom(recipe.seed + 3);
      const order = Array.from({ length: Tk }, (_, j) => j);
      for (let j = Tk - 1; j > 0; j--) {
        const other = random.integer(0, j);
        [order[j], order[other]] = [order[other] as number, order[j] as number];
      }
      const moved = attend(fovea, {
        ...problem,
        k: reordered(problem.k, order, 2),
        v: reordered(problem.v, order, 2),
        mask: problem.mask && reordered(problem.mask, order, problem.mask.shape.length - 1),
      });
      const straight = attend(fovea, problem);
      const movedBack = Float64Array.from(
        straight.weights,
        (_, n) => straight.weights[n - (n % Tk) + (order[n % Tk] as number)] as number,
      );
      assertNear(moved.weights, movedBack, 2 * bounds.weights, 'weights');
      assertNear(moved.output, Float64Array.from(straight.output), 2 * bounds.output, 'output');
      assertNear(moved.lse, Float64Array.from(straight.lse), 2 * bounds.lse, 'lse');
    },
  );
});

/** Entry n of the axis is entry order[n] of the original; an axis of one stays. */
function reordered<T extends Float32Array | Uint8Array>(
  array: { data: T; shape: number[] },
  order: readonly number[],
  axis: number,
): { data: T; shape: number[] } {
  if (array.shape[axis] === 1 && order.length !== 1) return array;
  const inner = sizeOf(array.shape.slice(axis + 1));
  const outer = sizeOf(array.shape.slice(0, axis));
  const data = array.data.slice() as T;
  for (let n = 0; n < outer; n++) {
    for (const [to, from] of order.entries()) {
      data.set(
        array.data.subarray((n * order.length + from) * inner, (n * order.length + from + 1) * inner),
        (n * order.length + to) * inner,
      );
    }
  }
  return { data, shape: array.shape };
}

test('softmax, logSoftmax and logSumExp agree with their definitions along any axis', () => {
  const arrays = fc.record({
    seed: fc.nat(),
    shape: fc.array(fc.constantFrom(1, 2, 3, 5, 17, 65), { minLength: 1, maxLength: 3 }),
    place: fc.nat(2),
    logits: fc.constantFrom(1, 30, 1e4),
  });
  fc.assert(
    fc.property(arrays, ({ seed, shape, place, logits }) => {
      const axis = place % shape.length;
      const x = new TestRandom(seed).normals(shape, logits / 4);
      const want = softmaxReference(x, axis, (y) => y);
      const loops = softmaxReference(x, axis, Math.fround);
      const got = {
        softmax: ops.softmax(fovea, x, { axis }),
        logSoftmax: ops.logSoftmax(fovea, x, { axis }),
        logSumExp: ops.logSumExp(fovea, x, { axis }),
      };
      const scale = largest(x.data) + Math.log(shape[axis] as number);
      for (const [name, size] of [
        ['softmax', 1],
        ['logSoftmax', 2 * scale],
        ['logSumExp', scale],
      ] as const) {
        const error = largest(want[name].map((w, n) => w - (loops[name][n] as number)));
        assertNear(got[name].data, want[name], 2 * error + 8 * EPS * size, name);
      }
    }),
    { seed: SEED, numRuns: Math.ceil(200 * RUNS) },
  );
});

function softmaxReference(x: Plain, axis: number, round: (y: number) => number) {
  const [inner, length, outer] = [sizeOf(x.shape.slice(axis + 1)), x.shape[axis] as number, sizeOf(x.shape.slice(0, axis))];
  const result = {
    softmax: new Float64Array(x.data.length),
    logSoftmax: new Float64Array(x.data.length),
    logSumExp: new Float64Array(outer * inner),
  };
  for (let line = 0; line < outer * inner; line++) {
    const places = Array.from({ length }, (_, j) => (Math.floor(line / inner) * length + j) * inner + (line % inner));
    const values = places.map((n) => x.data[n] as number);
    const highest = Math.max(...values);
    const powers = values.map((s) => round(Math.exp(round(s - highest))));
    const sum = powers.reduce((total, p) => round(total + p), 0);
    const log = round(Math.log(sum));
    result.logSumExp[line] = round(highest + log);
    for (const [j, n] of places.entries()) {
      result.softmax[n] = round((powers[j] as number) / sum);
      result.logSoftmax[n] = round(round((values[j] as number) - highest) - log);
    }
  }
  return result;
}

function largest(data: Float32Array | Float64Array): number {
  let max = 0;
  for (const x of data) max = Math.max(max, Math.abs(x));
  return max;
}
