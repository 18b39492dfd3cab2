/** GPT-2 (Radford et al. 2019). */
import type { ModelConfig } from '../config.ts';
import type { DecoderSpec, RenameTable } from './family.ts';

/** Names of Hugging Face's GPT-2, whose matrices are [in, out]. */
export const GPT2_NAMES: RenameTable = [
  ['transformer.', ''],
  ['wte.', 'embedding.'],
  ['wpe.', 'positions.'],
  ['lm_head.', 'head.'],
  ['ln_f.', 'norm.'],
  ['h.', 'layers.'],
  [/\.ln_([12])\./, '.norm$1.'],
  [/\.attn\.c_attn\.(\w+)$/, '.self_attn.in_proj_$1'],
  [/\.attn\.c_proj\./, '.self_attn.out_proj.'],
  [/\.mlp\.c_fc\./, '.linear1.'],
  [/\.mlp\.c_proj\./, '.linear2.'],
];

export function gpt2(config: ModelConfig): DecoderSpec {
  config.only('scale_attn_by_inverse_layer_idx', [false]);
  config.only('scale_attn_weights', [true]);
  config.only('add_cross_attention', [false]);
  config.only('quantization_config', []);
  const architecture = config.architecture() ?? 'GPT2LMHeadModel';
  if (architecture !== 'GPT2LMHeadModel' && architecture !== 'GPT2Model')
    config.wrong('architectures', 'GPT2LMHeadModel', architecture);
  const dModel = config.natural('n_embd', 768);
  const maxTokens = config.natural('n_positions', 1024);
  return {
    ...{ kind: 'decoder', architecture, maxTokens, rename: GPT2_NAMES },
    options: {
      ...{ dModel, nHead: config.natural('n_head', 12), numLayers: config.layers('n_layer', 12) },
      ...{ vocabSize: config.natural('vocab_size', 50257), maxPositions: maxTokens, weightLayout: 'inOut' },
      dimFeedforward: config.natural('n_inner', 4 * dModel),
      normEps: config.number('layer_norm_epsilon', 1e-5),
      activation: config.activation('activation_function', 'gelu_new'),
      tieWeights: config.flag('tie_word_embeddings', true),
    },
  };
}
