/** Every torch.sdpa case of tests/golden through `attention`, in every form, at FORMAT.md's bound. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bias } from 'fovea/score';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase } from './support/truth_files.ts';
import { otherForms, plainForm, type Answer, type Mask, type Problem } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const cases = truthCases('torch', 'torch.sdpa');

testsAllCases('torch.sdpa', cases);

for (const one of cases) {
  test(one.name, () => {
    const problem = problemOf(one);
    const first = bothWays(problem, plainForm.run, plainForm.title);
    compare(one, first);
    for (const form of otherForms) {
      const same = bothWays(problem, form.run, form.title);
      assertSameBits(same.output, first.output, `${form.title}: output`);
      assertSameBits(same.weights as Float32Array, first.weights as Float32Array, `${form.title}: weights`);
      assertSameBits(same.lse as Float32Array, first.lse as Float32Array, `${form.title}: lse`);
    }
  });
}

/** The answer with weights and lse; without them the output must have the same bits. */
function bothWays(problem: Problem, run: typeof plainForm.run, title: string): Answer {
  const bare = run(fovea, problem);
  const full = run(fovea, { ...problem, options: { ...problem.options, returnWeights: true, returnLse: true } });
  const lseOnly = run(fovea, { ...problem, options: { ...problem.options, returnLse: true } });
  assert.equal(bare.weights, undefined, `${title}: weights come only when asked for`);
  assert.equal(bare.lse, undefined, `${title}: lse comes only when asked for`);
  assertSameBits(bare.output, full.output, `${title}: output without returnWeights`);
  assertSameBits(lseOnly.output, full.output, `${title}: output with returnLse alone`);
  assertSameBits(lseOnly.lse as Float32Array, full.lse as Float32Array, `${title}: lse without returnWeights`);
  return full;
}

function compare(one: TruthCase, got: Answer): void {
  const lse = need(one.outputs, 'lse');
  const want = need(one.outputs, 'out');
  const width = want.shape[3] as number;
  const inEmptyRow = (rowLength: number) => (n: number) => lse.data[Math.floor(n / rowLength)] === -Infinity;
  const check = (name: 'out' | 'lse' | 'weights', data: Float32Array, exact?: (n: number) => boolean) => {
    const tensor = need(one.outputs, name);
    assertWithin({ data, shape: tensor.shape }, tensor, formatBound(tensor, one.baseline_f32?.[name]), name, exact);
  };
  check('out', got.output, inEmptyRow(width));
  check('lse', got.lse as Float32Array);
  // A weight that is 0 in double is one of a forbidden pair or far below float32's range.
  const weights = one.outputs['weights'];
  if (weights !== undefined) check('weights', got.weights as Float32Array, (n) => weights.data[n] === 0);
  else checkRowSums(one, got);
}

/** Cases too large to store their weights: rows sum to 1 all the same. */
function checkRowSums(one: TruthCase, got: Answer): void {
  const keys = need(one.inputs, 'k').shape[2] as number;
  const weights = got.weights as Float32Array;
  for (let from = 0; from < weights.length; from += keys) {
    const sum = weights.subarray(from, from + keys).reduce((total, w) => total + w, 0);
    assert.ok(Math.abs(sum - 1) <= 2 ** -20, `weights of row ${from / keys} sum to ${sum}`);
  }
}

function problemOf(one: TruthCase): Problem {
  const { scale, scale_is_default, causal, window, softcap, align } = one.attributes as {
    scale: number;
    scale_is_default: boolean;
    causal: string | null;
    window: [number, number] | null;
    softcap: number | null;
    align?: string;
  };
  const known = ['scale', 'scale_is_default', 'causal', 'window', 'softcap', 'alibi', 'align', 'mask'];
  assert.deepEqual(
    Object.keys(one.attributes).filter((name) => !known.includes(name)),
    [],
    'attributes that this test does not know',
  );
  const q = floats(need(one.inputs, 'q'));
  const k = floats(need(one.inputs, 'k'));
  const lengths = one.inputs['key_lengths'];
  const slopes = one.inputs['alibi_slopes'];
  const lowerRight = causal === 'lower_right' || align === 'lower_right';
  const unpadded = (k.shape[2] as number) - (q.shape[2] as number);
  return {
    q,
    k,
    v: floats(need(one.inputs, 'v')),
    mask: maskOf(one),
    options: {
      scale: scale_is_default ? undefined : scale,
      causal: causal !== null,
      // The file aligns to Nk; causalAlign to the batch entry's own length, where it has one.
      ...(lowerRight && (lengths === undefined ? { causalAlign: 'bottom-right' as const } : { causalOffset: unpadded })),
      window: window ?? undefined,
      softcap: softcap ?? undefined,
      keyLengths: lengths && Array.from(lengths.data),
      bias: slopes && bias.alibi(Array.from(slopes.data)),
    },
  };
}

function maskOf(one: TruthCase): Mask | undefined {
  const mask = one.inputs['attn_mask'];
  if (mask === undefined) return undefined;
  const shape = [...mask.shape];
  return mask.dtype === 'bool' ? { data: Uint8Array.from(mask.data), shape } : { data: Float32Array.from(mask.data), shape };
}
