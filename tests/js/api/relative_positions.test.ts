/** `relativeKeys` and `relativeValues` against the definition, with other options, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ops from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { bias } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';
import { leavesNothingRemotely, remote } from '../support/remote.ts';
import type { DenseOptions } from '../support/dense_options.ts';

const [B, H, Hkv, Tq, Tk, D, Dv] = [2, 4, 2, 5, 7, 3, 2];
const q = numbers([B, H, Tq, D], 1);
const k = numbers([B, Hkv, Tk, D], 2);
const v = numbers([B, Hkv, Tk, Dv], 3);
const clip = 2;
const keyRows = numbers([H, 2 * clip + 1, D], 4);
const valueRows = numbers([2 * clip + 1, Dv], 5);
const offsets = [2, -3];
const shaw = { relativeKeys: { table: keyRows, clip }, relativeValues: { table: valueRows, clip } };
const bad = (options: object) => () => fovea.attention(q, k, v, options);

/** The definition in double, causal or not. */
function define(causal: boolean): { output: number[]; raw: number[] } {
  const output: number[] = [];
  const raw: number[] = [];
  for (let row = 0; row < B * H * Tq; row++) {
    const [i, h, b] = [row % Tq, Math.floor(row / Tq) % H, Math.floor(row / Tq / H)];
    const at = (j: number) => (b * Hkv + h / (H / Hkv) - ((h / (H / Hkv)) % 1)) * Tk + j;
    const distance = (j: number) => Math.max(-clip, Math.min(clip, j - i - offsets[b]!)) + clip;
    const scores = Array.from({ length: Tk }, (_, j) => {
      let sum = 0;
      for (let d = 0; d < D; d++)
        sum += q.data[row * D + d]! * (k.data[at(j) * D + d]! + keyRows.data[(h * 5 + distance(j)) * D + d]!);
      return sum / Math.sqrt(D);
    });
    raw.push(...scores);
    const weights = scores.map((score, j) => (causal && j > i + offsets[b]! ? 0 : Math.exp(score)));
    const total = weights.reduce((sum, w) => sum + w, 0) || 1;
    for (let d = 0; d < Dv; d++)
      output.push(
        weights.reduce((sum, w, j) => sum + (w / total) * (v.data[at(j) * Dv + d]! + valueRows.data[distance(j) * Dv + d]!), 0),
      );
  }
  return { output, raw };
}

test('scores, weights and output are those of the definition, without and with a pattern', () => {
  for (const causal of [false, true]) {
    const want = define(causal);
    for (const more of [{}, { pattern: pattern.all() }, { pattern: pattern.window(9, 9) }]) {
      const options = { ...shaw, causal, causalOffset: offsets, returnLogits: 'raw', ...more } as const;
      const { output, logits } = leavesNothing(() => fovea.attention(q, k, v, options));
      near(output, want.output, 2e-6);
      if (!('pattern' in more)) near(logits, want.raw, 2e-6);
    }
  }
});

test('the trace names them, and its part of one head has its bits', () => {
  const options = { ...shaw, causalOffset: offsets, softcap: 3, returnLogits: 'raw', returnWeights: true } as const;
  const { trace, logits, weights } = fovea.attention(q, k, v, { ...options, trace: true });
  const stage = (name: string) => trace!.find((one) => one.name === name)!;
  assert.deepEqual(
    trace!.map(({ name }) => name),
    ['query', 'key', 'value', 'scores', 'scaled', 'capped', 'weights', 'output'],
  );
  assert.equal(stage('scores').formula, 'S_{ij} = q_i \\cdot \\left(k_j + r^K_{\\operatorname{clip}(j - p_i, \\pm 2)}\\right)');
  assert.equal(
    stage('output').formula,
    'O_i = \\sum_j A_{ij} \\left(v_j + r^V_{\\operatorname{clip}(j - p_i, \\pm 2)}\\right)',
  );
  same(stage('scaled').data, logits!.data);
  const part = fovea.attention(q, k, v, { ...options, trace: { batch: 1, head: 3, rows: [2, 4] } }).trace!;
  const first = (1 * H + 3) * Tq + 2;
  same(part[4]!.data, logits!.data.slice(first * Tk, (first + 2) * Tk));
  same(part[6]!.data, weights!.data.slice(first * Tk, (first + 2) * Tk));
});

