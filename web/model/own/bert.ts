/** BERT's and RoBERTa's names (Hugging Face): encoders whose norms stand behind each half of a layer. */
import { before, type Family, type Source } from './family.ts';

const WORDS = 'embeddings.word_embeddings.weight';

export const bert: Family = {
  name: 'bert',
  prefixOf: (names) => before(names, WORDS),
  plan(checkpoint, config, start) {
    const [vocabulary = 1, width = 64] = checkpoint.want(`${start}${WORDS}`, [-1, -1]) ?? [];
    const [positions = 1] = checkpoint.want(`${start}embeddings.position_embeddings.weight`, [-1, width]) ?? [];
    checkpoint.maybe(`${start}embeddings.token_type_embeddings.weight`, [-1, width]);
    for (const part of ['weight', 'bias']) checkpoint.want(`${start}embeddings.LayerNorm.${part}`, [width]);
    checkpoint.skip(`${start}embeddings.position_ids`);
    const prefix = `${start}encoder.layer.`;
    const layers = Math.max(1, checkpoint.countLayers(prefix));
    const [between = 1] = checkpoint.want(`${prefix}0.intermediate.dense.weight`, [-1, width]) ?? [];
    for (let n = 0; n < layers; ++n) {
      const linear = (name: string, outer: number, inner: number): void => {
        checkpoint.want(`${prefix}${n}.${name}.weight`, [outer, inner]);
        checkpoint.want(`${prefix}${n}.${name}.bias`, [outer]);
      };
      for (const name of ['query', 'key', 'value']) linear(`attention.self.${name}`, width, width);
      linear('attention.output.dense', width, width);
      linear('intermediate.dense', between, width);
      linear('output.dense', width, between);
      for (const name of ['attention.output.LayerNorm', 'output.LayerNorm'])
        for (const part of ['weight', 'bias']) checkpoint.want(`${prefix}${n}.${name}.${part}`, [width]);
    }
    const type = config.get('model_type')?.value;
    const isRoberta = /roberta|camembert/.test(typeof type === 'string' ? type : start);
    config.noteOthers(['bert', 'roberta', 'xlm-roberta', 'camembert']);
    const heads = config.count(['num_attention_heads'], Math.max(1, Math.round(width / 64)));
    if (width % heads !== 0) checkpoint.note({ kind: 'config', key: 'num_attention_heads', value: String(heads) });
    // RoBERTa's first rows of positions belong to padding.
    const firstPosition = isRoberta ? 2 : 0;
    return {
      ...{ family: 'bert', prefix, layers, width, heads, kvHeads: heads, headDim: width / heads, between, vocabulary },
      eps: config.positive(['layer_norm_eps'], isRoberta ? 1e-5 : 1e-12),
      activation: config.activation(['hidden_act'], 'gelu'),
      ...{ positions: positions - firstPosition, firstPosition },
    };
  },
  layer({ prefix }, n) {
    const part = (...names: string[]): Source => ({
      weight: names.map((name) => `${prefix}${n}.${name}.weight`),
      bias: names.map((name) => `${prefix}${n}.${name}.bias`),
    });
    return {
      qkv: part('attention.self.query', 'attention.self.key', 'attention.self.value'),
      out: part('attention.output.dense'),
      norm1: part('attention.output.LayerNorm'),
      up: part('intermediate.dense'),
      down: part('output.dense'),
      norm2: part('output.LayerNorm'),
    };
  },
};
