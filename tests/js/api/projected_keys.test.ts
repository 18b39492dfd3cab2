import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { kvCache } from 'fovea/cache';
import { matmul } from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { score, type Score } from 'fovea/score';
import { fails, fovea, leavesNothing, numbers, same } from '../support/api.ts';

const PROJECTED = { keys: 'projected' } as const;
/** A column [Dk, 1] of wk. */
const column = ({ data, shape }: NDArray): NDArray => ({ data, shape: [...shape, 1] });

test('keys that are projected beforehand give the bits of those that the score projects', () => {
  let seed = 1;
  for (const [H, Hkv, Tq, Tk, Dq, Dk, A] of [
    [1, 1, 1, 1, 1, 1, 1],
    [2, 1, 3, 5, 3, 7, 5],
    [4, 2, 1, 63, 7, 80, 7],
    [2, 2, 65, 65, 80, 7, 80],
    [1, 1, 9, 130, 5, 3, 1],
  ] as const) {
    const q = numbers([H, Tq, Dq], ++seed);
    const [k, v] = [numbers([Hkv, Tk, Dk], ++seed), numbers([Hkv, Tk, 3], ++seed)];
    const [Wq, w, bias] = [numbers([Dq, A], ++seed), numbers([H, A], ++seed), numbers([A], ++seed)];
    const [Wk, wq, wk] = [numbers([Dk, A], ++seed), numbers([Dq], ++seed), numbers([Dk], ++seed)];
    const rows = matmul(fovea, k, Wk);
    const sums = matmul(fovea, k, column(wk));
    const mask = Array.from({ length: Tq }, (_, i) => Array.from({ length: Tk }, (_, j) => (i + j) % 3 > 0));
    for (const options of [
      {},
      { causal: true, causalAlign: 'bottom-right' },
      { mask },
      { pattern: pattern.window(20, 3) },
    ] as const) {
      const run = (key: NDArray, one: Score): readonly Float32Array[] => {
        const { output, lse } = leavesNothing(() => fovea.attention(q, key, v, { ...options, score: one, returnLse: true }));
        return [output.data, lse.data];
      };
      for (const activation of ['tanh', 'leakyRelu'] as const) {
        const own = run(k, score.additive({ Wq, Wk, w, bias }, { activation }));
        assert.deepEqual(run(rows, score.additive({ Wq, w, bias }, { ...PROJECTED, activation })), own);
        assert.deepEqual(
          run(sums, score.pairSum({ wq }, { ...PROJECTED, activation })),
          run(k, score.pairSum({ wq, wk }, { activation })),
        );
      }
      if (Tk === 1) continue;
      assert.throws(() =>
        assert.deepEqual(
          run(rows, score.additive({ Wq, w, bias }, PROJECTED)),
          run(k, score.additive({ Wq, Wk, w, bias }, { activation: 'relu' })),
        ),
      );
    }
  }
});

test('each key head may have been projected by a matrix of its own, and steps are those of one call', () => {
  const [k, v, each] = [numbers([2, 40, 5], 1), numbers([2, 40, 3], 2), numbers([2, 5, 6], 3)];
  const [q, Wq, w] = [numbers([4, 6, 3], 4), numbers([4, 3, 6], 5), numbers([4, 6], 6)];
  const keys = matmul(fovea, k, each);
  const one = score.additive({ Wq, w }, PROJECTED);
  const { output } = fovea.attention(q, keys, v, { score: one });
  same(output.data, fovea.attention(q, k, v, { score: score.additive({ Wq, Wk: each, w }) }).output.data);
  const step = (i: number): NDArray => {
    const data = Float32Array.from({ length: 4 * 3 }, (_, n) => q.data[Math.floor(n / 3) * 18 + i * 3 + (n % 3)]!);
    return { data, shape: [4, 1, 3] };
  };
  for (let i = 0; i < 6; i++) {
    const row = fovea.attention(step(i), keys, v, { score: one }).output.data;
    same(
      row,
      Float32Array.from({ length: 12 }, (_, n) => output.data[Math.floor(n / 3) * 18 + i * 3 + (n % 3)]!),
    );
  }
});

