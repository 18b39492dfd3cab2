/** BERT (Devlin et al. 2019, arXiv:1810.04805), RoBERTa, XLM-RoBERTa and CamemBERT, MPNet, and Jina's BERT with ALiBi. */
import { bias } from '../../score/bias.ts';
import type { LayerConfig } from '../../nn/layer_config.ts';
import type { ModelConfig } from '../config.ts';
import { biasedMatrices, encoderLayer, headOf, taskOf } from './encoder_layer.ts';
import type { Convert, EncoderSpec, RenameTable } from './family.ts';

/** Names of Hugging Face's BERT and RoBERTa. */
export const BERT_NAMES: RenameTable = [
  [/^(bert|roberta|mpnet)\./, ''],
  [/\.gamma$/, '.weight'],
  [/\.beta$/, '.bias'],
  ['embeddings.word_embeddings.', 'embedding.'],
  ['embeddings.position_embeddings.', 'positions.'],
  ['embeddings.token_type_embeddings.', 'types.'],
  [/^embeddings\.(LayerNorm|layer_norm)\./, 'embedding_norm.'],
  ['encoder.layer.', 'layers.'],
  [/attention\.self\.query\.(\w+)$/, 'self_attn.in_proj_$1[0]'],
  [/attention\.self\.key\.(\w+)$/, 'self_attn.in_proj_$1[1]'],
  [/attention\.self\.value\.(\w+)$/, 'self_attn.in_proj_$1[2]'],
  [/attention\.output\.dense\./, 'self_attn.out_proj.'],
  [/attention\.output\.LayerNorm\./, 'norm1.'],
  [/intermediate\.dense\./, 'linear1.'],
  [/output\.dense\./, 'linear2.'],
  [/output\.LayerNorm\./, 'norm2.'],
  ['pooler.dense.', 'head.dense.'],
  ['classifier.dense.', 'head.dense.'],
  ['classifier.out_proj.', 'head.out.'],
  ['classifier.', 'head.out.'],
];

const MPNET_NAMES: RenameTable = [
  [/attention\.attn\.q\.(\w+)$/, 'attention.self.query.$1'],
  [/attention\.attn\.k\.(\w+)$/, 'attention.self.key.$1'],
  [/attention\.attn\.v\.(\w+)$/, 'attention.self.value.$1'],
  [/attention\.attn\.o\./, 'attention.output.dense.'],
  [/attention\.LayerNorm\./, 'attention.output.LayerNorm.'],
  [/^(mpnet\.)?encoder\.relative_attention_bias\./, 'distance_buckets.'],
];

/** Files may have a pooler beside a head with a dense layer of its own, which does not use it. */
const WITHOUT_POOLER: RenameTable = [[/^((roberta|mpnet)\.)?pooler\./, 'unused.pooler.']];

const JINA_NAMES: RenameTable = [
  [/mlp\.gated_layers\./, 'intermediate.dense.'],
  [/mlp\.wo\./, 'output.dense.'],
  [/mlp\.layernorm\./, 'output.LayerNorm.'],
];

interface Differences {
  /** The default of config.json. */
  readonly vocabSize: number;
  readonly positionsFirst: number;
  readonly types: number;
  readonly names?: RenameTable;
  readonly layer?: Partial<LayerConfig>;
}

function bertLike(config: ModelConfig, differs: Differences): EncoderSpec {
  const { architecture, task } = taskOf(config);
  const rows = config.natural('max_position_embeddings', 512);
  const first = differs.positionsFirst;
  const layer = encoderLayer(
    config,
    {
      dModel: config.natural('hidden_size', 768),
      heads: config.natural('num_attention_heads', 12),
      between: config.natural('intermediate_size', 3072),
      activation: config.activation('hidden_act', 'gelu'),
      eps: config.number('layer_norm_eps', 1e-12),
    },
    differs.layer,
  );
  config.only('is_decoder', [false]);
  config.only('add_cross_attention', [false]);
  config.only('quantization_config', []);
  return {
    ...{ kind: 'encoder', architecture, vocabSize: config.natural('vocab_size', differs.vocabSize), types: differs.types },
    layers: Array.from({ length: config.layers('num_hidden_layers', 12) }, () => layer),
    ...{ positions: { rows, first }, distanceBuckets: null, finalNorm: false, maxTokens: rows - first },
    head: headOf(config, task, { activation: 'tanh', bias: true, norm: false }),
    rename: [...(differs.names ?? []), ...BERT_NAMES],
  };
}

export function bert(config: ModelConfig): EncoderSpec {
  const types = config.natural('type_vocab_size', 2);
  const kind = config.text('position_embedding_type', 'absolute');
  if (kind === 'alibi') return jina(config, types);
  config.only('position_embedding_type', ['absolute', 'alibi']);
  return bertLike(config, { vocabSize: 30522, positionsFirst: 0, types });
}

export function roberta(config: ModelConfig): EncoderSpec {
  config.only('position_embedding_type', ['absolute']);
  return bertLike(config, {
    ...{ vocabSize: 50265, positionsFirst: config.number('pad_token_id', 1) + 1, types: config.natural('type_vocab_size', 2) },
    names: WITHOUT_POOLER,
  });
}

/** MPNet (Song et al. 2020, arXiv:2004.09297): BERT without kinds of tokens, with a table of biases by distance. */
export function mpnet(config: ModelConfig): EncoderSpec {
  const spec = bertLike(config, { vocabSize: 30527, positionsFirst: 2, types: 0, names: [...WITHOUT_POOLER, ...MPNET_NAMES] });
  const buckets = config.natural('relative_attention_num_buckets', 32);
  return { ...spec, distanceBuckets: { buckets, maxDistance: 128 } };
}

/** Jina's embedding models, version 2 (Günther et al. 2023, arXiv:2310.19923): no positions but ALiBi, and a gated feed-forward. */
function jina(config: ModelConfig, types: number): EncoderSpec {
  config.only('feed_forward_type', ['geglu']);
  const spec = bertLike(config, {
    ...{ vocabSize: 30522, positionsFirst: 0, types, names: JINA_NAMES },
    layer: {
      gated: true,
      biased: biasedMatrices({ attention: true, linear1: false, linear2: true }),
      attention: { causal: false, bias: bias.alibi() },
    },
  });
  return { ...spec, positions: null, convert: gateFirst };
}

/** For files whose gated matrix has the rows of the gate before those of up, as its bias has: fovea has up first. */
export const gateFirst: Convert = {
  names: /linear1\.(weight|bias)$/,
  numbers: (data) => {
    const half = data.length / 2;
    const turned = new Float32Array(data.length);
    turned.set(data.subarray(half));
    turned.set(data.subarray(0, half), half);
    return turned;
  },
};
