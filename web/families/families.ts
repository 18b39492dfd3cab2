import type { Family } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/families.ts';
import type { FamilyInfo } from './family.ts';

/** The nine families, in the order in which they are learned. */
export const FAMILIES: readonly FamilyInfo[] = [
  {
    family: 'basics',
    path: 'basics',
    ...texts.basics,
    order: [
      ...['scaled_dot', 'dot', 'key_value', 'additive', 'bilinear', 'concat', 'cosine', 'location'],
      ...['hard', 'hard_sampled', 'top_k', 'sparsemax', 'entmax', 'relu', 'fully_connected'],
    ],
  },
  {
    family: 'alignment',
    path: 'alignment',
    ...texts.alignment,
    order: [
      ...['bahdanau', 'luong', 'luong_local', 'conv_s2s', 'multi_source', 'task_specific', 'decomposable_attention'],
      ...['rnn', 'gru', 'lstm'],
    ],
  },
  {
    family: 'selfAttention',
    path: 'self-attention-and-positions',
    ...texts.selfAttention,
    order: [
      ...['self_attention', 'multi_head', 'multi_query', 'split_heads', 'two_stage_heads'],
      ...['sinusoidal', 'learned_positions', 'recurrent_positions', 'relative_positions', 'rope', 'alibi'],
      ...['distance_self_attention', 'disan', 'resa', 'transformer', 'transformer_generate'],
    ],
    tellings: { self_attention: () => import('./self_attention/Computation.svelte') },
  },
  {
    family: 'pooling',
    path: 'pooling',
    ...texts.pooling,
    order: ['saliency', 'structured_self_attention', 'hierarchical_attention', 'sentence_embedding'],
  },
  {
    family: 'sparse',
    path: 'sparse',
    ...texts.sparse,
    order: ['local', 'atrous', 'sparse_transformer', 'longformer', 'bigbird', 'axial', 'reformer', 'xformer_cost'],
  },
  {
    family: 'linear',
    path: 'linear-and-low-rank',
    ...texts.linear,
    order: ['linear', 'linear_rnn', 'delta_rule', 'efficient_attention', 'performer', 'linformer', 'em_attention'],
  },
  {
    family: 'memory',
    path: 'memory',
    ...texts.memory,
    order: ['memory_network', 'key_value_memory', 'dynamic_memory', 'key_value_predict', 'ngram_rnn'],
  },
  {
    family: 'pointing',
    path: 'pointing-and-copying',
    ...texts.pointing,
    order: ['pointer_network', 'pointer_generator', 'copy_net', 'attention_sum_reader', 'attention_over_attention'],
  },
  {
    family: 'beyondText',
    path: 'beyond-text',
    ...texts.beyondText,
    order: ['image_self_attention', 'convolution_attention', 'speech_self_attention', 'graph_attention'],
  },
];

export function infoOf(family: Family): FamilyInfo {
  const info = FAMILIES.find((candidate) => candidate.family === family);
  if (!info) throw new Error(`there is no family "${family}"`);
  return info;
}

/** An id of the catalog as it stands in addresses, and back. */
export const pathOf = (id: string): string => id.replaceAll('_', '-');
export const idOf = (path: string): string => path.replaceAll('-', '_');

/** The ids of a family's mechanisms as they are learned, `ids` being all of the family's. */
export function learningOrder(info: FamilyInfo, ids: readonly string[]): readonly string[] {
  return [...info.order.filter((id) => ids.includes(id)), ...ids.filter((id) => !info.order.includes(id))];
}
