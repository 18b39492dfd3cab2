import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NDArray } from 'fovea';
import { matmul } from 'fovea/ops';
import { graphAttention } from 'fovea/mechanisms';
import { pattern } from 'fovea/pattern';
import { score, type Score } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import { additive, dot, rowsOf } from '../support/score_reference.ts';

type Activation = 'tanh' | 'relu' | 'leakyRelu' | 'none';

/** The definitions, in double. */
const of = (activation: Activation, slope = 0.2): ((x: number) => number) =>
  ({
    tanh: Math.tanh,
    relu: (x: number) => Math.max(x, 0),
    leakyRelu: (x: number) => (x < 0 ? slope * x : x),
    none: (x: number) => x,
  })[activation];

const ADDITIVE = ['tanh', 'relu', 'leakyRelu'] as const;
const ALL = [...ADDITIVE, 'none'] as const;

/** Raw logits [Tq, Tk] of one head. */
const pairs = (q: NDArray, k: NDArray, pair: (q: Float32Array, k: Float32Array) => number): number[] =>
  Array.from({ length: q.shape[0]! * k.shape[0]! }, (_, n) =>
    pair(rowsOf(q)(0, Math.floor(n / k.shape[0]!)), rowsOf(k)(0, n % k.shape[0]!)),
  );

/** The stage 'raw' of dense attention and of decoding, and output, weights and lse by the logits that are wanted. */
function agrees(q: NDArray, k: NDArray, one: Score, want: readonly number[], tolerance: number): void {
  const [Tq, Tk] = [q.shape[0]!, k.shape[0]!];
  const v = numbers([Tk, 2], 99);
  const got = leavesNothing(() =>
    fovea.attention(q, k, v, { score: one, returnLogits: 'raw', returnWeights: true, returnLse: true }),
  );
  near(got.logits, want, tolerance);
  for (let i = 0; i < Tq; i++) {
    const row = want.slice(i * Tk, (i + 1) * Tk);
    const m = Math.max(...row);
    const powers = row.map((s) => Math.exp(s - m));
    const sum = powers.reduce((a, b) => a + b, 0);
    const near = (x: number, y: number, what: string): void =>
      assert.ok(Math.abs(x - y) <= 2 * tolerance + 1e-6 * Math.abs(y), `${what} of row ${i}: ${x}, not ${y}`);
    near(got.lse!.data[i]!, m + Math.log(sum), 'lse');
    powers.forEach((p, j) => near(got.weights!.data[i * Tk + j]!, p / sum, `weight ${j}`));
    for (const d of [0, 1])
      near(
        got.output.data[2 * i + d]!,
        dot(
          powers,
          v.data.filter((_, n) => n % 2 === d),
        ) / sum,
        'output',
      );
  }
}

test('additive scores with each activation are their definition, on ragged lengths and widths', () => {
  let seed = 1;
  for (const Tq of [1, 3, 5, 63, 65])
    for (const [Tk, width, A] of [
      [1, 7, 1],
      [3, 1, 7],
      [5, 80, 3],
      [63, 7, 80],
      [65, 3, 5],
    ] as const) {
      const [q, k] = [numbers([Tq, width], ++seed), numbers([Tk, width + 1], ++seed)];
      const [Wq, Wk] = [numbers([width, A], ++seed), numbers([width + 1, A], ++seed)];
      const [w, bias] = [numbers([A], ++seed), numbers([A], ++seed)];
      // Each of A sums has 2 width + 2 terms of at most 1 and as many roundings.
      const tolerance = A * (2 * width + 2) ** 2 * 2 ** -24 + A * 2 ** -21;
      for (const activation of ADDITIVE) {
        const want = pairs(q, k, (a, b) => additive(a, b, Wq, Wk, w, bias, of(activation)));
        agrees(q, k, score.additive({ Wq, Wk, w, bias }, { activation }), want, tolerance);
      }
      const want = pairs(q, k, (a, b) => additive(a, b, Wq, Wk, w, undefined, of('leakyRelu', -0.5)));
      agrees(q, k, score.additive({ Wq, Wk, w }, { activation: 'leakyRelu', slope: -0.5 }), want, tolerance);
    }
});

