/**
 * Llama (Touvron et al. 2023, arXiv:2302.13971) and its kin: Mistral (arXiv:2310.06825), Qwen 2 (arXiv:2407.10671), Qwen 3 (arXiv:2505.09388),
 * Gemma (arXiv:2403.08295), Gemma 2 (arXiv:2408.00118), Gemma 3 (arXiv:2503.19786).
 */
import type { CausalDecoderOptions } from '../../nn/causal_decoder_options.ts';
import type { RopeOptions } from '../../nn/layer_config.ts';
import type { ModelConfig } from '../config.ts';
import type { Convert, DecoderSpec, RenameTable } from './family.ts';

/** Names of Hugging Face's Llama, Mistral, Qwen 2, Qwen 3 and Gemma. */
export const LLAMA_NAMES: RenameTable = [
  ['model.', ''],
  ['embed_tokens.', 'embedding.'],
  ['lm_head.', 'head.'],
  [/self_attn\.q_proj\.(\w+)$/, 'self_attn.in_proj_$1[0]'],
  [/self_attn\.k_proj\.(\w+)$/, 'self_attn.in_proj_$1[1]'],
  [/self_attn\.v_proj\.(\w+)$/, 'self_attn.in_proj_$1[2]'],
  [/self_attn\.o_proj\./, 'self_attn.out_proj.'],
  [/input_layernorm\./, 'norm1.'],
  [/post_attention_layernorm\./, 'norm2.'],
  [/mlp\.up_proj\.(\w+)$/, 'linear1.$1[0]'],
  [/mlp\.gate_proj\.(\w+)$/, 'linear1.$1[1]'],
  [/mlp\.down_proj\./, 'linear2.'],
];

/** Names of Hugging Face's Gemma 2 and Gemma 3, whose norms stand before and behind each half. */
export const GEMMA2_NAMES: RenameTable = [
  [/post_attention_layernorm\./, 'post_norm1.'],
  [/pre_feedforward_layernorm\./, 'norm2.'],
  [/post_feedforward_layernorm\./, 'post_norm2.'],
  ...LLAMA_NAMES,
];

/** The options that the family has in common, with what differs. */
function llamaLike(config: ModelConfig, differs: Partial<CausalDecoderOptions> = {}, rename = LLAMA_NAMES): DecoderSpec {
  config.only('quantization_config', []);
  config.only('mlp_bias', [false]);
  config.only('pretraining_tp', [1]);
  const dModel = config.natural('hidden_size', 4096);
  const nHead = config.natural('num_attention_heads', 32);
  const maxTokens = config.natural('max_position_embeddings', 2048);
  const ropes = config.part('rope_parameters');
  return {
    ...{ kind: 'decoder', architecture: architectureOf(config), maxTokens, rename },
    options: {
      ...{ dModel, nHead, vocabSize: config.natural('vocab_size', 32000), numLayers: config.layers('num_hidden_layers', 32) },
      kvHeads: config.natural('num_key_value_heads', nHead),
      headDim: config.natural('head_dim', Math.floor(dModel / nHead)),
      dimFeedforward: config.natural('intermediate_size', 11008),
      ...{ norm: 'rms', normEps: config.number('rms_norm_eps', 1e-6), gated: true, bias: false },
      activation: config.activation(['hidden_activation', 'hidden_act'], 'silu'),
      rope: ropeOf(scalingOf(config, ropes), config.number('rope_theta', ropes.number('rope_theta', 10000))),
      tieWeights: config.flag('tie_word_embeddings', false),
      ...differs,
    },
  };
}

function architectureOf(config: ModelConfig): string {
  const architecture = config.architecture() ?? '';
  if (!/ForCausalLM$/.test(architecture)) config.wrong('architectures', 'a model for causal language modeling', architecture);
  return architecture;
}

/** The keys of how rotary positions are scaled: those beside their base, as newer files have them, or rope_scaling. */
function scalingOf(config: ModelConfig, ropes: ModelConfig): ModelConfig {
  return ropes.value('rope_type') === undefined ? config.part('rope_scaling') : ropes;
}

/** Rotary positions, and what makes them reach further. */
function ropeOf(scaling: ModelConfig, base: number): RopeOptions {
  const kind = scaling.value('rope_type', 'type') ?? 'default';
  if (kind === 'default') return { base };
  if (kind === 'linear') return { base, scale: 1 / scaling.number('factor') };
  if (kind !== 'llama3') scaling.wrong('rope_type', 'default, linear or llama3', kind);
  return {
    base,
    llama3: {
      factor: scaling.number('factor'),
      originalTokens: scaling.natural('original_max_position_embeddings'),
      lowFrequency: scaling.number('low_freq_factor', 1),
      highFrequency: scaling.number('high_freq_factor', 4),
    },
  };
}

export function llama(config: ModelConfig): DecoderSpec {
  config.only('attention_bias', [false]);
  return llamaLike(config);
}

