import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tensor, type NDArray } from 'fovea';
import { multiDimensionalAttention, type MultiDimensionalOptions, type MultiDimensionalParams } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import { rowsOf, through } from '../support/score_reference.ts';

const [H, Tq, Tk, Dq, Dk, Dv, E] = [4, 5, 7, 3, 6, 2, 8];
const q = numbers([H, Tq, Dq], 1);
const k = numbers([2, Tk, Dk], 2);
const v = numbers([2, Tk, Dv], 3);
const bounded = { Wq: numbers([Dq, Dv], 4), Wk: numbers([Dk, Dv], 5), bias: numbers([Dv], 6) };
const general = {
  Wq: numbers([Dq, E], 7),
  Wk: numbers([Dk, E], 8),
  bias: numbers([E], 9),
  W: numbers([E, Dv], 10),
  b: numbers([Dv], 11),
};

type Params = { Wq?: NDArray; Wk: NDArray; bias?: NDArray; W?: NDArray; b?: NDArray };

/** The definition in double: output [H, Tq, Dv], weights [H, Tq, Tk, Dv]. */
function definition(
  params: Params,
  {
    c = 5,
    activation = 'tanh',
    allows = (): boolean => true,
  }: { c?: number; activation?: string; allows?: (i: number, j: number) => boolean },
  queries: NDArray | null = q,
): { output: number[]; weights: number[] } {
  const sigma = (x: number): number => (activation === 'tanh' ? Math.tanh(x) : x > 0 ? x : Math.expm1(x));
  const output: number[] = [];
  const weights: number[] = [];
  const [heads, count] = queries === null ? [2, 1] : [H, Tq];
  for (let h = 0; h < heads; h++) {
    const kvHead = queries === null ? h : Math.floor(h / 2);
    for (let i = 0; i < count; i++) {
      const own = queries === null ? null : through(rowsOf(queries)(h, i), params.Wq!);
      const scores = Array.from({ length: Tk }, (_, j) => {
        const sum = through(rowsOf(k)(kvHead, j), params.Wk).map((x, e) => x + (own?.[e] ?? 0) + (params.bias?.data[e] ?? 0));
        if (params.W === undefined) return sum.map((x) => c * Math.tanh(x / c));
        return through(sum.map(sigma), params.W).map((x, d) => x + (params.b?.data[d] ?? 0));
      });
      const row = scores.map((one, j) => one.map((s) => (allows(i, j) ? Math.exp(s) : 0)));
      for (let j = 0; j < Tk; j++)
        for (let d = 0; d < Dv; d++) weights.push(row[j]![d]! / (row.reduce((sum, one) => sum + one[d]!, 0) || 1));
      for (let d = 0; d < Dv; d++) {
        let sum = 0;
        for (let j = 0; j < Tk; j++) sum += weights[weights.length - (Tk - j) * Dv + d]! * rowsOf(v)(kvHead, j)[d]!;
        output.push(sum);
      }
    }
  }
  return { output, weights };
}

const run = (params: MultiDimensionalParams, options?: MultiDimensionalOptions) =>
  leavesNothing(() => multiDimensionalAttention(fovea, q, k, v, params, options));

test('each form is what its definition says', () => {
  for (const [params, options] of [
    [bounded, {}],
    [bounded, { c: 0.5 }],
    [general, {}],
    [general, { activation: 'elu' }],
    [{ ...general, b: undefined, bias: undefined }, {}],
  ] as const) {
    const want = definition(params as Params, options);
    const { output, weights } = run(params, { ...options, returnWeights: true });
    assert.deepEqual(
      [output.shape, weights!.shape],
      [
        [H, Tq, Dv],
        [H, Tq, Tk, Dv],
      ],
    );
    near(output, want.output);
    near(weights, want.weights);
    same(run(params, options).output.data, output.data);
  }
});