test('a cache holds projected keys', () => {
  const [H, A, T] = [2, 5, 90];
  const [q, keys, v] = [numbers([1, H, T, 3], 1), numbers([1, 1, T, A], 2), numbers([1, 1, T, 4], 3)];
  const part = ({ data, shape }: NDArray, from: number, to: number): NDArray => {
    const [, heads, tokens, width] = shape as [number, number, number, number];
    const rows = Array.from({ length: heads }, (_, h) => [
      ...data.subarray((h * tokens + from) * width, (h * tokens + to) * width),
    ]);
    return { data: Float32Array.from(rows.flat()), shape: [1, heads, to - from, width] };
  };
  for (const activation of ['tanh', 'leakyRelu'] as const) {
    const one = score.additive({ Wq: numbers([3, A], 4), w: numbers([H, A], 5) }, { ...PROJECTED, activation });
    for (const ring of [{ capacity: T }, { capacity: 30, window: 20, sinkTokens: 2 }]) {
      const before = fovea.memory().live;
      const cache = kvCache(fovea, { kvHeads: 1, width: A, valueWidth: 4, ...ring });
      for (const [from, to] of [
        [0, 1],
        [1, 9],
        [9, 10],
        [10, 22],
        [22, 40],
        [40, 41],
        [41, 60],
        [60, 80],
        [80, 90],
      ] as const) {
        cache.append(part(keys, from, to), part(v, from, to));
        const { output } = fovea.attention(part(q, from, to), cache, { score: one, causal: true });
        const sees = (i: number, j: number): boolean => j <= i && (!('window' in ring) || j < 2 || j > i - 20);
        const mask = Array.from({ length: to - from }, (_, i) => Array.from({ length: to }, (_, j) => sees(from + i, j)));
        same(
          output.data,
          fovea.attention(part(q, from, to), part(keys, 0, to), part(v, 0, to), { score: one, mask }).output.data,
        );
      }
      cache.dispose();
      assert.equal(fovea.memory().live, before);
    }
  }
  // A bilinear score changes queries alone.
  const cache = kvCache(fovea, { kvHeads: 1, width: A, valueWidth: 4, capacity: T, dtype: 'float16' });
  cache.append(keys, v);
  const bilinear = score.bilinear(numbers([3, A], 6));
  assert.deepEqual(fovea.attention(part(q, 89, 90), cache, { score: bilinear }).output.shape, [1, H, 1, 4]);
  const sum = score.additive({ Wq: numbers([3, A], 4), w: numbers([A], 5) }, PROJECTED);
  assert.ok(fovea.attention(part(q, 89, 90), cache, { score: sum }).output.data.every(Number.isFinite));
  for (const changing of [score.cosine(), score.additive({ Wq: numbers([A, A]), Wk: numbers([A, A]), w: numbers([A]) })])
    fails('option', /a cache takes scores of its keys as they are: append projected keys/, () =>
      fovea.attention(numbers([1, H, 1, A]), cache, { score: changing }),
    );
  cache.dispose();
});

test('the trace has no keys but those that are given', () => {
  const [q, k] = [numbers([3, 2], 1), numbers([4, 5], 2)];
  const one = score.additive({ Wq: numbers([2, 5], 3), w: numbers([5], 4) }, PROJECTED);
  const { trace } = leavesNothing(() => fovea.attention(q, k, k, { score: one, trace: true }));
  assert.deepEqual(
    trace.map(({ name }) => name),
    ['query', 'key', 'value', 'projectedQuery', 'scores', 'scaled', 'weights', 'output'],
  );
  assert.equal(trace.find(({ name }) => name === 'scores')!.formula, 'S_{ij} = w \\cdot \\tanh(\\tilde Q_i + K_j)');
  const sum = fovea.attention(q, [[1], [2]], [[1], [2]], { score: score.pairSum({ wq: [1, 2] }, PROJECTED), trace: true });
  assert.equal(
    sum.trace.find(({ name }) => name === 'scores')!.formula,
    'S_{ij} = \\operatorname{LeakyReLU}_{0.2}(\\tilde q_i + k_j)',
  );
});

test('wrong keys say what was expected', () => {
  const [Wq, w] = [numbers([2, 5], 3), numbers([5], 4)];
  const x = numbers([3, 2], 1);
  fails('shape', /k must have the width 5 of projected queries with keys 'projected', got 2/, () =>
    fovea.attention(x, x, x, { score: score.additive({ Wq, w }, PROJECTED) }),
  );
  fails('shape', /k must have the width 1 of projected queries/, () =>
    fovea.attention(x, x, x, { score: score.pairSum({ wq: [1, 2] }, PROJECTED) }),
  );
  fails('option', /score\.additive: params\.Wk cannot be combined with keys 'projected'/, () =>
    score.additive({ Wq, Wk: Wq, w } as never, PROJECTED),
  );
  fails('option', /score\.pairSum: params\.wk cannot be combined with keys 'projected'/, () =>
    score.pairSum({ wq: [1], wk: [1] } as never, PROJECTED),
  );
  fails('value', /score\.additive: params\.Wk must be given/, () => score.additive({ Wq, w } as never));
  fails('option', /score\.additive: keys must be 'projected', got true/, () =>
    score.additive({ Wq, w }, { keys: true as never }),
  );
  fails('option', /score\.concat: unknown option 'keys'/, () => score.concat({ W: Wq, w }, PROJECTED as never));
});