test('projected attention takes them for its heads, and names them in its trace', () => {
  const x = numbers([6, 8], 8);
  const weight = (seed: number) => numbers([8, 8], seed);
  const params = { Wq: weight(1), Wk: weight(2), Wv: weight(3), Wo: weight(4) };
  const tables = {
    relativeKeys: { table: numbers([5, 4], 9), clip: 2 },
    relativeValues: { table: numbers([2, 5, 4], 10), clip: 2 },
  };
  const { output, trace } = fovea.selfAttention(x, params, { heads: 2, ...tables, trace: true });
  const project = (w: ReturnType<typeof weight>) => ops.matmul(fovea, x, w);
  const heads = fovea.attention(project(params.Wq), project(params.Wk), project(params.Wv), { heads: 2, ...tables });
  near(output, [...ops.matmul(fovea, heads.output, params.Wo).data], 1e-6);
  assert.match(trace!.find(({ name }) => name === 'heads')!.formula, /A_1 \\left\(V_1 \+ r\^V_/);
  // A zero key and value do to the output what a sink of 0 does, but for relative keys and values of their own.
  const appended = fovea.multiHeadAttention(x, x, x, params, { heads: 2, ...tables, addZeroAttention: true });
  near(appended.output, [...fovea.selfAttention(x, params, { heads: 2, ...tables, sinks: 0 }).output.data], 1e-6);
});

test('a worker gives the bits of the plain call, in slices of batch entries, heads and rows', async () => {
  const [rows, keys] = [300, 200];
  const [a, b, c] = [numbers([2, 4, rows, 8], 1), numbers([2, 2, keys, 8], 2), numbers([2, 2, keys, 5], 3)];
  const options: DenseOptions = {
    causalOffset: [3, -4],
    relativeKeys: { table: numbers([4, 9, 8], 4), clip: 4 },
    relativeValues: { table: numbers([4, 9, 5], 5), clip: 4 },
    bias: [
      bias.distance([0.1, 0.2, 0.3, 0.4]),
      bias.relative(numbers([4, 7], 6), 3),
      bias.t5(numbers([16, 4], 7), { maxDistance: 50 }),
      bias.gaussian(numbers([2, 1, rows], 8), { data: [10, 20, 30, 40], shape: [4, 1] }),
      bias.direction('backward'),
    ],
    returnWeights: true,
    returnLse: true,
  };
  const want = fovea.attention(a, b, c, options);
  const got = await leavesNothingRemotely(() => remote.attention(a, b, c, options as never));
  same(got.output.data, want.output.data);
  same(got.weights!.data, want.weights!.data);
  same(got.lse!.data, want.lse!.data);
  const passes = { ...options, pattern: pattern.window(20, 20).or(pattern.atrous(8)), returnWeights: 'dense' };
  const sparse = fovea.attention(a, b, c, passes as never);
  same((await remote.attention(a, b, c, passes as never)).output.data, sparse.output.data);
});

test('what they must be is said', () => {
  fails('option', /relativeKeys must be \{ table, clip \}, got 3/, bad({ relativeKeys: 3 }));
  fails(
    'value',
    /relativeValues\.clip must be an integer of at least 0, got -1/,
    bad({ relativeValues: { table: valueRows, clip: -1 } }),
  );
  const wrong =
    /relativeKeys\.table must be \[2·clip \+ 1, Dk\] = \[5, 3\], or \[H, 2·clip \+ 1, Dk\] = \[4, 5, 3\], got \[5, 2\]/;
  fails('shape', wrong, bad({ relativeKeys: { table: valueRows, clip } }));
  fails(
    'shape',
    /relativeValues\.table must be \[2·clip \+ 1, Dv\] = \[7, 2\]/,
    bad({ relativeValues: { table: valueRows, clip: 3 } }),
  );
  fails('value', /relativeValues\.table must hold finite numbers/, bad({ relativeValues: { table: [[NaN, 1]], clip: 0 } }));
  fails('option', /did you mean 'relativeKeys'/, bad({ relativekey: {} }));
});