test('rules of place and masks forbid pairs, rows without keys are 0', () => {
  const forward = (i: number, j: number): boolean => j < i;
  const rows = Array.from({ length: Tq }, (_, i) => Array.from({ length: Tk }, (_, j) => forward(i, j)));
  const want = definition(bounded, { allows: forward });
  near(run(bounded, { mask: rows }).output, want.output);
  near(run(bounded, { causal: true, causalOffset: -1 }).output, want.output);
  near(
    run(bounded, { window: [1, 1], keyLengths: [4] }).output,
    definition(bounded, { allows: (i, j) => Math.abs(i - j) <= 1 && j < 4 }).output,
  );
  const added = numbers([Tq, Tk], 12);
  const { weights } = run(bounded, { mask: added, returnWeights: true });
  const plain = definition(bounded, {}).weights;
  const ratio = (at: number): number => weights!.data[at]! / weights!.data[at + Dv]! / (plain[at]! / plain[at + Dv]!);
  assert.ok(Math.abs(ratio(0) - Math.exp(added.data[0]! - added.data[1]!)) < 1e-5);
});

test('without queries it makes one row of a sequence', () => {
  const { Wk, bias, W, b } = general;
  const { output, weights } = leavesNothing(() =>
    multiDimensionalAttention(fovea, null, k, v, { Wk, bias, W, b }, { returnWeights: true }),
  );
  assert.deepEqual(
    [output.shape, weights!.shape],
    [
      [2, 1, Dv],
      [2, 1, Tk, Dv],
    ],
  );
  const want = definition({ Wk, bias, W, b }, {}, null);
  near(output, want.output);
  near(weights, want.weights);
  const own = multiDimensionalAttention(fovea, null, k, v, { Wk: bounded.Wk }).output;
  near(own, definition({ Wk: bounded.Wk }, {}, null).output);
});

test("heads of their own, 'outIn', layouts and Tensors", () => {
  const turn = ({ data, shape: [rows, columns] }: NDArray): NDArray => ({
    data: Float32Array.from({ length: data.length }, (_, n) => data[(n % rows!) * columns! + Math.floor(n / rows!)]!),
    shape: [columns!, rows!],
  });
  const { output } = run(general);
  const turned = { ...general, Wq: turn(general.Wq), Wk: turn(general.Wk), W: turn(general.W) };
  same(run(turned, { weightLayout: 'outIn' }).output.data, output.data);
  const repeat = ({ data, shape }: NDArray, heads: number): NDArray => ({
    data: Float32Array.from({ length: heads * data.length }, (_, n) => data[n % data.length]!),
    shape: [heads, ...shape],
  });
  const each = { ...general, Wq: repeat(general.Wq, H), Wk: repeat(general.Wk, 2), bias: repeat(general.bias, H) };
  same(run(each).output.data, output.data);
  fovea.scope(() => {
    const tensors = multiDimensionalAttention(
      fovea,
      fovea.tensor(q),
      fovea.tensor(k),
      v,
      { ...general, W: fovea.tensor(general.W) },
      {
        returnWeights: true,
        trace: true,
      },
    );
    assert.ok(tensors.output instanceof Tensor && tensors.weights instanceof Tensor);
    same(tensors.output.data.slice(), output.data);
  });
  const one = (x: NDArray): NDArray => ({ data: x.data, shape: [1, ...x.shape] });
  const out = { data: new Float32Array(H * Tq * Dv), shape: [1, H, Tq, Dv] };
  const batch = multiDimensionalAttention(fovea, one(q), one(k), one(v), general, { out: { output: out } });
  assert.equal(batch.output, out);
  same(out.data, output.data);
});

