import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bias } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import type { DenseOptions } from '../support/dense_options.ts';

const [B, H, Tq, Tk] = [2, 3, 5, 7];
const q = numbers([B, H, Tq, 4], 1);
const k = numbers([B, H, Tk, 4], 2);
const v = numbers([B, H, Tk, 4], 3);
const run = (options?: DenseOptions) => leavesNothing(() => fovea.attention(q, k, v, options));
const bad = (options: object) => () => fovea.attention(q, k, v, options);

/** A boolean mask [B, H, Tq, Tk] out of a rule. */
function maskOf(rule: (i: number, j: number, b: number, h: number) => boolean): { data: Uint8Array; shape: number[] } {
  const data = new Uint8Array(B * H * Tq * Tk);
  for (let at = 0; at < data.length; at++) {
    const [j, i, h, b] = [at % Tk, Math.floor(at / Tk) % Tq, Math.floor(at / Tk / Tq) % H, Math.floor(at / Tk / Tq / H)];
    data[at] = Number(rule(i, j, b, h));
  }
  return { data, shape: [B, H, Tq, Tk] };
}

/** That options give the weights of a mask: the same pairs, whatever the path. */
function likeMask(options: DenseOptions, rule: Parameters<typeof maskOf>[0]): void {
  const got = run({ ...options, returnWeights: true });
  const want = run({ mask: maskOf(rule), returnWeights: true });
  near(got.weights, [...want.weights!.data], 1e-6);
  got.weights!.data.forEach((weight, at) => assert.equal(weight === 0, want.weights!.data[at] === 0));
}

test('an option whose value is undefined counts as absent', () => {
  const names = [
    'scale',
    'causal',
    'causalAlign',
    'causalOffset',
    'window',
    'mask',
    'keyLengths',
    'softcap',
    'bias',
    'relativeKeys',
    'relativeValues',
    'sinks',
    'normalizer',
    'temperature',
    'pattern',
    'returnWeights',
    'returnLse',
    'returnLogits',
    'trace',
    'out',
    'layout',
    'heads',
    'kvHeads',
  ];
  const result = run(Object.fromEntries(names.map((name) => [name, undefined])));
  assert.deepEqual(Object.keys(result), ['output']);
  same(result.output.data, run().output.data);
  same(fovea.attention(q, k, v, undefined).output.data, result.output.data);
});

test('an unknown option is an error with a suggestion, unless its value is undefined', () => {
  fails('option', /^attention: unknown option 'casual'; did you mean 'causal'\?$/, bad({ casual: true }));
  fails('option', /unknown option 'returnweights'; did you mean 'returnWeights'\?/, bad({ returnweights: true }));
  fails('option', /did you mean 'softcap'/, bad({ softCap: 1 }));
  fails('option', /did you mean 'keyLengths'/, bad({ keyLenghts: [1, 1] }));
  assert.deepEqual(Object.keys(run({ pattern: undefined } as object)), ['output']);
  fails('option', /unknown option 'zzz'; known are scale, causal/, bad({ zzz: 0.1 }));
  fails('option', /^attention: options must be an object, got 4/, () => fovea.attention(q, k, v, 4 as never));
  fails('option', /options must be an object, got null/, () => fovea.attention(q, k, v, null as never));
});

test('scaledDotProductAttention is the same function', () => {
  same(fovea.scaledDotProductAttention(q, k, v, { causal: true }).output.data, run({ causal: true }).output.data);
});

test('scale defaults to 1/√D and may be 0 or negative', () => {
  same(run({ scale: 0.5 }).output.data, run().output.data);
  near(fovea.attention([[1]], [[1], [5]], [[2], [4]], { scale: 0 }).output, [[3]]);
  assert.ok(fovea.attention([[1]], [[1], [5]], [[2], [4]], { scale: -1 }).output.data[0]! < 3);
  for (const scale of [NaN, Infinity, '1', 1e39]) fails('value', /scale must be a finite number/, bad({ scale }));
});

test('causal: key j is allowed if j <= i + offset', () => {
  likeMask({ causal: true }, (i, j) => j <= i);
  likeMask({ causal: true, causalAlign: 'top-left' }, (i, j) => j <= i);
  likeMask({ causal: true, causalAlign: 'bottom-right' }, (i, j) => j <= i + Tk - Tq);
  likeMask({ causal: true, causalOffset: -2 }, (i, j) => j <= i - 2);
  likeMask({ causal: true, causalOffset: [1, -1] }, (i, j, b) => j <= i + [1, -1][b]!);
  likeMask({ causal: true, causalOffset: Int32Array.of(3, 0) }, (i, j, b) => j <= i + [3, 0][b]!);
});

