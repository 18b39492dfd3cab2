/** ModernBERT (Warner et al. 2024, arXiv:2412.13663): norms before the halves, RoPE, a gated feed-forward, windows in most layers. */
import { readRope } from '../../nn/layer_config.ts';
import type { Instance } from '../../runtime/instance.ts';
import type { ModelConfig } from '../config.ts';
import { gateFirst } from './bert.ts';
import { biasedMatrices, encoderLayer, headOf, taskOf } from './encoder_layer.ts';
import type { EncoderSpec, RenameTable } from './family.ts';

/** Names of Hugging Face's ModernBERT. */
export const MODERNBERT_NAMES: RenameTable = [
  ['model.', ''],
  ['embeddings.tok_embeddings.', 'embedding.'],
  ['embeddings.norm.', 'embedding_norm.'],
  [/attn_norm\./, 'norm1.'],
  [/attn\.Wqkv\.(\w+)$/, 'self_attn.in_proj_$1'],
  [/attn\.Wo\./, 'self_attn.out_proj.'],
  [/mlp_norm\./, 'norm2.'],
  [/mlp\.Wi\./, 'linear1.'],
  [/mlp\.Wo\./, 'linear2.'],
  ['final_norm.', 'norm.'],
  ['classifier.', 'head.out.'],
];

export function modernbert(config: ModelConfig, instance: Instance): EncoderSpec {
  const { architecture, task } = taskOf(config);
  const count = config.layers('num_hidden_layers', 22);
  const every = config.natural('global_attn_every_n_layers', 3);
  const half = Math.floor(config.natural('local_attention', 128) / 2);
  const types = config.listOf('layer_types', count, ['full_attention', 'sliding_attention']);
  const isGlobal = (n: number): boolean => (types ? types[n] === 'full_attention' : n % every === 0);
  const dModel = config.natural('hidden_size', 768);
  const heads = config.natural('num_attention_heads', 12);
  const mlpBias = config.flag('mlp_bias', false);
  const sizes = {
    ...{ dModel, heads, between: config.natural('intermediate_size', 1152) },
    ...{ activation: config.activation('hidden_activation', 'gelu'), eps: config.number('norm_eps', 1e-5) },
  };
  const ropes = config.part('rope_parameters');
  const thetaOf = (key: string, type: string, fallback: number): number =>
    config.number(key, ropes.part(type).number('rope_theta', fallback));
  const rope = (base: number): ReturnType<typeof readRope> => readRope(instance, config.fn, { base }, dModel / heads);
  const same = {
    ...({ gated: true, normPlace: 'before', normBias: config.flag('norm_bias', false) } as const),
    biased: biasedMatrices({ attention: config.flag('attention_bias', false), linear1: mlpBias, linear2: mlpBias }),
  };
  const global = encoderLayer(config, sizes, { ...same, rope: rope(thetaOf('global_rope_theta', 'full_attention', 160000)) });
  const local = encoderLayer(config, sizes, {
    ...same,
    rope: rope(thetaOf('local_rope_theta', 'sliding_attention', 10000)),
    attention: { causal: false, window: [half, half] },
  });
  config.only('quantization_config', []);
  const pooling = config.text('classifier_pooling', 'cls') === 'mean' ? 'mean' : 'first';
  const dense = {
    activation: config.activation('classifier_activation', 'gelu'),
    bias: config.flag('classifier_bias', false),
    norm: true,
  };
  const head = headOf(config, task, dense, pooling);
  return {
    ...{ kind: 'encoder', architecture, vocabSize: config.natural('vocab_size', 50368), types: 0 },
    layers: Array.from({ length: count }, (_, n) => ({ ...(isGlobal(n) ? global : local), attentionNorm: n > 0 })),
    ...{ positions: null, distanceBuckets: null, finalNorm: true },
    maxTokens: config.natural('max_position_embeddings', 8192),
    // Tags pass the dense layer, too.
    head: head && { ...head, dense },
    rename: MODERNBERT_NAMES,
    convert: gateFirst,
  };
}
