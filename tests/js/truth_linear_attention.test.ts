/**
 * Every torch.linear_attention and torch.efficient_attention case of tests/golden through `linearAttention`, at FORMAT.md's bound:
 * the whole call, with Tensors, every other layout, and causal ones in steps of a LinearState.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { linearAttention, linearState, type LinearOptions } from 'fovea/linear-attention';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase } from './support/truth_files.ts';
import { pack, swapMiddle, type Plain } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const linear = truthCases('torch', 'torch.linear_attention');
const efficient = truthCases('torch', 'torch.efficient_attention');

testsAllCases('torch.linear_attention', linear);
testsAllCases('torch.efficient_attention', efficient);

function inputs(one: TruthCase): { q: Plain; k: Plain; v: Plain } {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => floats(need(one.inputs, name))) as [Plain, Plain, Plain];
  return { q, k, v };
}

function compare(one: TruthCase, name: string, got: Plain | undefined, title: string): void {
  const want = need(one.outputs, name);
  assert.ok(got !== undefined);
  assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), `${title}: ${name}`);
}

/** The other ways to put one call: the same bits each. */
function otherForms({ q, k, v }: ReturnType<typeof inputs>, options: LinearOptions, want: Plain): void {
  const [heads, width] = [q.shape[1]!, v.shape[3]!];
  const bthd = linearAttention(fovea, swapMiddle(q), swapMiddle(k), swapMiddle(v), { ...options, layout: 'bthd' }).output;
  assertSameBits(swapMiddle(bthd).data, want.data, "layout 'bthd'");
  const packed = linearAttention(fovea, pack(q), pack(k), pack(v), { ...options, heads }).output;
  const unpacked = swapMiddle({ data: packed.data, shape: [q.shape[0]!, q.shape[2]!, heads, width] });
  assertSameBits(unpacked.data, want.data, 'heads packed in the width');
  fovea.scope(() => {
    const tensors = linearAttention(fovea, fovea.tensor(q), fovea.tensor(k), v, options);
    assertSameBits(Float32Array.from(tensors.output.data), want.data, 'Tensors');
  });
}

for (const one of linear) {
  test(one.name, () => {
    const { q, k, v } = inputs(one);
    const {
      causal,
      eps,
      feature_map: map,
      ...unknown
    } = one.attributes as { causal: boolean; eps: number; feature_map: string };
    assert.deepEqual([map, unknown], ['elu(x)+1', {}], 'attributes that this test does not know');
    const lengths = one.inputs['key_lengths'];
    const options = { causal, eps, keyLengths: lengths && Array.from(lengths.data) };
    const { output, state } = linearAttention(fovea, q, k, v, { ...options, returnState: true });
    compare(one, 'out', output, 'whole');
    compare(one, 'state', state?.s, 'whole');
    compare(one, 'normaliser', state?.z, 'whole');
    assertSameBits(linearAttention(fovea, q, k, v, options).output.data, output.data, 'without returnState');
    otherForms({ q, k, v }, options, output);
    if (causal) for (const step of [1, 4, 100]) inSteps(one, { q, k, v }, eps, step);
  });
}

/** The results of a LinearState, `step` tokens at a time. */
function inSteps(one: TruthCase, { q, k, v }: ReturnType<typeof inputs>, eps: number, step: number): void {
  const [batch, heads, tokens, width] = q.shape as [number, number, number, number];
  const valueWidth = v.shape[3]!;
  const state = linearState(fovea, { batch, kvHeads: heads, width, valueWidth, eps });
  const output = new Float32Array(batch * heads * tokens * valueWidth);
  fovea.scope(() => {
    const [qs, ks, vs] = [fovea.tensor(q), fovea.tensor(k), fovea.tensor(v)] as const;
    for (let from = 0; from < tokens; from += step) {
      const to = Math.min(tokens, from + step);
      const rows = state.step(qs.slice(2, from, to), ks.slice(2, from, to), vs.slice(2, from, to)).toArray();
      for (let n = 0; n < batch * heads; n++) {
        const size = (to - from) * valueWidth;
        output.set(rows.data.subarray(n * size, (n + 1) * size), (n * tokens + from) * valueWidth);
      }
    }
  });
  assert.equal(state.length, tokens);
  compare(one, 'out', { data: output, shape: [batch, heads, tokens, valueWidth] }, `steps of ${step}`);
  const { s, z } = state.state();
  compare(one, 'state', s as Plain, `steps of ${step}`);
  compare(one, 'normaliser', z as Plain, `steps of ${step}`);
  state.dispose();
}

for (const one of efficient) {
  test(one.name, () => {
    assert.deepEqual(one.attributes, { normalisation: 'softmax' });
    const { q, k, v } = inputs(one);
    const options = { featureMap: 'softmax' as const };
    const { output, trace } = linearAttention(fovea, q, k, v, { ...options, trace: true });
    compare(one, 'out', output, 'whole');
    const context = trace?.find((stage) => stage.name === 'state');
    compare(one, 'context', context, 'trace');
    otherForms({ q, k, v }, options, output);
  });
}