test("causalAlign 'bottom-right' counts from keyLengths where given", () => {
  const lengths = [6, 3];
  likeMask(
    { causal: true, causalAlign: 'bottom-right', keyLengths: lengths },
    (i, j, b) => j < lengths[b]! && j <= i + lengths[b]! - Tq,
  );
});

test('causalAlign is allowed without causal and moves the window', () => {
  likeMask({ causalAlign: 'bottom-right', window: [1, 0] }, (i, j) => j >= i + Tk - Tq - 1 && j <= i + Tk - Tq);
});

test('causalAlign and causalOffset together are an option error', () => {
  fails(
    'option',
    /pass one of them, got causalAlign 'top-left', causalOffset 0/,
    bad({ causalAlign: 'top-left', causalOffset: 0 }),
  );
  fails('option', /causalAlign must be 'top-left' or 'bottom-right'/, bad({ causalAlign: 'bottom' }));
});

test('causalOffset is an integer, or one per batch entry', () => {
  fails('value', /causalOffset must be an integer/, bad({ causalOffset: 0.5 }));
  fails('value', /causalOffset\[1\] must be an integer/, bad({ causalOffset: [0, NaN] }));
  fails('shape', /causalOffset must have one number per batch entry, 2, got 3/, bad({ causalOffset: [0, 0, 0] }));
  fails('value', /causalOffset must be an array/, bad({ causalOffset: '1' }));
  fails('value', /causal must be true or false/, bad({ causal: 1 }));
});

test('window: inclusive on both sides, -1 is unbounded', () => {
  likeMask({ window: [2, 1] }, (i, j) => j >= i - 2 && j <= i + 1);
  likeMask({ window: [-1, 0] }, (i, j) => j <= i);
  likeMask({ window: [0, -1] }, (i, j) => j >= i);
  likeMask({ window: [2 ** 40, 1], causalOffset: 1 }, (i, j) => j <= i + 2);
  for (const window of [
    [-2, 0],
    [0.5, 0],
    [0, Infinity],
    ['0', 0],
  ])
    fails('value', /window (left|right) must be an integer of at least -1/, bad({ window }));
  for (const window of [3, [1], [1, 2, 3]]) fails('value', /window must be \[left, right\]/, bad({ window }));
});

test('keyLengths: integers 0…Tk, one per batch entry', () => {
  likeMask({ keyLengths: [3, 7] }, (_i, j, b) => j < [3, 7][b]!);
  likeMask({ keyLengths: Int32Array.of(0, 1) }, (_i, j, b) => j < [0, 1][b]!);
  fails('value', /keyLengths\[0\] must be an integer from 0 to 7, got 8/, bad({ keyLengths: [8, 0] }));
  fails('value', /keyLengths\[1\] must be an integer from 0 to 7, got -1/, bad({ keyLengths: [0, -1] }));
  fails('value', /keyLengths\[0\].*got 1.5/, bad({ keyLengths: [1.5, 1] }));
  fails('shape', /keyLengths must have one number per batch entry, 2, got 1/, bad({ keyLengths: [1] }));
  fails('value', /keyLengths must be an array/, bad({ keyLengths: 3 }));
});

test('all rules compose in one call', () => {
  const bool = maskOf((i, j, b, h) => (i + j + h + b) % 3 !== 0);
  likeMask(
    { causal: true, causalOffset: 1, window: [3, -1], keyLengths: [5, 7], mask: bool },
    (i, j, b, h) => j <= i + 1 && j >= i - 2 && j < [5, 7][b]! && (i + j + h + b) % 3 !== 0,
  );
});

test('softcap: 0 is none, negative an error', () => {
  same(run({ softcap: 0 }).output.data, run().output.data);
  const { logits } = run({ softcap: 0.25, returnLogits: 'capped' });
  const raw = run({ returnLogits: 'raw' }).logits!.data;
  near(
    logits,
    Array.from(raw, (x) => 0.25 * Math.tanh(x / 0.25)),
    1e-6,
  );
  fails('value', /softcap must not be negative \(0 = none\), got -1/, bad({ softcap: -1 }));
  fails('value', /softcap must be a finite number/, bad({ softcap: NaN }));
});