test('pair-sum scores are their definition, on ragged lengths and widths', () => {
  let seed = 500;
  for (const Tq of [1, 3, 5, 63, 65])
    for (const [Tk, Dq, Dk] of [
      [1, 1, 7],
      [5, 80, 1],
      [63, 7, 7],
      [65, 3, 80],
    ] as const) {
      const [q, k] = [numbers([Tq, Dq], ++seed), numbers([Tk, Dk], ++seed)];
      const [wq, wk] = [numbers([Dq], ++seed), numbers([Dk], ++seed)];
      const tolerance = (Dq + Dk) ** 2 * 2 ** -24 + 2 ** -21;
      for (const activation of ALL) {
        const f = of(activation);
        const want = pairs(q, k, (a, b) => f(dot(wq.data, a) + dot(wk.data, b)));
        agrees(q, k, score.pairSum({ wq, wk }, { activation }), want, tolerance);
      }
    }
});

test('the defaults are tanh, and LeakyReLU of slope 0.2; another slope is told apart', () => {
  const [q, k, v] = [numbers([9, 4], 1), numbers([7, 4], 2), numbers([7, 2], 3)];
  const [Wq, Wk, w] = [numbers([4, 6], 4), numbers([4, 6], 5), numbers([6], 6)];
  const [wq, wk] = [numbers([4], 7), numbers([4], 8)];
  const run = (one: Score): Float32Array => fovea.attention(q, k, v, { score: one }).output.data;
  same(run(score.additive({ Wq, Wk, w })), run(score.additive({ Wq, Wk, w }, { activation: 'tanh' })));
  const leaky = run(score.additive({ Wq, Wk, w }, { activation: 'leakyRelu' }));
  same(leaky, run(score.additive({ Wq, Wk, w }, { activation: 'leakyRelu', slope: 0.2 })));
  const graph = run(score.pairSum({ wq, wk }));
  same(graph, run(score.pairSum({ wq, wk }, { activation: 'leakyRelu', slope: 0.2 })));
  // ReLU is the slope 0, no activation the slope 1.
  same(run(score.pairSum({ wq, wk }, { activation: 'relu' })), run(score.pairSum({ wq, wk }, { slope: 0 })));
  same(run(score.pairSum({ wq, wk }, { activation: 'none' })), run(score.pairSum({ wq, wk }, { slope: 1 })));
  assert.throws(() => same(graph, run(score.pairSum({ wq, wk }, { slope: 0.21 }))));
  assert.throws(() => same(leaky, run(score.additive({ Wq, Wk, w }, { activation: 'leakyRelu', slope: 0.21 }))));
  // A query's part without an activation is one for all keys of its row, which softmax leaves out.
  const none = fovea.attention(q, k, v, { score: score.pairSum({ wq, wk }, { activation: 'none' }) }).output;
  near(none, new Array(9).fill([...none.data.subarray(0, 2)]));
});

test("graph attention is the pattern of its edges with GAT's and GATv2's scores", () => {
  const [N, F, H, width] = [8, 5, 3, 4];
  const edges = Array.from({ length: 20 }, (_, n): [number, number] => [(n * 5) % N, (n * 3 + 1) % N]).filter(
    ([t, s], n, all) => all.findIndex(([a, b]) => a === t && b === s) === n,
  );
  const h = numbers([N, F], 1);
  const heads = (x: NDArray): NDArray => {
    const data = new Float32Array(x.data.length);
    for (let n = 0; n < data.length; n++)
      data[(Math.floor(n / width) % H) * N * width + Math.floor(n / width / H) * width + (n % width)] = x.data[n]!;
    return { data, shape: [H, N, width] };
  };
  const options = { heads: H, selfLoops: false, activation: 'none', negativeSlope: 0.3 } as const;
  const kept = pattern.graph({ edges });
  const [aTarget, aSource] = [numbers([H, width], 4), numbers([H, width], 5)];
  const W = numbers([F, H * width], 2);
  const gat = heads(matmul(fovea, h, W));
  const first = fovea.attention(gat, gat, gat, {
    pattern: kept,
    score: score.pairSum({ wq: aTarget, wk: aSource }, { slope: 0.3 }),
  });
  near(first.output, [...heads(graphAttention(fovea, { h, edges }, { W, aTarget, aSource }, options).output).data], 2e-6);

  const [WTarget, WSource] = [W, numbers([F, H * width], 3)];
  const columns = (M: NDArray): NDArray => {
    const data = new Float32Array(M.data.length);
    for (let n = 0; n < data.length; n++)
      data[(Math.floor(n / width) % H) * F * width + Math.floor(n / width / H) * width + (n % width)] = M.data[n]!;
    return { data, shape: [H, F, width] };
  };
  const each = (x: NDArray): NDArray => ({ data: Float32Array.from([...x.data, ...x.data, ...x.data]), shape: [H, N, F] });
  const one = score.additive(
    { Wq: columns(WTarget), Wk: columns(WSource), w: aTarget },
    { activation: 'leakyRelu', slope: 0.3 },
  );
  const second = fovea.attention(each(h), each(h), heads(matmul(fovea, h, WSource)), { pattern: kept, score: one });
  const want = graphAttention(fovea, { h, edges }, { WTarget, WSource, a: aTarget }, { ...options, version: 2 });
  near(second.output, [...heads(want.output).data], 2e-6);
});

