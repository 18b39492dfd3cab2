/**
 * Language models by their equations: norms before the halves, causal attention, a last norm, and logits by the tied embedding or a head.
 *   h = x + Wo·attention(norm(x));   x = h + feedForward(norm(h));   logits = head·norm(x)
 * Llama and its kin: RMS norms, rotary positions, feedForward(x) = down(silu(gate·x) ⊙ up·x). Qwen 3 and Gemma 3 norm each head of the queries
 * and keys before their rotation. Gemma: the embedding times √E, norms that multiply by 1 + w, gelu in place of silu; Gemma 2 and 3 norm the
 * output of each half, too.
 */
import { columns, frequenciesOf, headsOf, numberOf, type Config, type ModelParts, type Row, type Rows } from './parts.ts';

export interface Decoded {
  /** [T, V]. */
  readonly logits: Rows;
  /** [H, T, T] of each layer. */
  readonly attentions: readonly Row[];
}

export function decode(parts: ModelParts, config: Config, ids: readonly number[]): Decoded {
  return config.model_type === 'gpt2' ? gpt2(parts, config, ids) : llama(parts, config, ids);
}

function gpt2(parts: ModelParts, config: Config, ids: readonly number[]): Decoded {
  const [width, heads, eps] = [numberOf(config, 'n_embd'), numberOf(config, 'n_head'), numberOf(config, 'layer_norm_epsilon')];
  const inOut = { inOut: true };
  const words = 'transformer.wte.weight';
  let x: Rows = parts.sum(
    ids.map((id) => parts.row(words, id)),
    ids.map((_, t) => parts.row('transformer.wpe.weight', t)),
  );
  const attentions: Row[] = [];
  for (let n = 0; n < numberOf(config, 'n_layer'); n++) {
    const layer = `transformer.h.${n}.`;
    const qkv = parts.linear(parts.layerNorm(x, `${layer}ln_1`, eps), `${layer}attn.c_attn`, inOut);
    const [q, k, v] = [0, 1, 2].map((part) => headsOf(columns(qkv, part * width, (part + 1) * width), heads));
    const { rows, weights } = parts.attention(q!, k!, v!, { scale: Math.sqrt(width / heads) ** -1, allowed: (i, j) => j <= i });
    attentions.push(weights);
    const h = parts.sum(x, parts.linear(rows, `${layer}attn.c_proj`, inOut));
    const between = parts.linear(parts.layerNorm(h, `${layer}ln_2`, eps), `${layer}mlp.c_fc`, inOut);
    x = parts.sum(
      h,
      parts.linear(parts.activate(between, config['activation_function'] as string), `${layer}mlp.c_proj`, inOut),
    );
  }
  return { logits: logitsOf(parts, parts.layerNorm(x, 'transformer.ln_f', eps), words), attentions };
}

/** Where layers of Llama's kin differ. */
interface LayerRules {
  /** How many tokens it sees, itself and those before it. */
  readonly window: number;
  readonly frequencies: readonly number[];
}