export function mistral(config: ModelConfig): DecoderSpec {
  const window = orNone(config, 'sliding_window', () => config.natural('sliding_window', 4096));
  return llamaLike(config, { window });
}

export function qwen2(config: ModelConfig): DecoderSpec {
  return llamaLike(config, { qkvBias: true, ...windowsOf(config) });
}

export function qwen3(config: ModelConfig): DecoderSpec {
  config.only('attention_bias', [false]);
  return llamaLike(config, { qkNorm: true, ...windowsOf(config), headDim: config.natural('head_dim', 128) });
}

/** Qwen's layers from max_window_layers on have windows, where they are used at all. */
function windowsOf(config: ModelConfig): Partial<CausalDecoderOptions> {
  if (!config.flag('use_sliding_window', false)) return {};
  const count = config.layers('num_hidden_layers', 32);
  const window = config.natural('sliding_window');
  const types = config.listOf('layer_types', count, ['full_attention', 'sliding_attention']);
  const first = config.number('max_window_layers', count);
  const isLocal = (n: number): boolean => (types ? types[n] === 'sliding_attention' : n >= first);
  return { layers: Array.from({ length: count }, (_, n) => (isLocal(n) ? { window } : {})) };
}

/** Gemma's norms multiply by 1 + w. */
const addOne: Convert = { names: /norm\d?\.weight$/, numbers: (data) => data.map((weight) => 1 + weight) };

function gemmaLike(config: ModelConfig, differs: Partial<CausalDecoderOptions>, rename = LLAMA_NAMES): DecoderSpec {
  config.only('attention_bias', [false]);
  config.only('use_bidirectional_attention', [false]);
  const spec = llamaLike(
    config,
    {
      activation: config.activation(['hidden_activation', 'hidden_act'], 'gelu_pytorch_tanh'),
      embeddingScale: Math.sqrt(config.natural('hidden_size', 2048)),
      headDim: config.natural('head_dim', 256),
      tieWeights: config.flag('tie_word_embeddings', true),
      ...differs,
    },
    rename,
  );
  return { ...spec, convert: addOne };
}

export function gemma(config: ModelConfig): DecoderSpec {
  // Files of the first models say gelu and mean its approximation.
  return gemmaLike(config, { activation: config.activation('hidden_activation', 'gelu_pytorch_tanh') });
}

/** Undefined where the key is null, which says that the model has none. */
function orNone<T>(config: ModelConfig, key: string, read: () => T): T | undefined {
  return config.has(key) && config.value(key) === undefined ? undefined : read();
}

/** Options that Gemma 2 and 3 share; the softcaps are those of files that leave them out. */
function sandwiched(
  config: ModelConfig,
  { attention, logits }: { readonly attention?: number; readonly logits?: number } = {},
): Partial<CausalDecoderOptions> {
  const cap = (key: string, fallback: number | undefined): number | undefined =>
    orNone(config, key, () => (fallback === undefined && !config.has(key) ? undefined : config.number(key, fallback)));
  return {
    postNorms: true,
    scale: 1 / Math.sqrt(config.number('query_pre_attn_scalar', 256)),
    softcap: cap('attn_logit_softcapping', attention),
    logitSoftcap: cap('final_logit_softcapping', logits),
  };
}

export function gemma2(config: ModelConfig): DecoderSpec {
  const count = config.layers('num_hidden_layers', 26);
  const window = config.natural('sliding_window', 4096);
  const types = config.listOf('layer_types', count, ['full_attention', 'sliding_attention']);
  const isLocal = (n: number): boolean => (types ? types[n] === 'sliding_attention' : n % 2 === 0);
  const layers = Array.from({ length: count }, (_, n) => (isLocal(n) ? { window } : {}));
  const softcaps = { attention: 50, logits: 30 };
  return gemmaLike(config, { ...sandwiched(config, softcaps), numLayers: count, layers }, GEMMA2_NAMES);
}

export function gemma3(config: ModelConfig): DecoderSpec {
  const count = config.layers('num_hidden_layers', 26);
  const every = config.natural(['sliding_window_pattern', '_sliding_window_pattern'], 6);
  const window = config.natural('sliding_window', 4096);
  const types = config.listOf('layer_types', count, ['full_attention', 'sliding_attention']);
  const isLocal = (n: number): boolean => (types ? types[n] === 'sliding_attention' : (n + 1) % every !== 0);
  const ropes = config.part('rope_parameters');
  const globalRope = ropes.part('full_attention');
  const global = ropeOf(scalingOf(config, globalRope), config.number('rope_theta', globalRope.number('rope_theta', 1_000_000)));
  const base = config.number('rope_local_base_freq', ropes.part('sliding_attention').number('rope_theta', 10000));
  const layers = Array.from({ length: count }, (_, n) => (isLocal(n) ? { window, rope: { base } } : { rope: global }));
  return gemmaLike(config, { ...sandwiched(config), qkNorm: true, numLayers: count, layers }, GEMMA2_NAMES);
}
