/** GPT-2's names (Hugging Face): a decoder with learned positions, whose matrices are [in, out]. */
import { before, type Family, type Source } from './family.ts';

export const gpt2: Family = {
  name: 'gpt2',
  prefixOf: (names) => before(names, 'wte.weight'),
  plan(checkpoint, config, start) {
    const [vocabulary = 1, width = 64] = checkpoint.want(`${start}wte.weight`, [-1, -1]) ?? [];
    const [positions = 1] = checkpoint.want(`${start}wpe.weight`, [-1, width]) ?? [];
    for (const part of ['weight', 'bias']) checkpoint.want(`${start}ln_f.${part}`, [width]);
    checkpoint.maybe('lm_head.weight', [vocabulary, width]);
    const prefix = `${start}h.`;
    const layers = Math.max(1, checkpoint.countLayers(prefix));
    const [, between = 1] = checkpoint.want(`${prefix}0.mlp.c_fc.weight`, [width, -1]) ?? [];
    for (let n = 0; n < layers; ++n) {
      const linear = (name: string, inner: number, outer: number): void => {
        checkpoint.want(`${prefix}${n}.${name}.weight`, [inner, outer]);
        checkpoint.want(`${prefix}${n}.${name}.bias`, [outer]);
      };
      linear('attn.c_attn', width, 3 * width);
      linear('attn.c_proj', width, width);
      linear('mlp.c_fc', width, between);
      linear('mlp.c_proj', between, width);
      for (const name of ['ln_1', 'ln_2'])
        for (const part of ['weight', 'bias']) checkpoint.want(`${prefix}${n}.${name}.${part}`, [width]);
      for (const mask of ['attn.bias', 'attn.masked_bias']) checkpoint.skip(`${prefix}${n}.${mask}`);
    }
    config.noteOthers(['gpt2']);
    const heads = config.count(['n_head', 'num_attention_heads'], Math.max(1, Math.round(width / 64)));
    if (width % heads !== 0) checkpoint.note({ kind: 'config', key: 'n_head', value: String(heads) });
    return {
      ...{ family: 'gpt2', prefix, layers, width, heads, kvHeads: heads, headDim: width / heads, between, vocabulary },
      eps: config.positive(['layer_norm_epsilon'], 1e-5),
      activation: config.activation(['activation_function'], 'gelu_new'),
      ...{ positions, firstPosition: 0 },
    };
  },
  layer({ prefix }, n) {
    const part = (name: string, turned: boolean): Source => ({
      weight: [`${prefix}${n}.${name}.weight`],
      bias: [`${prefix}${n}.${name}.bias`],
      turned,
    });
    return {
      norm1: part('ln_1', false),
      qkv: part('attn.c_attn', true),
      out: part('attn.c_proj', true),
      norm2: part('ln_2', false),
      up: part('mlp.c_fc', true),
      down: part('mlp.c_proj', true),
    };
  },
};
