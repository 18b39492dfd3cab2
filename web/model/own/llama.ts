/** Llama's names (Hugging Face), which Mistral and Qwen2 share: a decoder with rotated positions, grouped queries, RMS norms and SwiGLU. */
import type { ConfigReader } from './config.ts';
import { before, type Family, type Source, type Rope } from './family.ts';

export const llama: Family = {
  name: 'llama',
  prefixOf: (names) => before(names, 'embed_tokens.weight'),
  plan(checkpoint, config, start) {
    const [vocabulary = 1, width = 64] = checkpoint.want(`${start}embed_tokens.weight`, [-1, -1]) ?? [];
    checkpoint.want(`${start}norm.weight`, [width]);
    checkpoint.maybe('lm_head.weight', [vocabulary, width]);
    const prefix = `${start}layers.`;
    const layers = Math.max(1, checkpoint.countLayers(prefix));
    const first = `${prefix}0.self_attn.`;
    const [inner = width] = checkpoint.want(`${first}q_proj.weight`, [-1, width]) ?? [];
    const [shared = inner] = checkpoint.want(`${first}k_proj.weight`, [-1, width]) ?? [];
    const [between = 1] = checkpoint.want(`${prefix}0.mlp.up_proj.weight`, [-1, width]) ?? [];
    const heads = config.count(['num_attention_heads'], Math.max(1, Math.round(inner / (inner >= 2048 ? 128 : 64))));
    const headDim = inner / heads;
    const kvHeads = shared / headDim;
    if (!Number.isInteger(headDim) || headDim % 2 !== 0 || !Number.isInteger(kvHeads) || !Number.isInteger(heads / kvHeads))
      checkpoint.note({ kind: 'config', key: 'num_attention_heads', value: String(heads) });
    for (let n = 0; n < layers; ++n) {
      const linear = (name: string, outer: number, width: number): void => {
        checkpoint.want(`${prefix}${n}.${name}.weight`, [outer, width]);
        checkpoint.maybe(`${prefix}${n}.${name}.bias`, [outer]);
      };
      linear('self_attn.q_proj', inner, width);
      linear('self_attn.k_proj', shared, width);
      linear('self_attn.v_proj', shared, width);
      linear('self_attn.o_proj', width, inner);
      for (const name of ['mlp.up_proj', 'mlp.gate_proj']) linear(name, between, width);
      linear('mlp.down_proj', width, between);
      for (const name of ['input_layernorm', 'post_attention_layernorm'])
        checkpoint.want(`${prefix}${n}.${name}.weight`, [width]);
      checkpoint.skip(`${prefix}${n}.self_attn.rotary_emb.inv_freq`);
    }
    config.noteOthers(['llama', 'mistral', 'qwen2']);
    return {
      ...{ family: 'llama', prefix, layers, width, heads, kvHeads, headDim, between, vocabulary },
      eps: config.positive(['rms_norm_eps'], 1e-5),
      activation: config.activation(['hidden_act'], 'silu'),
      rope: ropeOf(config),
      ...{ positions: null, firstPosition: 0 },
    };
  },
  layer({ prefix }, n, has) {
    const part = (...names: string[]): Source => {
      const bias = names.map((name) => `${prefix}${n}.${name}.bias`);
      const weight = names.map((name) => `${prefix}${n}.${name}.weight`);
      return bias.every(has) ? { weight, bias } : { weight };
    };
    return {
      norm1: part('input_layernorm'),
      qkv: part('self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'),
      out: part('self_attn.o_proj'),
      norm2: part('post_attention_layernorm'),
      up: part('mlp.up_proj'),
      gate: part('mlp.gate_proj'),
      down: part('mlp.down_proj'),
    };
  },
};

function ropeOf(config: ConfigReader): Rope {
  const base = config.positive(['rope_theta'], 10000);
  const scaling = config.get('rope_scaling');
  if (scaling === undefined) return { base };
  const own = (key: string): unknown => {
    const { value } = scaling;
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined;
  };
  const number = (key: string): number | undefined => {
    const value = own(key);
    return typeof value === 'number' && value > 0 && value < 1e9 ? value : undefined;
  };
  const kind = own('rope_type') ?? own('type');
  const factor = number('factor');
  const originalTokens = number('original_max_position_embeddings');
  if (kind === 'default') return { base };
  if (kind === 'linear' && factor !== undefined) return { base, scale: 1 / factor };
  if (kind === 'llama3' && factor !== undefined && originalTokens !== undefined)
    return {
      base,
      llama3: {
        factor,
        originalTokens,
        lowFrequency: number('low_freq_factor') ?? 1,
        highFrequency: number('high_freq_factor') ?? 4,
      },
    };
  config.ignore(scaling);
  return { base };
}