test('the stages of its trace', () => {
  const { trace, output } = run(bounded, { trace: true });
  const names = ['query', 'key', 'value', 'projectedQuery', 'projectedKey', 'weights', 'output'];
  assert.deepEqual(
    trace!.map(({ name }) => name),
    names,
  );
  const [, , , projected, , weights, last] = trace!;
  assert.deepEqual(
    [projected!.shape, weights!.shape],
    [
      [H, Tq, Dv],
      [H, Tq, Tk, Dv],
    ],
  );
  near(
    { data: projected!.data.slice(0, Dv), shape: [Dv] },
    through(rowsOf(q)(0, 0), bounded.Wq).map((x, d) => x + bounded.bias.data[d]!),
  );
  near({ data: weights!.data, shape: weights!.shape }, definition(bounded, {}).weights);
  same(last!.data, output.data);
  const alone = leavesNothing(() => multiDimensionalAttention(fovea, null, k, v, { Wk: bounded.Wk }, { trace: true })).trace!;
  assert.deepEqual(
    alone.map(({ name }) => name),
    names.slice(1),
  );
});

test('a trace of Tensors leaves nothing but the results', () => {
  const tensor = fovea.tensor(q);
  const before = fovea.memory().live;
  const { output } = multiDimensionalAttention(fovea, tensor, k, v, bounded, { trace: true });
  output.dispose();
  assert.equal(fovea.memory().live, before);
  tensor.dispose();
});

test('empty extents are empty results', () => {
  for (const [queries, keys] of [
    [0, 3],
    [3, 0],
  ] as const) {
    const { output } = multiDimensionalAttention(
      fovea,
      numbers([queries, Dq]),
      numbers([keys, Dk]),
      numbers([keys, Dv]),
      bounded,
    );
    assert.deepEqual([output.shape, [...output.data]], [[queries, Dv], new Array(queries * Dv).fill(0)]);
  }
});

test('wrong arguments say what was expected', () => {
  const call = (params: unknown, options?: unknown): unknown =>
    multiDimensionalAttention(fovea, q, k, v, params as MultiDimensionalParams, options as MultiDimensionalOptions);
  fails('value', /fovea must be what load\(\) returned/, () => multiDimensionalAttention({} as never, q, k, v, bounded));
  fails('value', /params must be an object with Wk, got null/, () => call(null));
  fails('value', /params\.Wk must be given/, () => call({ Wq: bounded.Wq }));
  fails('value', /params\.Wq must be given/, () => call({ Wk: bounded.Wk }));
  fails('value', /params\.Wq must go with queries/, () => multiDimensionalAttention(fovea, null, k, v, bounded));
  fails('option', /unknown parameter 'wq'; did you mean 'Wq'\?/, () => call({ ...bounded, wq: 1 }));
  fails('shape', /Wk must be \[Dk = 6, Dv = 2\] or \[Hkv = 2, Dk = 6, Dv = 2\], got \[6, 8\]/, () =>
    call({ ...bounded, Wk: general.Wk }),
  );
  fails('shape', /Wq must be \[Dq = 3, E = 8\]/, () => call({ ...general, Wq: bounded.Wq }));
  fails('shape', /W must be \[E, Dv\] = \[8, 2\], got \[2, 2\]/, () =>
    call({
      ...general,
      W: [
        [1, 2],
        [3, 4],
      ],
    }),
  );
  fails('shape', /bias must be \[A = 8\]/, () => call({ ...general, bias: [1] }));
  fails('shape', /b must be \[Dv\] = \[2\], got \[1\]/, () => call({ ...general, b: [1] }));
  fails('value', /params\.b must go with params\.W/, () => call({ ...bounded, b: [1, 2] }));
  fails('option', /activation must be 'tanh' or 'elu'/, () => call(general, { activation: 'relu' }));
  fails('option', /activation must go with params\.W/, () => call(bounded, { activation: 'tanh' }));
  fails('option', /c bounds a score without params\.W/, () => call(general, { c: 5 }));
  fails('value', /c must be above 0, got 0/, () => call(bounded, { c: 0 }));
  fails('option', /unknown option 'softcap'/, () => call(bounded, { softcap: 1 }));
  fails('shape', /the 2 heads of k and v must equal or divide the 3 of q/, () =>
    multiDimensionalAttention(fovea, numbers([3, Tq, Dq]), k, v, bounded),
  );
});