function llama(parts: ModelParts, config: Config, ids: readonly number[]): Decoded {
  const isGemma = config.model_type.startsWith('gemma');
  const offset = isGemma ? 1 : 0;
  const eps = numberOf(config, 'rms_norm_eps');
  const norm = (x: Rows, name: string): Rows => parts.rmsNorm(x, name, eps, offset);
  const [heads, kvHeads, headWidth] = [
    numberOf(config, 'num_attention_heads'),
    numberOf(config, 'num_key_value_heads'),
    headWidthOf(config),
  ];
  const scale = ((config['query_pre_attn_scalar'] as number | undefined) ?? headWidth) ** -0.5;
  const cap = config['attn_logit_softcapping'] as number | undefined;
  const words = 'model.embed_tokens.weight';
  let x: Rows = ids.map((id) => parts.row(words, id));
  if (isGemma) x = parts.each(x, (value) => value * Math.sqrt(numberOf(config, 'hidden_size')));
  const attentions: Row[] = [];
  for (let n = 0; n < numberOf(config, 'num_hidden_layers'); n++) {
    const layer = `model.layers.${n}.`;
    const { window, frequencies } = rulesOf(config, n, headWidth);
    const behind = (y: Rows, name: string): Rows =>
      parts.has(`${layer}pre_feedforward_layernorm.weight`) ? norm(y, layer + name) : y;
    const normed = norm(x, `${layer}input_layernorm`);
    const project = (name: string, count: number): readonly Rows[] => {
      const all = headsOf(parts.linear(normed, `${layer}self_attn.${name}_proj`), count);
      return parts.has(`${layer}self_attn.${name}_norm.weight`)
        ? all.map((rows) => norm(rows, `${layer}self_attn.${name}_norm`))
        : all;
    };
    const [q, k] = [project('q', heads), project('k', kvHeads)].map((all) => parts.rotate(all, frequencies));
    const { rows, weights } = parts.attention(q!, k!, project('v', kvHeads), {
      scale,
      cap,
      allowed: (i, j) => j <= i && i - j < window,
    });
    attentions.push(weights);
    const h = parts.sum(x, behind(parts.linear(rows, `${layer}self_attn.o_proj`), 'post_attention_layernorm'));
    const before = parts.has(`${layer}pre_feedforward_layernorm.weight`)
      ? 'pre_feedforward_layernorm'
      : 'post_attention_layernorm';
    const input = norm(h, layer + before);
    const gate = parts.activate(parts.linear(input, `${layer}mlp.gate_proj`), isGemma ? 'gelu_pytorch_tanh' : 'silu');
    const between = parts.product(gate, parts.linear(input, `${layer}mlp.up_proj`));
    x = parts.sum(h, behind(parts.linear(between, `${layer}mlp.down_proj`), 'post_feedforward_layernorm'));
  }
  const logits = logitsOf(parts, norm(x, 'model.norm'), config['tie_word_embeddings'] === true ? words : 'lm_head.weight');
  const last = config['final_logit_softcapping'] as number | undefined;
  return { logits: last === undefined ? logits : parts.each(logits, (z) => last * Math.tanh(z / last)), attentions };
}

function logitsOf(parts: ModelParts, x: Rows, table: string): Rows {
  return parts.linear(x, table.replace(/\.weight$/, ''));
}

function headWidthOf(config: Config): number {
  return (
    (config['head_dim'] as number | undefined) ?? numberOf(config, 'hidden_size') / numberOf(config, 'num_attention_heads')
  );
}

function rulesOf(config: Config, n: number, headWidth: number): LayerRules {
  const window = (config['sliding_window'] as number | undefined) ?? Infinity;
  const base = numberOf(config, 'rope_theta');
  const all = { window: Infinity, frequencies: scaledFrequencies(config, frequenciesOf(base, headWidth)) };
  switch (config.model_type) {
    case 'mistral':
      return { ...all, window };
    case 'qwen2':
    case 'qwen3':
      return config['use_sliding_window'] === true && n >= numberOf(config, 'max_window_layers') ? { ...all, window } : all;
    case 'gemma2':
      return n % 2 === 0 ? { ...all, window } : all;
    case 'gemma3_text':
      if ((n + 1) % numberOf(config, 'sliding_window_pattern') === 0) return all;
      return { window, frequencies: frequenciesOf(numberOf(config, 'rope_local_base_freq'), headWidth) };
    default:
      return all;
  }
}

/** Linear: all divided by the factor. Llama 3: long wavelengths divided, short ones kept, those between in proportion. */
function scaledFrequencies(config: Config, frequencies: number[]): number[] {
  const scaling = config['rope_scaling'] as Readonly<Record<string, unknown>> | undefined;
  if (scaling === undefined) return frequencies;
  const number = (key: string): number => scaling[key] as number;
  const factor = number('factor');
  if (scaling['rope_type'] === 'linear') return frequencies.map((frequency) => frequency / factor);
  const [length, low, high] = [
    number('original_max_position_embeddings'),
    number('low_freq_factor'),
    number('high_freq_factor'),
  ];
  return frequencies.map((frequency) => {
    const turns = (length * frequency) / (2 * Math.PI);
    if (turns > high) return frequency;
    if (turns < low) return frequency / factor;
    const share = (turns - low) / (high - low);
    return ((1 - share) * frequency) / factor + share * frequency;
  });
}
