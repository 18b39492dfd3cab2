/** DistilBERT (Sanh et al. 2019, arXiv:1910.01108). */
import type { ModelConfig } from '../config.ts';
import { encoderLayer, headOf, taskOf } from './encoder_layer.ts';
import type { EncoderSpec, RenameTable } from './family.ts';

/** Names of Hugging Face's DistilBERT. */
export const DISTILBERT_NAMES: RenameTable = [
  ['distilbert.', ''],
  ['embeddings.word_embeddings.', 'embedding.'],
  ['embeddings.position_embeddings.', 'positions.'],
  ['embeddings.LayerNorm.', 'embedding_norm.'],
  ['transformer.layer.', 'layers.'],
  [/attention\.q_lin\.(\w+)$/, 'self_attn.in_proj_$1[0]'],
  [/attention\.k_lin\.(\w+)$/, 'self_attn.in_proj_$1[1]'],
  [/attention\.v_lin\.(\w+)$/, 'self_attn.in_proj_$1[2]'],
  [/attention\.out_lin\./, 'self_attn.out_proj.'],
  [/sa_layer_norm\./, 'norm1.'],
  [/ffn\.lin1\./, 'linear1.'],
  [/ffn\.lin2\./, 'linear2.'],
  [/output_layer_norm\./, 'norm2.'],
  ['pre_classifier.', 'head.dense.'],
  ['classifier.', 'head.out.'],
];

export function distilbert(config: ModelConfig): EncoderSpec {
  const { architecture, task } = taskOf(config);
  const rows = config.natural('max_position_embeddings', 512);
  const layer = encoderLayer(config, {
    dModel: config.natural('dim', 768),
    heads: config.natural('n_heads', 12),
    between: config.natural('hidden_dim', 3072),
    activation: config.activation('activation', 'gelu'),
    eps: 1e-12,
  });
  config.only('quantization_config', []);
  return {
    ...{ kind: 'encoder', architecture, vocabSize: config.natural('vocab_size', 30522), types: 0 },
    layers: Array.from({ length: config.layers('n_layers', 6) }, () => layer),
    ...{ positions: { rows, first: 0 }, distanceBuckets: null, finalNorm: false, maxTokens: rows },
    head: headOf(config, task, { activation: 'relu', bias: true, norm: false }),
    rename: DISTILBERT_NAMES,
  };
}