test('each head may have its own wq and wk, and masks, layouts and Tensors are as for other scores', () => {
  const [H, Hkv, Tq, Tk] = [4, 2, 5, 66];
  const [q, k, v] = [numbers([H, Tq, 3], 1), numbers([Hkv, Tk, 6], 2), numbers([Hkv, Tk, 2], 3)];
  const [wq, wk] = [numbers([H, 3], 4), numbers([Hkv, 6], 5)];
  const part = ({ data, shape }: NDArray, h: number): Float32Array => data.subarray(h * shape[1]!, (h + 1) * shape[1]!);
  const want = Array.from({ length: H * Tq * Tk }, (_, n) => {
    const [h, i, j] = [Math.floor(n / Tk / Tq), Math.floor(n / Tk) % Tq, n % Tk];
    const g = Math.floor(h / 2);
    return of('leakyRelu')(dot(part(wq, h), rowsOf(q)(h, i)) + dot(part(wk, g), rowsOf(k)(g, j)));
  });
  const one = score.pairSum({ wq, wk });
  near(fovea.attention(q, k, v, { score: one, returnLogits: 'raw' }).logits, want, 4e-6);
  // Rows 1 and 3 see no key.
  const mask = Array.from({ length: Tq }, (_, i) => Array.from({ length: Tk }, (_, j) => i % 2 === 0 && (i + j) % 3 > 0));
  const masked = fovea.attention(q, k, v, { score: one, mask, returnLse: true, returnWeights: true });
  for (let row = 0; row < H * Tq; row++) {
    const empty = (row % Tq) % 2 === 1;
    assert.equal(masked.lse!.data[row] === -Infinity, empty);
    if (empty) assert.ok(masked.output.data.subarray(2 * row, 2 * row + 2).every((x) => x === 0));
    const logits = want.slice(row * Tk, (row + 1) * Tk).filter((_, j) => mask[row % Tq]![j]);
    if (!empty) assert.ok(Math.abs(masked.lse!.data[row]! - Math.log(logits.reduce((a, s) => a + Math.exp(s), 0))) < 1e-5);
  }
  leavesNothing(() =>
    fovea.scope(() => {
      const kept = score.pairSum({ wq: fovea.tensor(wq), wk: fovea.tensor(wk) });
      same(fovea.attention(fovea.tensor(q), k, v, { score: kept, mask }).output.data.slice(), masked.output.data);
    }),
  );
});

test('huge logits, infinities and NaN', () => {
  const [wq, wk] = [[1], [1]];
  const [q, k] = [
    [[1e4], [-3e38], [Infinity], [NaN]],
    [[5e3], [-2e4], [-1e30]],
  ];
  const raw = (activation: Activation): number[] => [
    ...fovea.attention(q, k, k, { score: score.pairSum({ wq, wk }, { activation }), returnLogits: 'raw' }).logits!.data,
  ];
  const sums = q.flatMap(([a]) => k.map(([b]) => Math.fround(a! + b!)));
  for (const activation of ALL)
    near(
      { data: Float32Array.from(raw(activation)), shape: [12] },
      sums.map((x) => Math.fround(of(activation, Math.fround(0.2))(x))),
      1e-6,
    );
  const { weights, output } = fovea.attention(q.slice(0, 1), k, k, { score: score.pairSum({ wq, wk }), returnWeights: true });
  assert.deepEqual([...weights.data, ...output.data], [1, 0, 0, 5e3]);
  const nan = fovea.attention(q, k, k, { score: score.pairSum({ wq, wk }), returnLse: true });
  assert.deepEqual([...nan.lse!.data].map(Number.isNaN), [false, false, true, true]);
});

