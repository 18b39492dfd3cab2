import type { Family } from 'fovea/catalog';
import type { FamilyInfo } from './family.ts';

/** The nine families, in the order in which they are learned. */
export const FAMILIES: readonly FamilyInfo[] = [
  {
    family: 'basics',
    path: 'basics',
    title: { en: 'Basics', zh: '基础' },
    question: {
      en: 'One question, several answers: how much of each?',
      zh: '一个查询，几个答案：每个各取多少？',
    },
    order: [
      ...['scaled_dot', 'dot', 'key_value', 'additive', 'bilinear', 'concat', 'cosine', 'location'],
      ...['hard', 'hard_sampled', 'top_k', 'sparsemax', 'entmax', 'relu', 'fully_connected'],
    ],
  },
  {
    family: 'alignment',
    path: 'alignment',
    title: { en: 'Alignment in encoder-decoders', zh: '编码器-解码器中的对齐' },
    question: { en: 'Which source words make the next word?', zh: '下一个词由哪些源词决定？' },
    order: [
      ...['bahdanau', 'luong', 'luong_local', 'conv_s2s', 'multi_source', 'task_specific', 'decomposable_attention'],
      ...['rnn', 'gru', 'lstm'],
    ],
  },
  {
    family: 'selfAttention',
    path: 'self-attention-and-positions',
    title: { en: 'Self-attention and positions', zh: '自注意力与位置' },
    question: { en: 'Where does each word of a sentence look?', zh: '句子里的每个词看向哪里？' },
    order: [
      ...['self_attention', 'multi_head', 'multi_query', 'split_heads', 'two_stage_heads'],
      ...['sinusoidal', 'learned_positions', 'recurrent_positions', 'relative_positions', 'rope', 'alibi'],
      ...['distance_self_attention', 'disan', 'resa', 'transformer', 'transformer_generate'],
    ],
    tellings: { self_attention: () => import('./self_attention/telling/Telling.svelte') },
  },
  {
    family: 'pooling',
    path: 'pooling',
    title: { en: 'Pooling a text', zh: '汇聚一段文本' },
    question: { en: 'A whole text in one vector: which words does it keep?', zh: '用一个向量表示整段文本：留下哪些词？' },
    order: ['saliency', 'structured_self_attention', 'hierarchical_attention', 'sentence_embedding'],
  },
  {
    family: 'sparse',
    path: 'sparse',
    title: { en: 'Sparse', zh: '稀疏' },
    question: { en: 'Which pairs can be left out?', zh: '哪些配对可以省去？' },
    order: ['local', 'atrous', 'sparse_transformer', 'longformer', 'bigbird', 'axial', 'reformer', 'xformer_cost'],
  },
  {
    family: 'linear',
    path: 'linear-and-low-rank',
    title: { en: 'Linear and low-rank', zh: '线性与低秩' },
    question: { en: 'Can a text be read without comparing all pairs?', zh: '能否不比较所有配对就读完一段文本？' },
    order: ['linear', 'linear_rnn', 'delta_rule', 'efficient_attention', 'performer', 'linformer', 'em_attention'],
  },
  {
    family: 'memory',
    path: 'memory',
    title: { en: 'Memory', zh: '记忆' },
    question: { en: 'How does an answer come from facts that are far apart?', zh: '相隔很远的事实如何得出一个答案？' },
    order: ['memory_network', 'key_value_memory', 'dynamic_memory', 'key_value_predict', 'ngram_rnn'],
  },
  {
    family: 'pointing',
    path: 'pointing-and-copying',
    title: { en: 'Pointing and copying', zh: '指针与拷贝' },
    question: { en: 'What if the answer is a word of the input?', zh: '如果答案就是输入里的一个词呢？' },
    order: ['pointer_network', 'pointer_generator', 'copy_net', 'attention_sum_reader', 'attention_over_attention'],
  },
  {
    family: 'beyondText',
    path: 'beyond-text',
    title: { en: 'Beyond text: image, sound, graph', zh: '文本之外：图像、声音、图' },
    question: { en: 'What attends when there are no words?', zh: '没有词的时候，是什么在注意？' },
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
