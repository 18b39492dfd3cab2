/** Calls in slices: the bits of whole calls, however they are cut, and nothing held when they are given up. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { attention } from '../../../bindings/js/attention/attention.ts';
import { finish, type Call } from '../../../bindings/js/call/call.ts';
import { multiHeadAttention } from '../../../bindings/js/attention/multi_head_attention.ts';
import { planLinearLayer as linear, planMatmul as matmul } from '../../../bindings/js/ops/matmul.ts';
import type { AttentionOptions } from '../../../bindings/js/attention/types/options.ts';
import type { AnyResult } from '../../../bindings/js/attention/request/results.ts';
import { inSlices, type Pace } from '../../../bindings/js/worker/slices.ts';
import { createTensor, isTensor } from '../../../bindings/js/tensor/tensor.ts';
import { pattern as P } from '../../../bindings/js/pattern/builders.ts';
import { numbers, same } from '../support/api.ts';
import { ownInstance } from '../support/own_instance.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import { build, forAll, problemsOfAllOptions } from '../support/truth_problems.ts';
import { TestRandom } from '../support/truth_random.ts';

const { instance } = await ownInstance();
after(() => assert.equal(instance.heap.live, 0));

/** Slices of 64 rows, or of a random multiple of it. */
const paceOf = (mostWork: number, random?: TestRandom): Pace => ({
  now: () => 0,
  nextRows: () => 64 * (random?.integer(1, 4) ?? 1),
  mostWork,
});

interface Sliced<R> {
  readonly result: R;
  readonly slices: number;
}

/** The call's result by slices, with what it reported checked: it only rises, and ends at the total. */
function sliced<R>(call: Call<R>, pace: Pace): Sliced<R> {
  const steps = inSlices(call, pace);
  let done = 0;
  let total = 0;
  for (let slices = 0; ; slices++) {
    const step = steps.next();
    if (step.done === true) {
      assert.equal(done, total);
      return { result: step.value, slices };
    }
    assert.ok(step.value.done > done && step.value.done <= step.value.total);
    if (slices > 0) assert.equal(step.value.total, total);
    ({ done, total } = step.value);
  }
}

function numbersOf(array: NonNullable<AnyResult['weights']>): Float32Array {
  return 'data' in array ? array.data : array.values;
}

function assertSame(got: AnyResult, want: AnyResult): void {
  assert.deepEqual(Object.keys(got), Object.keys(want));
  for (const name of ['output', 'weights', 'lse', 'logits'] as const) {
    if (want[name] !== undefined) assertSameBits(numbersOf(got[name]!), numbersOf(want[name]), name);
  }
  got.trace?.forEach((stage, i) => assertSameBits(stage.data, want.trace![i]!.data, `trace: ${stage.name}`));
}

test('attention in slices has the bits of the whole call: rows, batch entries, heads; weights, lse, logits, trace', () => {
  forAll(
    problemsOfAllOptions.filter(({ Tk, D, Dv }) => Tk * (D + Dv) < 2e4),
    60,
    (recipe) => {
      const random = new TestRandom(recipe.seed + 5);
      const { problem } = build({ ...recipe, Tq: random.integer(1, 400) });
      const { q, k, v, mask, options } = problem;
      const asked = [
        {},
        { returnWeights: true, returnLse: true },
        { returnLogits: 'biased' as const, trace: { rows: [0, random.integer(0, q.shape[2]!)] as const } },
      ][recipe.seed % 3];
      const call = () => attention(instance, 'attention', q, k, v, { ...options, mask, ...asked } as AttentionOptions);
      const want = finish(call());
      for (const mostWork of [0, 1e5, Infinity]) assertSame(sliced(call(), paceOf(mostWork, random)).result, want);
    },
  );
});

test('what is cut, and where: from 128 rows on, no slice below 64', () => {
  const slices = (shape: number[], mostWork = Infinity): number => {
    const x = numbers(shape);
    return sliced(attention(instance, 'attention', x, x, x), paceOf(mostWork)).slices;
  };
  assert.deepEqual(
    [1, 127, 128, 191, 192, 256, 300].map((rows) => slices([rows, 4])),
    [1, 1, 2, 2, 3, 4, 4],
  );
  assert.equal(slices([2, 3, 130, 4]), 2, 'all heads at once');
  assert.equal(slices([2, 3, 130, 4], 0), 12, 'each head by itself');
  assert.equal(slices([2, 3, 130, 4], 3 * 64 * (130 * 8 + 1)), 4, 'each batch entry by itself');
  assert.equal(slices([2, 3, 100, 4], 0), 6, 'few rows, but in many heads');
});

