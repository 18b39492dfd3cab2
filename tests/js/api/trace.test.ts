import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttentionError, type TraceStage } from 'fovea';
import { bias } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import type { DenseOptions } from '../support/dense_options.ts';

const [B, H, Tq, Tk, D, Dv] = [2, 4, 5, 7, 3, 2];
const q = numbers([B, H, Tq, D], 1);
const k = numbers([B, 2, Tk, D], 2);
const v = numbers([B, 2, Tk, Dv], 3);
const everything: DenseOptions = {
  causal: true,
  causalOffset: [1, -1],
  keyLengths: [7, 4],
  softcap: 2,
  mask: numbers([B, H, Tq, Tk], 4),
  bias: bias.alibi(),
  sinks: [1, 2, 3, 4],
  returnWeights: true,
};
const names = (trace: TraceStage[] | undefined): string[] => trace!.map(({ name }) => name);
const stage = (trace: TraceStage[] | undefined, name: string): TraceStage => trace!.find((one) => one.name === name)!;

/** The part [from, to) of each axis. */
function cut(
  { data, shape }: { data: Float32Array; shape: number[] },
  ranges: readonly (readonly [number, number])[],
): Float32Array {
  const kept: number[] = [];
  for (let at = 0; at < data.length; at++) {
    let rest = at;
    let inside = true;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const index = rest % shape[axis]!;
      rest = Math.floor(rest / shape[axis]!);
      inside &&= index >= ranges[axis]![0] && index < ranges[axis]![1];
    }
    if (inside) kept.push(data[at]!);
  }
  return Float32Array.from(kept);
}

test('the stages of attention, in order; capped and masked only where there is such a step', () => {
  const stages = (options: DenseOptions): string[] =>
    names(leavesNothing(() => fovea.attention(q, k, v, { ...options, trace: true })).trace);
  assert.deepEqual(stages({}), ['query', 'key', 'value', 'scores', 'scaled', 'weights', 'output']);
  assert.deepEqual(stages({ softcap: 1 }), ['query', 'key', 'value', 'scores', 'scaled', 'capped', 'weights', 'output']);
  for (const rule of [
    { causal: true },
    { window: [1, -1] },
    { keyLengths: [1, 2] },
    { mask: [true] },
    { mask: [0.5] },
    { bias: bias.alibi() },
  ] as const) {
    assert.deepEqual(stages(rule), ['query', 'key', 'value', 'scores', 'scaled', 'masked', 'weights', 'output']);
  }
});

test('each stage holds what its name says', () => {
  const { trace, output, weights } = fovea.attention(q, k, v, { ...everything, trace: true });
  const logits = (returnLogits: 'raw' | 'capped' | 'biased', options = everything): Float32Array =>
    fovea.attention(q, k, v, { ...options, returnLogits }).logits!.data;
  same(stage(trace, 'query').data, q.data);
  same(stage(trace, 'key').data, k.data);
  same(stage(trace, 'value').data, v.data);
  same(stage(trace, 'scores').data, logits('raw', { scale: 1 }));
  same(stage(trace, 'scaled').data, logits('raw'));
  same(stage(trace, 'capped').data, logits('capped'));
  same(stage(trace, 'masked').data, logits('biased'));
  same(stage(trace, 'weights').data, weights!.data);
  same(stage(trace, 'output').data, output.data);
  assert.deepEqual(
    trace!.map(({ shape }) => shape),
    [[B, H, Tq, D], [B, 2, Tk, D], [B, 2, Tk, Dv], ...Array(5).fill([B, H, Tq, Tk]), [B, H, Tq, Dv]],
  );
});

test("stages have q's rank; the layout does not change their order of axes", () => {
  const shapes = (rank: number, options: DenseOptions = {}): number[][] => {
    const x = numbers([2, 3, 4, 6].slice(4 - rank));
    return fovea.attention(x, x, x, { ...options, trace: true }).trace!.map(({ shape }) => shape);
  };
  assert.deepEqual(shapes(2).slice(2, 4), [
    [4, 6],
    [4, 4],
  ]);
  assert.deepEqual(shapes(3).slice(2, 4), [
    [3, 4, 6],
    [3, 4, 4],
  ]);
  assert.deepEqual(shapes(4, { layout: 'bthd' }).slice(2, 4), [
    [2, 4, 3, 6],
    [2, 4, 3, 3],
  ]);
  assert.deepEqual(shapes(3, { layout: 'btd' }).slice(2, 4), [
    [3, 4, 6],
    [3, 4, 4],
  ]);
  assert.deepEqual(shapes(3, { heads: 2 }).slice(2, 4), [
    [3, 2, 4, 3],
    [3, 2, 4, 4],
  ]);
});

