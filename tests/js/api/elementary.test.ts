/** fovea/ops: abs, exp, log, sum, cumulativeSum, sumPool and blend against their definitions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor } from 'fovea';
import { abs, blend, cumulativeSum, exp, log, sum, sumPool } from 'fovea/ops';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

test('abs, exp and log go element by element, over slices too', () => {
  const x = numbers([3, 67], 3);
  same(leavesNothing(() => abs(fovea, x)).data, x.data.map(Math.abs));
  near(exp(fovea, x), Array.from(x.data, Math.exp), 1e-6);
  near(
    log(fovea, abs(fovea, x)),
    Array.from(x.data, (one) => Math.log(Math.abs(one))),
    1e-6,
  );
  assert.deepEqual([...exp(fovea, [-Infinity, 0, 89, Infinity, NaN]).data], [0, 1, Infinity, Infinity, NaN]);
  assert.deepEqual([...log(fovea, [0, 1, -1, Infinity]).data], [-Infinity, 0, NaN, Infinity]);
  const whole = fovea.tensor(x);
  const slice = whole.slice(1, 3, 20);
  const got = exp(fovea, slice);
  assert.ok(got instanceof Tensor);
  same(got.data, exp(fovea, slice.toArray()).data);
  for (const one of [got, whole]) one.dispose();
  assert.deepEqual(exp(fovea, { data: [], shape: [0, 2] }).shape, [0, 2]);
});

test('sum and cumulativeSum go along any axis', () => {
  const x = numbers([2, 5, 3], 2);
  const entry = (o: number, l: number, i: number): number => x.data[(o * 5 + l) * 3 + i]!;
  const total = leavesNothing(() => sum(fovea, x, { axis: 1 }));
  assert.deepEqual(total.shape, [2, 3]);
  const running = leavesNothing(() => cumulativeSum(fovea, x, { axis: -2 }));
  assert.deepEqual(running.shape, [2, 5, 3]);
  for (const o of [0, 1]) {
    for (const i of [0, 1, 2]) {
      let sumSoFar = 0;
      for (let l = 0; l < 5; l++) {
        sumSoFar += entry(o, l, i);
        assert.equal(running.data[(o * 5 + l) * 3 + i], Math.fround(sumSoFar));
      }
      assert.ok(Math.abs(total.data[o * 3 + i]! - sumSoFar) < 1e-6);
    }
  }
  assert.deepEqual(sum(fovea, [1, 2, 3]), { data: Float32Array.of(6), shape: [] });
  assert.deepEqual(sum(fovea, { data: [], shape: [2, 0] }), { data: new Float32Array(2), shape: [2] });
  assert.deepEqual(cumulativeSum(fovea, { data: [], shape: [2, 0] }).shape, [2, 0]);
  fails('value', /^sum: axis must be an integer from -1 to 0, got 1$/, () => sum(fovea, [1], { axis: 1 }));
  fails('shape', /^cumulativeSum: x must have an axis/, () => cumulativeSum(fovea, { data: [1], shape: [] }));
});

test('sumPool sums windows, padding being zeros', () => {
  near(sumPool(fovea, [[1, 5], [4, 2], [4, 2]]), [9, 9]); // prettier-ignore
  near(sumPool(fovea, [1, 2, 4, 8], { kernel: 2, padding: [1, 0] }), [1, 6]);
  fails('option', /^sumPool: unknown option 'countPadding'/, () => sumPool(fovea, [1], { countPadding: true } as never));
});

test('blend joins two arrays by a gate, broadcast', () => {
  const [a, b] = [numbers([2, 3, 5], 1), numbers([3, 5], 2)];
  const gate = numbers([3, 1], 3);
  const got = leavesNothing(() => blend(fovea, a, b, gate));
  assert.deepEqual(got.shape, [2, 3, 5]);
  const want = a.data.map((left, at) => {
    const g = gate.data[Math.floor(at / 5) % 3]!;
    return Math.fround(Math.fround(g * left) + Math.fround(Math.fround(1 - g) * b.data[at % 15]!));
  });
  same(got.data, want);
  fails('shape', /^blend: a, b and gate must broadcast, got a \[2\], b \[1\], gate \[3\]$/, () =>
    blend(fovea, [1, 2], [1], [1, 2, 3]),
  );
});