test('the trace names the activation', () => {
  const [q, k] = [numbers([3, 2], 1), numbers([4, 2], 2)];
  const formula = (one: Score): string =>
    leavesNothing(() => fovea.attention(q, k, k, { score: one, trace: true })).trace.find(({ name }) => name === 'scores')!
      .formula;
  const [Wq, Wk, w] = [numbers([2, 3], 3), numbers([2, 3], 4), numbers([3], 5)];
  assert.equal(formula(score.additive({ Wq, Wk, w })), 'S_{ij} = w \\cdot \\tanh(\\tilde Q_i + \\tilde K_j)');
  assert.equal(
    formula(score.additive({ Wq, Wk, w }, { activation: 'leakyRelu' })),
    'S_{ij} = w \\cdot \\operatorname{LeakyReLU}_{0.2}(\\tilde Q_i + \\tilde K_j)',
  );
  const sum = { wq: [1, 2], wk: [3, 4] };
  assert.equal(formula(score.pairSum(sum, { activation: 'relu' })), 'S_{ij} = \\operatorname{ReLU}(\\tilde q_i + \\tilde k_j)');
  assert.equal(formula(score.pairSum(sum, { activation: 'none' })), 'S_{ij} = \\tilde q_i + \\tilde k_j');
  const { trace } = fovea.attention(q, k, k, { score: score.pairSum(sum), trace: true });
  const names = ['query', 'key', 'value', 'projectedQuery', 'projectedKey', 'scores', 'scaled', 'weights', 'output'];
  assert.deepEqual(
    trace.map(({ name }) => name),
    names,
  );
  assert.deepEqual(
    ['projectedQuery', 'projectedKey'].map((name) => trace.find((stage) => stage.name === name)!.shape),
    [
      [3, 1],
      [4, 1],
    ],
  );
});

test('wrong activations and parameters say what was expected', () => {
  const [Wq, Wk, w] = [numbers([2, 3], 3), numbers([2, 3], 4), numbers([3], 5)];
  const x = numbers([3, 2], 1);
  const call = (one: Score): unknown => fovea.attention(x, x, x, { score: one });
  fails('option', /score\.additive: activation must be 'tanh' or 'relu' or 'leakyRelu', got 'none'/, () =>
    score.additive({ Wq, Wk, w }, { activation: 'none' as never }),
  );
  fails('option', /score\.pairSum: activation must be .*, got 'leakyRelU'; did you mean 'leakyRelu'\?/, () =>
    score.pairSum({ wq: [1], wk: [1] }, { activation: 'leakyRelU' as never }),
  );
  fails('option', /score\.additive: slope is that of activation 'leakyRelu', got slope 0\.2 with activation 'tanh'/, () =>
    score.additive({ Wq, Wk, w }, { slope: 0.2 }),
  );
  for (const slope of [NaN, Infinity, 1e39, '1' as never])
    fails('value', /score\.pairSum: slope must be a finite number/, () => score.pairSum({ wq: [1], wk: [1] }, { slope }));
  fails('option', /score\.pairSum: unknown option 'weightLayout'/, () =>
    score.pairSum({ wq: [1], wk: [1] }, { weightLayout: 'inOut' } as never),
  );
  fails('option', /score\.pairSum: unknown parameter 'w'/, () => score.pairSum({ wq: [1], wk: [1], w: [1] } as never));
  fails('value', /score\.pairSum: params\.wk must be given/, () => score.pairSum({ wq: [1] } as never));
  fails('shape', /score\.wq must be \[Dq = 2\] or \[H = 1, Dq = 2\], got \[3\]/, () =>
    call(score.pairSum({ wq: w, wk: [1, 2] })),
  );
  fails('shape', /score\.wk must be \[Dk = 2\] or \[Hkv = 1, Dk = 2\], got \[2, 2\]/, () =>
    call(
      score.pairSum({
        wq: [1, 2],
        wk: [
          [1, 2],
          [1, 2],
        ],
      }),
    ),
  );
  fails('option', /relativeKeys/, () =>
    fovea.attention(x, x, x, {
      score: score.pairSum({ wq: [1, 2], wk: [1, 2] }),
      relativeKeys: { table: numbers([3, 1]), clip: 1 },
    }),
  );
});