test('ALiBi adds -slope[h]·|p - j|', () => {
  const slopes = [0.5, 0.25, 0];
  const raw = run({ returnLogits: 'raw' }).logits!.data;
  const expected = Array.from(
    raw,
    (x, at) => x - slopes[Math.floor(at / Tk / Tq) % H]! * Math.abs((Math.floor(at / Tk) % Tq) + 2 - (at % Tk)),
  );
  near(run({ bias: bias.alibi(slopes), causalOffset: 2, returnLogits: 'biased' }).logits, expected, 1e-6);
  near(run({ bias: [bias.alibi(Float32Array.from(slopes))], causalOffset: 2, returnLogits: 'biased' }).logits, expected, 1e-6);
});

test("ALiBi's default slopes are the paper's, for any number of heads", () => {
  const slopes = (heads: number): number[] => {
    const zeros = { data: new Float32Array(heads), shape: [heads, 1, 1] };
    const { logits } = fovea.attention(zeros, zeros, zeros, {
      bias: bias.alibi(),
      causalOffset: 1,
      returnLogits: 'biased',
    });
    return Array.from(logits!.data, (x) => -x);
  };
  assert.deepEqual(
    slopes(8),
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => 2 ** -n),
  );
  assert.deepEqual(slopes(1), [2 ** -8]);
  assert.deepEqual(
    slopes(16),
    Array.from({ length: 16 }, (_, n) => Math.fround(2 ** (-(n + 1) / 2))),
  );
  assert.deepEqual(slopes(12), [
    ...slopes(8),
    ...slopes(16)
      .filter((_, n) => n % 2 === 0)
      .slice(0, 4),
  ]);
});

test('bias: wrong objects are errors', () => {
  fails('option', /bias\.alibi must be 'default' or slopes/, bad({ bias: bias.alibi('paper' as never) }));
  fails('shape', /bias\.alibi must have one number per query head, 3, got 2/, bad({ bias: bias.alibi([1, 2]) }));
  fails('value', /bias\.alibi\[2\] must be a finite number/, bad({ bias: bias.alibi([1, 2, NaN]) }));
});

test('sinks: neither scaled nor capped, in the denominator only, never in lse', () => {
  const one = fovea.attention([[1]], [[0]], [[3]], { sinks: 0, returnWeights: true, returnLse: true, scale: 5, softcap: 2 });
  near(one.weights, [[0.5]]);
  near(one.output, [[1.5]]);
  near(one.lse, [0]);
  near(fovea.attention([[1]], [[0]], [[3]], { sinks: [0], keyLengths: [0] }).output, [[0]]);
  same(run({ sinks: 0.5 }).output.data, run({ sinks: [0.5, 0.5, 0.5] }).output.data);
  fails('shape', /sinks's data must fill its shape, got 2 numbers for \[3\]/, bad({ sinks: [1, 2] }));
  fails('value', /sinks must be a finite number/, bad({ sinks: Infinity }));
  fails('value', /sinks must hold finite numbers \(in float32\), got NaN at index 0/, bad({ sinks: [NaN, 0, 0] }));
});

test('returnLogits: raw and capped hold the true value at forbidden pairs, biased reads -Infinity there', () => {
  const raw = run({ returnLogits: 'raw', causal: true, softcap: 2 }).logits!.data;
  same(raw, run({ returnLogits: 'raw' }).logits!.data);
  const biased = run({ returnLogits: 'biased', causal: true }).logits!.data;
  biased.forEach((x, at) => assert.equal(x, at % Tk <= Math.floor(at / Tk) % Tq ? raw[at] : -Infinity));
  fails(
    'option',
    /returnLogits must be 'raw' or 'capped' or 'biased', got 'rawn'; did you mean 'raw'\?/,
    bad({ returnLogits: 'rawn' }),
  );
  fails('option', /returnLogits must be/, bad({ returnLogits: true }));
});

test('returnWeights and returnLse: absent unless asked for', () => {
  assert.deepEqual(Object.keys(run({ returnWeights: false, returnLse: false })), ['output']);
  assert.deepEqual(Object.keys(run({ returnWeights: 'dense', returnLse: true })), ['output', 'weights', 'lse']);
  fails('option', /returnWeights must be true, false, 'dense' or 'sparse', got 'all'/, bad({ returnWeights: 'all' }));
  fails('value', /returnLse must be true or false/, bad({ returnLse: 1 }));
});

test('weights, lse, logits and trace change no bit of the output', () => {
  const options: DenseOptions = { causal: true, softcap: 3, bias: bias.alibi(), sinks: 1 };
  const bare = run(options).output.data;
  same(run({ ...options, returnWeights: true }).output.data, bare);
  same(run({ ...options, returnLse: true }).output.data, bare);
  same(run({ ...options, returnLogits: 'biased' }).output.data, bare);
  same(run({ ...options, trace: true }).output.data, bare);
});