test('batch, head and rows narrow the stages and keep their bits', () => {
  const whole = fovea.attention(q, k, v, { ...everything, trace: true }).trace;
  const selections: [object, [number, number], [number, number], [number, number]][] = [
    [{ batch: 1 }, [1, 2], [0, H], [0, Tq]],
    [{ head: 3 }, [0, B], [3, 4], [0, Tq]],
    [{ rows: [2, 4] }, [0, B], [0, H], [2, 4]],
    [{ batch: 1, head: 2, rows: [4, 5] }, [1, 2], [2, 3], [4, 5]],
    [{ rows: [3, 3] }, [0, B], [0, H], [3, 3]],
  ];
  for (const [trace, b, h, rows] of selections) {
    const part = leavesNothing(() => fovea.attention(q, k, v, { ...everything, trace })).trace;
    assert.deepEqual(names(part), names(whole));
    for (const { name, shape, data } of part!) {
      const isKey = name === 'key' || name === 'value';
      const heads: [number, number] = !isKey ? h : h[1] - h[0] === H ? [0, 2] : [h[0] >> 1, (h[0] >> 1) + 1];
      const width = stage(whole, name).shape[3]!;
      const ranges = [b, heads, isKey ? [0, Tk] : rows, [0, width]] as [number, number][];
      assert.deepEqual(
        shape,
        ranges.map(([from, to]) => to - from),
        name,
      );
      same(data, cut(stage(whole, name), ranges));
    }
  }
});

test('narrowed rows of a long input have the bits of the whole call', () => {
  const x = numbers([200, 8]);
  const { weights } = fovea.attention(x, x, x, { causal: true, returnWeights: true });
  for (const rows of [
    [0, 1],
    [70, 75],
    [199, 200],
  ] as const) {
    const { trace } = fovea.attention(x, x, x, { causal: true, trace: { rows } });
    same(stage(trace, 'weights').data, weights!.data.slice(200 * rows[0], 200 * rows[1]));
  }
});

test('every stage has a formula in LaTeX that tells scale, cap and rules', () => {
  const { trace } = fovea.attention(q, k, v, { ...everything, scale: 0.5, window: [2, 0], trace: true });
  for (const { formula } of trace!) assert.ok(formula.length > 0);
  assert.equal(stage(trace, 'scaled').formula, 'Z = 0.5 \\, S');
  assert.match(stage(trace, 'capped').formula, /C = 2 \\tanh/);
  assert.match(stage(trace, 'masked').formula, /m_h.*M_\{ij\}.*j \\le p_i.*j \\ge p_i - 2.*\\ell_b.*-\\infty/);
  assert.match(stage(trace, 'weights').formula, /e\^\{s_h\}/);
  assert.equal(stage(fovea.attention(q, k, v, { trace: true }).trace, 'scaled').formula, 'Z = \\frac{S}{\\sqrt{3}}');
});

