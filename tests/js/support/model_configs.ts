/** Small configs of every family, as config.json has them. */
import type { Config } from '../reference/models/parts.ts';

const THREE = { hidden_size: 12, num_attention_heads: 3 };
const TWELVE = { hidden_size: 24, num_attention_heads: 12 };

const BERT = {
  ...{ model_type: 'bert', architectures: ['BertModel'], vocab_size: 40, num_hidden_layers: 2, intermediate_size: 31 },
  ...{ max_position_embeddings: 67, type_vocab_size: 2, hidden_act: 'gelu', layer_norm_eps: 1e-12 },
};
const ROBERTA = {
  ...{ ...BERT, model_type: 'roberta', architectures: ['RobertaModel'], type_vocab_size: 1, layer_norm_eps: 1e-5 },
  ...{ pad_token_id: 1, max_position_embeddings: 69 },
};
const DISTILBERT = {
  ...{ model_type: 'distilbert', architectures: ['DistilBertModel'], vocab_size: 13, n_layers: 2, hidden_dim: 29 },
  ...{ max_position_embeddings: 67, activation: 'gelu' },
};
const MODERNBERT = {
  ...{
    model_type: 'modernbert',
    architectures: ['ModernBertModel'],
    vocab_size: 40,
    num_hidden_layers: 4,
    intermediate_size: 19,
  },
  ...{ norm_eps: 1e-5, global_attn_every_n_layers: 3, local_attention: 9, global_rope_theta: 160000, local_rope_theta: 10000 },
  ...{ max_position_embeddings: 80 },
};
const NOMIC = {
  ...{ model_type: 'nomic_bert', architectures: ['NomicBertModel'], vocab_size: 40, n_layer: 2, n_inner: 27, n_positions: 80 },
  ...{
    activation_function: 'swiglu',
    layer_norm_epsilon: 1e-12,
    rotary_emb_base: 1000,
    rotary_emb_fraction: 1,
    rotary_emb_interleaved: false,
  },
};

/** By what is tested. */
export const ENCODER_CONFIGS: Readonly<Record<string, Config>> = {
  'bert, 3 heads of 4': { ...BERT, ...THREE },
  'bert, 12 heads of 2': { ...BERT, ...TWELVE, vocab_size: 13 },
  'bert with ALiBi, 3 heads': { ...BERT, ...THREE, position_embedding_type: 'alibi', feed_forward_type: 'geglu' },
  'bert with ALiBi, 12 heads': { ...BERT, ...TWELVE, position_embedding_type: 'alibi' },
  roberta: { ...ROBERTA, ...THREE },
  'xlm-roberta': { ...ROBERTA, ...TWELVE, model_type: 'xlm-roberta', architectures: ['XLMRobertaModel'] },
  camembert: { ...ROBERTA, ...THREE, model_type: 'camembert', architectures: ['CamembertModel'], hidden_act: 'gelu_new' },
  'mpnet, 3 heads': {
    ...BERT,
    ...THREE,
    model_type: 'mpnet',
    architectures: ['MPNetModel'],
    max_position_embeddings: 69,
    layer_norm_eps: 1e-5,
  },
  'mpnet, 12 heads': {
    ...BERT,
    ...TWELVE,
    model_type: 'mpnet',
    architectures: ['MPNetModel'],
    max_position_embeddings: 69,
    layer_norm_eps: 1e-5,
  },
  'distilbert, 3 heads': { ...DISTILBERT, dim: 12, n_heads: 3 },
  'distilbert, 12 heads': { ...DISTILBERT, dim: 24, n_heads: 12, activation: 'relu' },
  'modernbert, 3 heads': { ...MODERNBERT, ...THREE },
  'modernbert, 12 heads': { ...MODERNBERT, ...TWELVE, mlp_bias: true },
  'nomic_bert, 3 heads': { ...NOMIC, n_embd: 12, n_head: 3 },
  'nomic_bert, half of each head rotated in pairs': {
    ...NOMIC,
    n_embd: 24,
    n_head: 3,
    rotary_emb_fraction: 0.5,
    rotary_emb_interleaved: true,
  },
  'nomic_bert, 12 heads': { ...NOMIC, n_embd: 24, n_head: 12 },
};

