/** ViT's names (Hugging Face): an encoder of the patches of an image, norms before each half of a layer. */
import { before, type Family, type Source } from './family.ts';

const PATCHES = 'embeddings.patch_embeddings.projection.weight';

export const vit: Family = {
  name: 'vit',
  prefixOf: (names) => before(names, PATCHES),
  plan(checkpoint, config, start) {
    const [width = 64, channels = 3, size = 1] = checkpoint.want(`${start}${PATCHES}`, [-1, -1, -1, -1]) ?? [];
    checkpoint.want(`${start}${PATCHES}`, [width, channels, size, size]);
    checkpoint.want(`${start}embeddings.patch_embeddings.projection.bias`, [width]);
    checkpoint.want(`${start}embeddings.cls_token`, [1, 1, width]);
    const [, positions = 2] = checkpoint.want(`${start}embeddings.position_embeddings`, [1, -1, width]) ?? [];
    const grid = Math.floor(Math.sqrt(positions - 1));
    if (grid ** 2 !== positions - 1 || grid === 0)
      checkpoint.note({
        ...{ kind: 'shape', name: `${start}embeddings.position_embeddings` },
        ...{ wanted: [1, grid ** 2 + 1, width], got: [1, positions, width] },
      });
    if (channels !== 1 && channels !== 3)
      checkpoint.note({
        kind: 'shape',
        name: `${start}${PATCHES}`,
        wanted: [width, 3, size, size],
        got: [width, channels, size, size],
      });
    const prefix = `${start}encoder.layer.`;
    const layers = Math.max(1, checkpoint.countLayers(prefix));
    const [between = 1] = checkpoint.want(`${prefix}0.intermediate.dense.weight`, [-1, width]) ?? [];
    for (let n = 0; n < layers; ++n) {
      const linear = (name: string, outer: number, inner: number, biased = true): void => {
        checkpoint.want(`${prefix}${n}.${name}.weight`, [outer, inner]);
        if (biased) checkpoint.want(`${prefix}${n}.${name}.bias`, [outer]);
        else checkpoint.maybe(`${prefix}${n}.${name}.bias`, [outer]);
      };
      const biased = checkpoint.has(`${prefix}${n}.attention.attention.query.bias`);
      for (const name of ['query', 'key', 'value']) linear(`attention.attention.${name}`, width, width, biased);
      linear('attention.output.dense', width, width);
      linear('intermediate.dense', between, width);
      linear('output.dense', width, between);
      for (const name of ['layernorm_before', 'layernorm_after'])
        for (const part of ['weight', 'bias']) checkpoint.want(`${prefix}${n}.${name}.${part}`, [width]);
    }
    config.noteOthers(['vit']);
    const heads = config.count(['num_attention_heads'], Math.max(1, Math.round(width / 64)));
    if (width % heads !== 0) checkpoint.note({ kind: 'config', key: 'num_attention_heads', value: String(heads) });
    return {
      ...{ family: 'vit', prefix, layers, width, heads, kvHeads: heads, headDim: width / heads, between, vocabulary: null },
      eps: config.positive(['layer_norm_eps'], 1e-12),
      activation: config.activation(['hidden_act'], 'gelu'),
      ...{ positions, firstPosition: 0, patches: { size, grid, channels } },
    };
  },
  layer({ prefix }, n, has) {
    const part = (...names: string[]): Source => {
      const bias = names.map((name) => `${prefix}${n}.${name}.bias`);
      const weight = names.map((name) => `${prefix}${n}.${name}.weight`);
      return bias.every(has) ? { weight, bias } : { weight };
    };
    return {
      norm1: part('layernorm_before'),
      qkv: part('attention.attention.query', 'attention.attention.key', 'attention.attention.value'),
      out: part('attention.output.dense'),
      norm2: part('layernorm_after'),
      up: part('intermediate.dense'),
      down: part('output.dense'),
    };
  },
};
