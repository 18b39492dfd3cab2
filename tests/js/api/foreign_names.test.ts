/** Words of PyTorch, Hugging Face, ONNX and FlashAttention are answered with those of fovea. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kvCache } from 'fovea/cache';
import { MultiHeadAttention, TransformerEncoderLayer } from 'fovea/nn';
import { softmax } from 'fovea/ops';
import { fails, fovea, numbers } from '../support/api.ts';

const q = numbers([2, 3, 5, 4], 1);
const [B, T] = [2, 5];
const attention = (name: string) => () => fovea.attention(q, q, q, { [name]: true } as object);

test('options of attention', () => {
  const answers: [names: string, answer: RegExp][] = [
    [
      'attn_mask attention_mask attnMask attn_bias',
      /; use mask, true = attend, and reshape padding \[B, T\] to \[B, 1, 1, T\] or use keyLengths$/,
    ],
    ['key_padding_mask keyPaddingMask', /; use mask, which is its inverse: true = attend, .* or use keyLengths$/],
    ['is_causal isCausal', /; use causal$/],
    ['need_weights needWeights output_attentions', /; use returnWeights$/],
    ['softmax_scale scale_factor', /; use scale$/],
    ['num_heads num_attention_heads q_num_heads', /; use heads$/],
    ['num_kv_heads kv_num_heads num_key_value_heads', /; use kvHeads$/],
    ['enable_gqa', /; leave it out, k and v may have fewer heads$/],
    ['dropout_p dropout', /; leave it out, there is no dropout$/],
    ['past_key_values past_key past_value', /; use kvCache of fovea\/cache$/],
    ['in_proj_weight', /; use MultiHeadAttention of fovea\/nn$/],
    ['key_lengths', /; did you mean 'keyLengths'\?$/],
    ['return_weights', /; did you mean 'returnWeights'\?$/],
  ];
  for (const [names, answer] of answers)
    for (const name of names.split(' '))
      fails('option', new RegExp(`^attention: unknown option '${name}'${answer.source}`), attention(name));
});

test('an option is named only where the function has it', () => {
  fails('option', /^softmax: unknown option 'attn_mask'; known are axis$/, () =>
    softmax(fovea, q, { attn_mask: true } as object),
  );
  fails('option', /^kvCache: unknown option 'num_heads'; /, () =>
    kvCache(fovea, { batch: 1, num_heads: 2, width: 4, capacity: 4 } as never),
  );
});

test("parameters of PyTorch's module belong to fovea/nn", () => {
  fails('option', /^multiHeadAttention: unknown parameter 'in_proj_weight'; use MultiHeadAttention of fovea\/nn$/, () =>
    fovea.multiHeadAttention([[1]], [[1]], [[1]], { in_proj_weight: [[1]] } as never, { heads: 1 }),
  );
});

test('modules answer snake_case with their own names, and list those that they know', () => {
  const make = (options: object) => () => new MultiHeadAttention(fovea, options as never);
  fails('option', /^MultiHeadAttention: unknown option 'embed_dim'; did you mean 'embedDim'\?$/, make({ embed_dim: 4 }));
  fails('option', /unknown option 'num_heads'; did you mean 'numHeads'\?/, make({ embedDim: 4, num_heads: 2 }));
  fails('option', /unknown option 'dropout'; leave it out, there is no dropout$/, make({ embedDim: 4, dropout: 0.1 }));
  fails('option', /unknown option 'num_kv_heads'; use kvHeads$/, make({ embedDim: 4, num_kv_heads: 1 }));
  const x = numbers([2, 4]);
  const module = new MultiHeadAttention(fovea, { embedDim: 4, numHeads: 2, seed: 1 });
  const forward = (options: object) => () => module.forward(x, options);
  fails(
    'option',
    /^MultiHeadAttention\.forward: unknown option 'attn_mask'; did you mean 'attnMask'\?$/,
    forward({ attn_mask: 1 }),
  );
  fails('option', /unknown option 'key_padding_mask'; did you mean 'keyPaddingMask'\?/, forward({ key_padding_mask: 1 }));
  fails('option', /unknown option 'need_weights'; use returnWeights$/, forward({ need_weights: true }));
  fails(
    'option',
    /unknown option 'average_attn_weights'; did you mean 'averageAttnWeights'\?/,
    forward({ average_attn_weights: 1 }),
  );
  fails('option', /unknown option 'is_causal'; use causal$/, forward({ is_causal: true }));
  fails(
    'option',
    /unknown option 'zzz'; known are attnMask, keyPaddingMask, causal, .*, averageAttnWeights/,
    forward({ zzz: 1 }),
  );
  module.dispose();
  const layer = new TransformerEncoderLayer(fovea, { dModel: 4, nHead: 2, dimFeedforward: 4, seed: 1 });
  fails(
    'option',
    /^TransformerEncoderLayer: unknown option 'd_model'; did you mean 'dModel'\?/,
    () => new TransformerEncoderLayer(fovea, { d_model: 4 } as never),
  );
  fails('option', /^TransformerEncoderLayer\.forward: unknown option 'zzz'; known are attnMask, keyPaddingMask, /, () =>
    layer.forward(x, { zzz: 1 } as object),
  );
  layer.dispose();
});

test('a mask [B, T] that cannot broadcast is told how to be reshaped', () => {
  const mask = { data: new Uint8Array(B * T).fill(1), shape: [B, T] };
  fails(
    'shape',
    /^attention: mask must broadcast to \[B, H, Tq, Tk\] = \[2, 3, 5, 5\], got \[2, 5\]; reshape a mask \[B, Tk\] of padding to \[2, 1, 1, 5\], or pass keyLengths$/,
    () => fovea.attention(q, q, q, { mask }),
  );
  assert.ok(fovea.attention(q, q, q, { mask: { ...mask, shape: [B, 1, 1, T] } }));
});