const LLAMA = {
  ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], vocab_size: 40, num_hidden_layers: 2, intermediate_size: 31 },
  ...{ rms_norm_eps: 1e-5, rope_theta: 500, max_position_embeddings: 80, tie_word_embeddings: false, hidden_act: 'silu' },
};
const GEMMA = {
  ...{ ...LLAMA, architectures: ['GemmaForCausalLM'], model_type: 'gemma', rms_norm_eps: 1e-6, tie_word_embeddings: true },
  ...{ hidden_act: 'gelu_pytorch_tanh' },
};

export const DECODER_CONFIGS: Readonly<Record<string, Config>> = {
  'gpt2, 3 heads of 4': {
    ...{
      model_type: 'gpt2',
      architectures: ['GPT2LMHeadModel'],
      n_embd: 12,
      n_head: 3,
      n_layer: 2,
      n_positions: 80,
      vocab_size: 40,
    },
    ...{ layer_norm_epsilon: 1e-5, activation_function: 'gelu_new', n_inner: 31 },
  },
  'gpt2, 12 heads of 2': {
    ...{
      model_type: 'gpt2',
      architectures: ['GPT2LMHeadModel'],
      n_embd: 24,
      n_head: 12,
      n_layer: 3,
      n_positions: 80,
      vocab_size: 13,
    },
    ...{ layer_norm_epsilon: 1e-5, activation_function: 'gelu_new' },
  },
  'llama, 1 head of keys': { ...LLAMA, ...THREE, num_key_value_heads: 1, head_dim: 6 },
  'llama, 3 heads of keys for 12': { ...LLAMA, ...TWELVE, num_key_value_heads: 3, vocab_size: 13 },
  'llama, frequencies of Llama 3': {
    ...{ ...LLAMA, ...THREE, num_key_value_heads: 3, head_dim: 8, tie_word_embeddings: true },
    rope_scaling: {
      rope_type: 'llama3',
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 40,
    },
  },
  'llama, linear frequencies': { ...LLAMA, ...THREE, num_key_value_heads: 3, rope_scaling: { rope_type: 'linear', factor: 4 } },
  mistral: {
    ...LLAMA,
    ...THREE,
    model_type: 'mistral',
    architectures: ['MistralForCausalLM'],
    num_key_value_heads: 1,
    sliding_window: 5,
  },
  qwen2: { ...LLAMA, ...TWELVE, model_type: 'qwen2', architectures: ['Qwen2ForCausalLM'], num_key_value_heads: 3 },
  'qwen2, a window from layer 1 on': {
    ...{ ...LLAMA, ...THREE, model_type: 'qwen2', architectures: ['Qwen2ForCausalLM'], num_key_value_heads: 1 },
    ...{ use_sliding_window: true, sliding_window: 7, max_window_layers: 1 },
  },
  qwen3: { ...LLAMA, ...THREE, model_type: 'qwen3', architectures: ['Qwen3ForCausalLM'], num_key_value_heads: 1, head_dim: 10 },
  gemma: { ...GEMMA, ...THREE, num_key_value_heads: 1, head_dim: 6, vocab_size: 13 },
  gemma2: {
    ...{ ...GEMMA, ...THREE, model_type: 'gemma2', architectures: ['Gemma2ForCausalLM'], num_key_value_heads: 1, head_dim: 6 },
    ...{ sliding_window: 5, query_pre_attn_scalar: 9, attn_logit_softcapping: 3, final_logit_softcapping: 2 },
  },
  gemma3_text: {
    ...{
      ...GEMMA,
      ...TWELVE,
      model_type: 'gemma3_text',
      architectures: ['Gemma3ForCausalLM'],
      num_key_value_heads: 3,
      head_dim: 4,
    },
    ...{
      num_hidden_layers: 3,
      sliding_window: 6,
      sliding_window_pattern: 2,
      rope_local_base_freq: 100,
      query_pre_attn_scalar: 5,
    },
    rope_scaling: { rope_type: 'linear', factor: 8 },
  },
};