test('multiHeadAttention in slices has the bits of the whole call, its projections cut too', () => {
  const x = numbers([2, 200, 24]);
  const weight = (seed: number) => numbers([24, 24], seed);
  const params = { Wq: weight(1), Wk: weight(2), Wv: weight(3), Wo: weight(4), biasK: numbers([24]), biasV: numbers([24]) };
  const call = () =>
    multiHeadAttention(instance, x, x, x, params, {
      heads: 3,
      causal: true,
      returnWeights: true,
      averageWeights: true,
      addZeroAttention: true,
      trace: true,
    });
  const { result, slices } = sliced(call(), paceOf(0));
  assertSame(result, finish(call()));
  assert.ok(slices > 50, `${slices} slices`);
});

test('products in slices have the bits of the whole ones', () => {
  for (const [a, b] of [
    [numbers([300, 70]), numbers([70, 9])],
    [numbers([3, 150, 20]), numbers([3, 20, 11])],
    [numbers([20]), numbers([20, 11])],
  ] as const) {
    const { result } = sliced(matmul(instance, a, b), paceOf(0));
    const want = finish(matmul(instance, a, b));
    assert.ok(!isTensor(result));
    same(result.data, want.data);
  }
  const [x, weight, bias] = [numbers([2, 130, 20]), numbers([9, 20]), numbers([9])];
  same(sliced(linear(instance, x, weight, bias), paceOf(0)).result.data, finish(linear(instance, x, weight, bias)).data);
});

test('a call given up between two slices frees all that it held, the Tensors it would have returned among it', () => {
  const x = createTensor(instance, 'test', [300, 4]);
  const before = instance.heap.live;
  const steps = inSlices(attention(instance, 'attention', x, x, x, { returnWeights: true }), paceOf(0));
  steps.next();
  assert.ok(instance.heap.live > before);
  steps.return(undefined as never);
  assert.equal(instance.heap.live, before);
  assert.equal(steps.next().done, true);
  const { output } = finish(attention(instance, 'attention', x, x, x));
  assert.ok(isTensor(output));
  output.dispose();
  x.dispose();
});

test('a call with a pattern in slices of its units has the bits of the whole call: several passes, weights, logits, trace', () => {
  const [q, k] = [numbers([2, 3, 300, 8], 1), numbers([2, 3, 400, 8], 2)];
  const longRange = P.window(9, 9).or(P.atrous(16), P.globalTokens([3]));
  for (const pattern of [longRange, P.random({ perQuery: 3, block: 8 }), P.causal(), P.all().not(), P.window(5, 0)]) {
    for (const asked of [
      { returnWeights: true, returnLse: true },
      { returnWeights: 'dense', returnLogits: 'raw', causal: true },
      { returnLogits: 'biased', keyLengths: [400, 9], trace: { rows: [100, 110], batch: 1 } },
    ] as const) {
      const call = () => attention(instance, 'attention', q, k, k, { pattern, ...asked });
      const want = finish(call());
      for (const random of [undefined, new TestRandom(7)]) {
        const { result, slices } = sliced(call(), paceOf(0, random));
        assertSame(result, want);
        if (pattern === longRange && random === undefined) assert.ok(slices > 30, `${slices} slices`);
      }
    }
  }
});

test('sparse weights without a pattern in slices', () => {
  const x = numbers([2, 3, 200, 4]);
  const call = () =>
    attention(instance, 'attention', x, x, x, { returnWeights: 'sparse', causal: true, keyLengths: [200, 70] });
  for (const mostWork of [0, 1e5, Infinity]) assertSame(sliced(call(), paceOf(mostWork)).result, finish(call()));
});

test('a call with a pattern that is given up between two slices frees all that it held', () => {
  const x = numbers([4, 300, 4]);
  const steps = inSlices(
    attention(instance, 'attention', x, x, x, { pattern: P.window(3, 3), returnWeights: true }),
    paceOf(0),
  );
  for (let n = 0; n < 6; n++) assert.equal(steps.next().done, false);
  assert.ok(instance.heap.live > 0);
  steps.return(undefined as never);
  assert.equal(instance.heap.live, 0);
});
