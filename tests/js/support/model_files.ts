/** Small files of models under Hugging Face's names, with seeded weights. */
import { writeSafetensors } from 'fovea/files';

export interface Array2 {
  readonly data: Float32Array;
  readonly shape: number[];
}
export type Weights = Record<string, Array2>;

/** Weights about 0, of norms about 1, from a seed (mulberry32). */
export function seeded(seed: number): (...shape: number[]) => Array2 {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  };
  return (...shape) => ({
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => (shape.length === 1 ? 1 + next() : next())),
  });
}

export const fileOf = (weights: Weights): Blob => new Blob([writeSafetensors(weights) as Uint8Array<ArrayBuffer>]);

/** E 16, 2 layers, 40 words. */
export function bertWeights(prefix = 'bert.', norm = ['weight', 'bias']): Weights {
  const random = seeded(1);
  const weights: Weights = {};
  const linear = (name: string, outer: number, inner: number): void => {
    weights[`${prefix}${name}.weight`] = random(outer, inner);
    weights[`${prefix}${name}.bias`] = random(outer);
  };
  const norms = (name: string): void => norm.forEach((part) => (weights[`${prefix}${name}.${part}`] = random(16)));
  weights[`${prefix}embeddings.word_embeddings.weight`] = random(40, 16);
  weights[`${prefix}embeddings.position_embeddings.weight`] = random(32, 16);
  weights[`${prefix}embeddings.token_type_embeddings.weight`] = random(2, 16);
  norms('embeddings.LayerNorm');
  for (const n of [0, 1]) {
    for (const name of ['query', 'key', 'value']) linear(`encoder.layer.${n}.attention.self.${name}`, 16, 16);
    linear(`encoder.layer.${n}.attention.output.dense`, 16, 16);
    norms(`encoder.layer.${n}.attention.output.LayerNorm`);
    linear(`encoder.layer.${n}.intermediate.dense`, 24, 16);
    linear(`encoder.layer.${n}.output.dense`, 16, 24);
    norms(`encoder.layer.${n}.output.LayerNorm`);
  }
  return weights;
}

export function gpt2Weights(prefix = 'transformer.', { width = 16, layers = 2, words = 40 } = {}): Weights {
  const random = seeded(2);
  const weights: Weights = {};
  const pair = (name: string, matrix: Array2, outer: number): void => {
    weights[`${prefix}${name}.weight`] = matrix;
    weights[`${prefix}${name}.bias`] = random(outer);
  };
  weights[`${prefix}wte.weight`] = random(words, width);
  weights[`${prefix}wpe.weight`] = random(32, width);
  pair('ln_f', random(width), width);
  for (let n = 0; n < layers; ++n) {
    for (const name of ['ln_1', 'ln_2']) pair(`h.${n}.${name}`, random(width), width);
    pair(`h.${n}.attn.c_attn`, random(width, 3 * width), 3 * width);
    pair(`h.${n}.attn.c_proj`, random(width, width), width);
    pair(`h.${n}.mlp.c_fc`, random(width, 4 * width), 4 * width);
    pair(`h.${n}.mlp.c_proj`, random(4 * width, width), width);
    weights[`${prefix}h.${n}.attn.bias`] = random(1, 1, 32, 32);
  }
  return weights;
}

/** 4 heads of 4, 2 of keys and values. */
export function llamaWeights(): Weights {
  const random = seeded(3);
  const weights: Weights = {
    'model.embed_tokens.weight': random(40, 16),
    'lm_head.weight': random(40, 16),
    'model.norm.weight': random(16),
  };
  for (const n of [0, 1]) {
    const set = (name: string, ...shape: number[]): void =>
      void (weights[`model.layers.${n}.${name}.weight`] = random(...shape));
    set('self_attn.q_proj', 16, 16);
    set('self_attn.k_proj', 8, 16);
    set('self_attn.v_proj', 8, 16);
    set('self_attn.o_proj', 16, 16);
    set('mlp.gate_proj', 24, 16);
    set('mlp.up_proj', 24, 16);
    set('mlp.down_proj', 16, 24);
    set('input_layernorm', 16);
    set('post_attention_layernorm', 16);
  }
  return weights;
}

/** Images of 8×8 in patches of 4. */
export function vitWeights(prefix = 'vit.'): Weights {
  const random = seeded(4);
  const weights: Weights = {};
  const linear = (name: string, outer: number, inner: number): void => {
    weights[`${prefix}${name}.weight`] = random(outer, inner);
    weights[`${prefix}${name}.bias`] = random(outer);
  };
  weights[`${prefix}embeddings.patch_embeddings.projection.weight`] = random(16, 3, 4, 4);
  weights[`${prefix}embeddings.patch_embeddings.projection.bias`] = random(16);
  weights[`${prefix}embeddings.cls_token`] = random(1, 1, 16);
  weights[`${prefix}embeddings.position_embeddings`] = random(1, 5, 16);
  for (const n of [0, 1]) {
    const layer = `encoder.layer.${n}.`;
    for (const name of ['query', 'key', 'value']) linear(`${layer}attention.attention.${name}`, 16, 16);
    linear(`${layer}attention.output.dense`, 16, 16);
    linear(`${layer}intermediate.dense`, 24, 16);
    linear(`${layer}output.dense`, 16, 24);
    for (const name of ['layernorm_before', 'layernorm_after'])
      for (const part of ['weight', 'bias']) weights[`${prefix}${layer}${name}.${part}`] = random(16);
  }
  return weights;
}
