import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, type NDArray } from 'fovea';
import { pattern, type Pattern } from 'fovea/pattern';
import { multiDimensionalAttention } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import { rowsOf, through } from '../support/score_reference.ts';

type Allows = (i: number, j: number) => boolean;
interface Params {
  readonly Wq: NDArray;
  readonly Wk: NDArray;
  readonly W?: NDArray;
}
const always: Allows = () => true;

/** Output and lse [Tq, Dv] and weights [Tq, Tk, Dv] of one head, in double, with a bias of a pair. */
function definition(
  q: NDArray,
  k: NDArray,
  v: NDArray,
  { Wq, Wk, W }: Params,
  allows: Allows,
  bias: (i: number, j: number) => number = () => 0,
): { output: number[]; weights: number[]; lse: number[] } {
  const [Tq, Tk, Dv] = [q.shape[0]!, k.shape[0]!, v.shape[1]!];
  const [output, weights, lse]: number[][] = [[], [], []];
  for (let i = 0; i < Tq; i++) {
    const own = through(rowsOf(q)(0, i), Wq);
    const scores = Array.from({ length: Tk }, (_, j) => {
      const sum = through(rowsOf(k)(0, j), Wk).map((x, e) => x + own[e]!);
      const logits = W === undefined ? sum.map((x) => 5 * Math.tanh(x / 5)) : through(sum.map(Math.tanh), W);
      return logits.map((s) => s + bias(i, j));
    });
    const power = (j: number, d: number): number => (allows(i, j) ? Math.exp(scores[j]![d]!) : 0);
    const sums = Array.from({ length: Dv }, (_, d) => scores.reduce((sum, __, j) => sum + power(j, d), 0));
    for (let j = 0; j < Tk; j++) for (let d = 0; d < Dv; d++) weights!.push(sums[d] === 0 ? 0 : power(j, d) / sums[d]!);
    for (let d = 0; d < Dv; d++) {
      lse!.push(Math.log(sums[d]!));
      output!.push(scores.reduce((sum, _, j) => sum + weights![(i * Tk + j) * Dv + d]! * rowsOf(v)(0, j)[d]!, 0));
    }
  }
  return { output: output!, weights: weights!, lse: lse! };
}

/** Output, weights and lse of a call with these options are those of the definition; without asking the output has the same bits. */
function agrees(
  [q, k, v]: readonly [NDArray, NDArray, NDArray],
  params: Params,
  options: Parameters<typeof multiDimensionalAttention>[5],
  want: ReturnType<typeof definition>,
  tolerance: number,
): void {
  const got = leavesNothing(() =>
    multiDimensionalAttention(fovea, q, k, v, params, { ...options, returnWeights: true, returnLse: true }),
  );
  assert.deepEqual(got.lse.shape, got.output.shape);
  near(got.output, want.output, tolerance);
  near(got.weights, want.weights, tolerance);
  near(got.lse, want.lse, tolerance);
  same(multiDimensionalAttention(fovea, q, k, v, params, options).output.data, got.output.data);
}