test('a trace over 256 MiB is a memory error that names its size, before anything is computed', () => {
  const x = { data: new Float32Array(6000), shape: [6000, 1] };
  const started = performance.now();
  fails(
    'memory',
    /^attention: the trace would hold 432\d{6} bytes, more than 268435456 \(256 MiB\); narrow it with trace: \{ batch, head, rows/,
    () => fovea.attention(x, x, x, { trace: true }),
  );
  assert.ok(performance.now() - started < 500);
  assert.equal(stage(fovea.attention(x, x, x, { trace: { rows: [0, 2] } }).trace, 'weights').data.length, 12_000);
});

test('a wrong selection is refused', () => {
  const bad = (trace: unknown) => () => fovea.attention(q, k, v, { trace: trace as never });
  fails('value', /trace\.batch must be an integer from 0 to 1, got 2/, bad({ batch: 2 }));
  fails('value', /trace\.head must be an integer from 0 to 3, got -1/, bad({ head: -1 }));
  fails('value', /trace\.rows to must be an integer from 0 to 5, got 6/, bad({ rows: [0, 6] }));
  fails('value', /trace\.rows from must be an integer from 0 to 2, got 3/, bad({ rows: [3, 2] }));
  fails('value', /trace\.rows must be \[from, to\], got 3/, bad({ rows: 3 }));
  fails('option', /unknown option 'row'; did you mean 'rows'/, bad({ row: 1 }));
  fails('option', /trace must be true, false or \{ batch, head, rows \}, got 'all'/, bad('all'));
  assert.equal(fovea.attention(q, k, v, { trace: false }).trace, undefined);
  assert.ok(new AttentionError('value', '') instanceof Error);
});

test('selfAttention: input, projections, attention, heads (only with Wo), output', () => {
  const x = numbers([2, 5, 4], 1);
  const params = { Wq: numbers([4, 6], 2), Wk: numbers([4, 6], 3), Wv: numbers([4, 6], 4), bq: numbers([6], 5) };
  const bare = leavesNothing(() => fovea.selfAttention(x, params, { heads: 2, trace: true, returnWeights: true }));
  assert.deepEqual(names(bare.trace), ['input', 'query', 'key', 'value', 'scores', 'scaled', 'weights', 'output']);
  same(stage(bare.trace, 'input').data, x.data);
  same(stage(bare.trace, 'weights').data, bare.weights!.data);
  same(stage(bare.trace, 'output').data, bare.output.data);
  assert.deepEqual(
    bare.trace!.map(({ shape }) => shape),
    [[2, 5, 4], ...Array(3).fill([2, 2, 5, 3]), ...Array(3).fill([2, 2, 5, 5]), [2, 5, 6]],
  );
  assert.equal(stage(bare.trace, 'query').formula, 'Q = X W_q + b_q');
  const projected = fovea.selfAttention(x, { ...params, Wo: numbers([6, 3], 6) }, { heads: 2, causal: true, trace: true });
  assert.deepEqual(names(projected.trace), [
    'input',
    'query',
    'key',
    'value',
    'scores',
    'scaled',
    'masked',
    'weights',
    'heads',
    'output',
  ]);
  assert.deepEqual(stage(projected.trace, 'heads').shape, [2, 5, 6]);
  same(stage(projected.trace, 'output').data, projected.output.data);
  near(
    { data: stage(projected.trace, 'heads').data, shape: [60] },
    [...fovea.selfAttention(x, params, { heads: 2, causal: true }).output.data],
    1e-6,
  );
  const one = fovea.selfAttention(numbers([5, 4]), params, { trace: true }).trace;
  assert.deepEqual(
    [stage(one, 'query').shape, stage(one, 'weights').shape],
    [
      [5, 6],
      [5, 5],
    ],
  );
});

test('a narrowed trace of selfAttention', () => {
  const x = numbers([2, 5, 4], 1);
  const params = { Wq: numbers([4, 6], 2), Wk: numbers([4, 6], 3), Wv: numbers([4, 6], 4), Wo: numbers([6, 3], 6) };
  const whole = fovea.selfAttention(x, params, { heads: 2, trace: true }).trace;
  const { trace } = leavesNothing(() =>
    fovea.selfAttention(x, params, { heads: 2, trace: { batch: 1, head: 1, rows: [1, 3] } }),
  );
  same(stage(trace, 'input').data, x.data.slice(20));
  same(
    stage(trace, 'query').data,
    cut(stage(whole, 'query'), [
      [1, 2],
      [1, 2],
      [1, 3],
      [0, 3],
    ]),
  );
  same(
    stage(trace, 'value').data,
    cut(stage(whole, 'value'), [
      [1, 2],
      [1, 2],
      [0, 5],
      [0, 3],
    ]),
  );
  same(
    stage(trace, 'weights').data,
    cut(stage(whole, 'weights'), [
      [1, 2],
      [1, 2],
      [1, 3],
      [0, 5],
    ]),
  );
  same(
    stage(trace, 'heads').data,
    cut(stage(whole, 'heads'), [
      [1, 2],
      [1, 3],
      [0, 6],
    ]),
  );
  same(
    stage(trace, 'output').data,
    cut(stage(whole, 'output'), [
      [1, 2],
      [1, 3],
      [0, 3],
    ]),
  );
});

test('multiHeadAttention traces each input, and the appended keys', () => {
  const params = {
    Wq: numbers([4, 6], 2),
    Wk: numbers([4, 6], 3),
    Wv: numbers([4, 6], 4),
    biasK: numbers([6], 5),
    biasV: numbers([6], 6),
  };
  const { trace, weights } = fovea.multiHeadAttention(numbers([3, 4], 7), numbers([5, 4], 8), numbers([5, 4], 9), params, {
    heads: 2,
    causal: true,
    addZeroAttention: true,
    trace: true,
    returnWeights: true,
  });
  assert.deepEqual(names(trace), [
    'queryInput',
    'keyInput',
    'valueInput',
    'query',
    'key',
    'value',
    'scores',
    'scaled',
    'masked',
    'weights',
    'output',
  ]);
  assert.deepEqual(stage(trace, 'key').shape, [2, 7, 3]);
  same(stage(trace, 'weights').data, weights!.data);
});
