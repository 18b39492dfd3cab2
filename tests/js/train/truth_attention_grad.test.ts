/** Every torch.attention_grad and torch.mha_grad case of tests/golden at FORMAT.md's bound. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AttentionOptions, Tensor } from 'fovea';
import { MultiHeadAttention } from 'fovea/nn';
import { valueAndGrad } from 'fovea/train';
import { gradientsOf, loadForTraining, weighted } from '../support/training.ts';
import { assertWithin, formatBound } from '../support/truth_bounds.ts';
import { testsAllCases } from '../support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase } from '../support/truth_files.ts';

const fovea = await loadForTraining();
after(() => fovea.dispose());
const ofAttention = truthCases('torch', 'torch.attention_grad');
const ofModules = truthCases('torch', 'torch.mha_grad');
testsAllCases('torch.attention_grad', ofAttention);
testsAllCases('torch.mha_grad', ofModules);

function check(one: TruthCase, name: string, got: { data: Float32Array; shape: readonly number[] }): void {
  const want = need(one.outputs, name);
  const lse = one.outputs['lse'];
  const isEmpty = (n: number): boolean => name === 'dq' && lse!.data[Math.floor(n / want.shape.at(-1)!)] === -Infinity;
  assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), name, isEmpty);
}

for (const one of ofAttention) {
  test(one.name, () => {
    const { q, k, v, dout, attn_mask: mask, key_lengths: lengths } = one.inputs;
    const { scale, scale_is_default, causal, window, softcap, align } = one.attributes as {
      scale: number;
      scale_is_default: boolean;
      causal: string | null;
      window: [number, number] | null;
      softcap: number | null;
      align?: string;
    };
    const isLowerRight = causal === 'lower_right' || align === 'lower_right';
    const options: AttentionOptions = {
      scale: scale_is_default ? undefined : scale,
      causal: causal !== null,
      causalAlign: isLowerRight ? 'bottom-right' : undefined,
      window: window ?? undefined,
      softcap: softcap ?? undefined,
      keyLengths: lengths && Array.from(lengths.data),
    };
    const isFloat = mask !== undefined && mask.dtype !== 'bool';
    const boolean = mask && !isFloat ? { data: Uint8Array.from(mask.data), shape: [...mask.shape] } : undefined;
    const arrays = { q: q!, k: k!, v: v!, ...(isFloat ? { attn_mask: mask } : {}) };
    const got = gradientsOf(fovea, arrays, dout!, ({ q, k, v, attn_mask }) => {
      const { output } = fovea.attention(q!, k!, v!, { ...options, mask: attn_mask ?? boolean });
      return output as Tensor;
    });
    for (const [name, gradient] of Object.entries(got)) check(one, `d${name}`, gradient);
  });
}

for (const one of ofModules) {
  test(one.name, () => {
    const {
      embed_dim: embedDim,
      num_heads: numHeads,
      kdim,
      vdim,
      self_attention: isSelf,
    } = one.attributes as {
      embed_dim: number;
      num_heads: number;
      kdim: number;
      vdim: number;
      self_attention: boolean;
    };
    fovea.scope(() => {
      const layer = new MultiHeadAttention(fovea, { embedDim, numHeads, kdim, vdim });
      const weights = Object.keys(one.inputs).filter((name) => /weight|bias/.test(name));
      layer.loadStateDict(Object.fromEntries(weights.map((name) => [name, floats(need(one.inputs, name))])));
      const dout = Float32Array.from(need(one.inputs, 'dout').data);
      const inputs = ['query', ...(isSelf ? [] : ['key', 'value'])];
      const tensors = Object.fromEntries(inputs.map((name) => [name, fovea.tensor(floats(need(one.inputs, name)))]));
      const padding = one.inputs['key_padding_mask'];
      const mask = one.inputs['attn_mask'];
      const bytes = ({ data, shape }: { data: Float64Array; shape: readonly number[] }) => ({
        data: Uint8Array.from(data),
        shape: [...shape],
      });
      const loss = () => {
        const { query, key = query, value = query } = tensors;
        const { output } = layer.forward(query!, key!, value!, {
          keyPaddingMask: padding && bytes(padding),
          attnMask: mask && bytes(mask),
        });
        return weighted(fovea, output, dout);
      };
      const ofInputs = valueAndGrad(fovea, tensors, loss).gradients;
      for (const [name, gradient] of Object.entries(ofInputs)) check(one, `d:${name}`, gradient.toArray());
      const ofWeights = valueAndGrad(fovea, layer, loss).gradients;
      assert.deepEqual([...ofWeights.keys()].sort(), weights.sort());
      for (const [name, gradient] of ofWeights) check(one, `d:${name}`, gradient.toArray());
    });
  });
}