test('a pattern and lse are what their definition says, on ragged lengths and widths', () => {
  let seed = 1;
  const patterns: [Pattern, Allows][] = [
    [pattern.window(4, 1), (i, j) => j >= i - 4 && j <= i + 1],
    [pattern.atrous(3), (i, j) => (i - j) % 3 === 0],
    [pattern.window(2, 2).or(pattern.atrous(7)), (i, j) => Math.abs(i - j) <= 2 || (i - j) % 7 === 0],
  ];
  for (const [Tq, Tk, Dq, Dv] of [
    [1, 1, 1, 1],
    [3, 5, 7, 7],
    [5, 63, 80, 1],
    [63, 65, 3, 80],
    [65, 3, 1, 7],
  ] as const) {
    const arrays = [numbers([Tq, Dq], ++seed), numbers([Tk, Dq], ++seed), numbers([Tk, Dv], ++seed)] as const;
    const bounded = { Wq: numbers([Dq, Dv], ++seed), Wk: numbers([Dq, Dv], ++seed) };
    const general = { Wq: numbers([Dq, 6], ++seed), Wk: numbers([Dq, 6], ++seed), W: numbers([6, Dv], ++seed) };
    // Each logit is of at most 6 sums of 2 Dq + 1 terms.
    const tolerance = 6 * (2 * Dq + 2) ** 2 * 2 ** -24 + 4e-6;
    for (const params of [bounded, general]) {
      agrees(arrays, params, {}, definition(...arrays, params, always), tolerance);
      for (const [kept, allows] of patterns) {
        agrees(arrays, params, { pattern: kept }, definition(...arrays, params, allows), tolerance);
        const mask = Array.from({ length: Tq }, (_, i) => Array.from({ length: Tk }, (_, j) => (i + 2 * j) % 5 !== 0));
        const both = definition(...arrays, params, (i, j) => allows(i, j) && j <= i && mask[i]![j]!);
        agrees(arrays, params, { pattern: kept, causal: true, mask }, both, tolerance);
        // A mask of other pairs would be told.
        if (Tk < 63) continue;
        const wrong = definition(...arrays, params, (i, j) => allows(i, j + 1));
        assert.throws(() => agrees(arrays, params, { pattern: kept }, wrong, tolerance));
      }
    }
  }
});

test('rows of which nothing is left are 0 with an lse of -Infinity, huge logits stay finite, NaN keeps to its feature', () => {
  const [q, k, v] = [numbers([6, 2], 1), numbers([70, 2], 2), numbers([70, 2], 3)];
  const params = { Wq: numbers([2, 2], 4), Wk: numbers([2, 2], 5) };
  const kept = pattern.window(0, 2).and(pattern.window(0, 1).not());
  const run = (key = k, W?: NDArray) =>
    multiDimensionalAttention(
      fovea,
      q,
      key,
      v,
      { ...params, ...(W && { W }) },
      {
        pattern: kept,
        mask: Array.from({ length: 6 }, (_, i) => new Array<boolean>(70).fill(i !== 2)),
        returnLse: true,
        returnWeights: true,
      },
    );
  const got = run();
  for (let row = 0; row < 6; row++) {
    const [output, lse] = [got.output.data.subarray(2 * row, 2 * row + 2), got.lse.data.subarray(2 * row, 2 * row + 2)];
    if (row === 2) assert.deepEqual([...output, ...lse], [0, 0, -Infinity, -Infinity]);
    // One pair is left: key i + 2.
    else assert.deepEqual([...output], [...v.data.subarray(2 * row + 4, 2 * row + 6)]);
  }
  const huge = run(k, { data: Float32Array.of(1e30, 1e30, 1e30, 1e30), shape: [2, 2] });
  assert.ok(huge.output.data.every(Number.isFinite));
  const broken = { data: k.data.slice(), shape: k.shape };
  broken.data[2 * 5] = NaN;
  const outside = run(broken);
  // Row 3 sees key 5 alone; Wk makes both features of it NaN.
  for (let n = 0; n < 12; n++) assert.equal(Number.isNaN(outside.lse.data[n]), n === 6 || n === 7);
});

test('a bias of the pairs is added to each feature', () => {
  const [q, k, v] = [numbers([3, 2], 1), numbers([4, 2], 2), numbers([4, 2], 3)];
  const params = { Wq: numbers([2, 2], 4), Wk: numbers([2, 2], 5) };
  const edges = [[0, 1], [0, 3], [1, 0], [2, 2], [2, 0]] as [number, number][]; // prettier-ignore
  const bias = [0.5, -1, 2, 0.25, 3];
  const at = (i: number, j: number): number => edges.findIndex(([a, b]) => a === i && b === j);
  const want = definition(
    q,
    k,
    v,
    params,
    (i, j) => at(i, j) >= 0,
    (i, j) => bias[at(i, j)] ?? 0,
  );
  agrees([q, k, v], params, { pattern: pattern.graph({ edges, bias }) }, want, 2e-6);
});

