/** Nomic's BERT (Nussbaum et al. 2024, arXiv:2402.01613): norms behind the sums, RoPE, a gated feed-forward, few biases. */
import { readRope } from '../../nn/layer_config.ts';
import type { Instance } from '../../runtime/instance.ts';
import type { ModelConfig } from '../config.ts';
import { biasedMatrices, encoderLayer, headOf, taskOf } from './encoder_layer.ts';
import type { EncoderSpec, RenameTable } from './family.ts';

/** Names of Nomic's BERT. */
export const NOMIC_BERT_NAMES: RenameTable = [
  ['bert.', ''],
  ['embeddings.word_embeddings.', 'embedding.'],
  ['embeddings.token_type_embeddings.', 'types.'],
  ['emb_ln.', 'embedding_norm.'],
  ['encoder.layers.', 'layers.'],
  [/attn\.Wqkv\.(\w+)$/, 'self_attn.in_proj_$1'],
  [/attn\.out_proj\./, 'self_attn.out_proj.'],
  [/mlp\.fc11\.(\w+)$/, 'linear1.$1[0]'],
  [/mlp\.fc12\.(\w+)$/, 'linear1.$1[1]'],
  [/mlp\.fc2\./, 'linear2.'],
  ['pooler.dense.', 'head.dense.'],
  ['classifier.', 'head.out.'],
];

export function nomicBert(config: ModelConfig, instance: Instance): EncoderSpec {
  const { architecture, task } = taskOf(config);
  config.only('activation_function', ['swiglu']);
  config.only('prenorm', [false]);
  config.only('use_rms_norm', [false]);
  config.only('rotary_scaling_factor', [1]);
  config.only('quantization_config', []);
  const dModel = config.natural(['n_embd', 'hidden_size'], 768);
  const heads = config.natural(['n_head', 'num_attention_heads'], 12);
  const width = dModel / heads;
  const rotaryWidth = 2 * Math.floor((config.number('rotary_emb_fraction', 1) * width) / 2);
  const layer = encoderLayer(
    config,
    {
      ...{ dModel, heads, between: config.natural(['n_inner', 'intermediate_size'], 3072), activation: 'silu' },
      eps: config.number(['layer_norm_epsilon', 'layer_norm_eps'], 1e-12),
    },
    {
      gated: true,
      biased: biasedMatrices({
        ...{ attention: config.flag('qkv_proj_bias', false), linear1: config.flag('mlp_fc1_bias', false) },
        linear2: config.flag('mlp_fc2_bias', false),
      }),
      rope: readRope(
        instance,
        config.fn,
        {
          ...{ base: config.number('rotary_emb_base', 1000), rotaryWidth },
          interleaved: config.flag('rotary_emb_interleaved', false),
        },
        width,
      ),
    },
  );
  return {
    ...{ kind: 'encoder', architecture, vocabSize: config.natural('vocab_size', 30528) },
    types: config.value('type_vocab_size') === 0 ? 0 : config.natural('type_vocab_size', 2),
    layers: Array.from({ length: config.layers(['n_layer', 'num_hidden_layers'], 12) }, () => layer),
    ...{ positions: null, distanceBuckets: null, finalNorm: false },
    maxTokens: config.natural(['n_positions', 'max_position_embeddings'], 2048),
    head: headOf(config, task, { activation: 'tanh', bias: true, norm: false }),
    rename: NOMIC_BERT_NAMES,
  };
}