test('heads, batches, Tensors, out and no queries', () => {
  const [q, k, v] = [numbers([2, 4, 30, 3], 1), numbers([2, 2, 50, 3], 2), numbers([2, 2, 50, 2], 3)];
  const params = { Wq: numbers([4, 3, 2], 4), Wk: numbers([2, 3, 2], 5) };
  const kept = pattern.window(5, 5);
  const whole = multiDimensionalAttention(fovea, q, k, v, params, { pattern: kept, returnLse: true });
  assert.deepEqual(whole.lse.shape, [2, 4, 30, 2]);
  const part = ({ data, shape }: NDArray, n: number): NDArray => {
    const size = shape.at(-1)! * shape.at(-2)!;
    return { data: data.slice(n * size, (n + 1) * size), shape: shape.slice(-2) };
  };
  for (let n = 0; n < 8; n++) {
    const [b, h] = [Math.floor(n / 4), n % 4];
    const own = { Wq: part(params.Wq, h), Wk: part(params.Wk, Math.floor(h / 2)) };
    const kv = 2 * b + Math.floor(h / 2);
    const one = multiDimensionalAttention(fovea, part(q, n), part(k, kv), part(v, kv), own, { pattern: kept, returnLse: true });
    same(one.output.data, part(whole.output, n).data);
    same(one.lse.data, part(whole.lse, n).data);
  }
  leavesNothing(() =>
    fovea.scope(() => {
      const tensors = multiDimensionalAttention(fovea, fovea.tensor(q), k, v, params, { pattern: kept, returnLse: true });
      assert.ok(tensors.lse instanceof Tensor);
      same(tensors.lse.data.slice(), whole.lse.data);
      const lse = { data: new Float32Array(whole.lse.data.length), shape: whole.lse.shape };
      assert.equal(multiDimensionalAttention(fovea, q, k, v, params, { pattern: kept, out: { lse } }).lse, lse);
      same(lse.data, whole.lse.data);
    }),
  );
  const row = multiDimensionalAttention(
    fovea,
    null,
    part(k, 0),
    part(v, 0),
    { Wk: part(params.Wk, 0) },
    { pattern: pattern.window(0, 1), returnLse: true },
  );
  assert.deepEqual([row.output.shape, row.lse.shape], [[1, 2], [1, 2]]); // prettier-ignore
  const empty = multiDimensionalAttention(
    fovea,
    part(q, 0),
    numbers([0, 3]),
    numbers([0, 2]),
    { Wq: part(params.Wq, 0), Wk: part(params.Wk, 0) },
    { pattern: kept, returnLse: true },
  );
  assert.ok(empty.lse.data.length === 60 && empty.lse.data.every((x) => x === -Infinity));
});

test('the trace shows the weights of the pairs and names the pattern; wrong options say what was expected', () => {
  const [q, k, v] = [numbers([5, 2], 1), numbers([6, 2], 2), numbers([6, 2], 3)];
  const params = { Wq: numbers([2, 2], 4), Wk: numbers([2, 2], 5) };
  const kept = pattern.window(1, 0);
  const { trace } = leavesNothing(() => multiDimensionalAttention(fovea, q, k, v, params, { pattern: kept, trace: true }));
  const weights = trace.find(({ name }) => name === 'weights')!;
  const want = definition(q, k, v, params, (i, j) => j === i || j === i - 1);
  near({ data: weights.data, shape: weights.shape }, want.weights);
  assert.match(weights.formula, /softmax\}_\{j : \(p_i, j\) \\in P\}/);
  const call = (options: object): unknown => multiDimensionalAttention(fovea, q, k, v, params, options);
  fails('value', /pattern must be a Pattern that fovea\/pattern has made, got 'causal'/, () => call({ pattern: 'causal' }));
  fails('value', /returnLse must be true or false, got 1/, () => call({ returnLse: 1 }));
  fails('shape', /lse/, () => call({ out: { lse: { data: new Float32Array(4), shape: [4] } } }));
});
