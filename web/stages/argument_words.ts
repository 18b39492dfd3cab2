/** What inputs and params are called on the page: their own names, with dots, are those of the package's API. */
import type { Localized } from '../shell/localized.ts';

type Words = Readonly<Record<string, Localized>>;
export type ArgumentKind = 'inputs' | 'params' | 'options';

const INPUTS: Words = {
  a: { en: 'first sentence', zh: '第一句' },
  b: { en: 'second sentence', zh: '第二句' },
  candidates: { en: 'candidates', zh: '候选' },
  decoder: { en: 'decoder states', zh: '解码器的隐状态' },
  decoderIds: { en: 'numbers of the words written so far', zh: '已写各词的编号' },
  decoderInputs: { en: 'inputs of the decoder', zh: '解码器的输入' },
  document: { en: 'document', zh: '文档' },
  e: { en: 'embeddings of the source', zh: '源序列的词嵌入' },
  edges: { en: 'edges', zh: '边' },
  g: { en: 'embeddings of the words written so far', zh: '已写各词的词嵌入' },
  H: { en: 'hidden states', zh: '隐状态' },
  h: { en: 'nodes', zh: '节点' },
  hidden: { en: 'hidden states', zh: '隐状态' },
  image: { en: 'image', zh: '图像' },
  k: { en: 'keys', zh: '键' },
  keys: { en: 'keys of the memory', zh: '记忆的键' },
  points: { en: 'points', zh: '点' },
  q: { en: 'queries', zh: '查询' },
  query: { en: 'question', zh: '问题' },
  question: { en: 'question', zh: '问题' },
  sentenceEnds: { en: 'ends of the sentences', zh: '各句的句末位置' },
  signal: { en: 'sound signal', zh: '声音信号' },
  source: { en: 'source', zh: '源序列' },
  source1: { en: 'source 1', zh: '源序列 1' },
  source2: { en: 'source 2', zh: '源序列 2' },
  sourceIds: { en: 'numbers of the source words', zh: '源序列各词的编号' },
  story: { en: 'story', zh: '故事' },
  target: { en: 'target', zh: '目标序列' },
  task: { en: 'task', zh: '任务' },
  v: { en: 'values', zh: '值' },
  values: { en: 'values of the memory', zh: '记忆的值' },
  words: { en: 'words', zh: '词' },
  X: { en: 'input', zh: '输入' },
  x: { en: 'input', zh: '输入' },
  z: { en: 'outputs of the encoder', zh: '编码器的输出' },
};

/** A part of a name before a dot: a layer, or a network of several arrays. */
const GROUPS: Words = {
  answer: { en: 'answer', zh: '回答' },
  attention1: { en: 'attention to source 1', zh: '对源序列 1 的注意力' },
  attention2: { en: 'attention to source 2', zh: '对源序列 2 的注意力' },
  backward: { en: 'backward', zh: '后向' },
  cell: { en: 'recurrent cell', zh: '循环单元' },
  decoder: { en: 'decoder', zh: '解码器' },
  dependent: { en: 'kept as keys', zh: '留作键' },
  document: { en: 'document', zh: '文档' },
  encoder: { en: 'encoder', zh: '编码器' },
  episode: { en: 'episodes', zh: '情景' },
  F: { en: 'network F', zh: '网络 F' },
  first: { en: 'first stage', zh: '第一级' },
  forward: { en: 'forward', zh: '前向' },
  G: { en: 'network G', zh: '网络 G' },
  generator: { en: 'scores of the words', zh: '各词的分数' },
  gru: { en: 'recurrent network', zh: '循环神经网络' },
  H: { en: 'network H', zh: '网络 H' },
  head: { en: 'kept as queries', zh: '留作查询' },
  initialState: { en: 'first state', zh: '初始状态' },
  input: { en: 'story', zh: '故事' },
  linear1: { en: 'first linear layer', zh: '第一个线性层' },
  linear2: { en: 'second linear layer', zh: '第二个线性层' },
  memory: { en: 'memory', zh: '记忆' },
  multihead_attn: { en: 'cross-attention', zh: '交叉注意力' },
  norm1: { en: 'normalization 1', zh: '归一化 1' },
  norm2: { en: 'normalization 2', zh: '归一化 2' },
  norm3: { en: 'normalization 3', zh: '归一化 3' },
  out_proj: { en: 'output projection', zh: '输出投影' },
  query: { en: 'question', zh: '问题' },
  question: { en: 'question', zh: '问题' },
  second: { en: 'second stage', zh: '第二级' },
  self_attn: { en: 'self-attention', zh: '自注意力' },
  sentence: { en: 'sentences', zh: '句子' },
  source2token: { en: 'pooling', zh: '汇聚' },
  sourceEmbedding: { en: 'embedding of the source', zh: '源序列的词嵌入' },
  targetEmbedding: { en: 'embedding of the target', zh: '目标序列的词嵌入' },
  word: { en: 'words', zh: '词' },
};

/** A part of a name that a number follows. */
const COUNTED: Readonly<Record<string, (n: number) => Localized>> = {
  blocks: (n) => ({ en: `block ${n + 1}`, zh: `第 ${n + 1} 块` }),
  layers: (n) => ({ en: `layer ${n + 1}`, zh: `第 ${n + 1} 层` }),
  ngram: (n) => ({ en: `groups of ${n} words`, zh: `${n} 个词一组` }),
};

const ARRAYS: Words = {
  aSource: { en: 'score vector of the node that is seen', zh: '被看节点的打分向量' },
  aTarget: { en: 'score vector of the node that looks', zh: '在看节点的打分向量' },
  bias: { en: 'bias', zh: '偏置' },
  E: { en: 'projection of the keys', zh: '键的投影' },
  embedding: { en: 'embedding', zh: '词嵌入' },
  first: { en: 'first position', zh: '首个位置' },
  globalTokens: { en: 'global tokens', zh: '全局词元' },
  in_proj_weight: { en: 'projections of queries, keys and values', zh: '查询、键、值的投影' },
  keyTable: { en: 'table of distances for the keys', zh: '键的距离表' },
  mu: { en: 'bases at the start', zh: '起始的基' },
  s: { en: 'state', zh: '状态' },
  shape: { en: 'rows and columns', zh: '行数与列数' },
  slopes: { en: 'slope of each head', zh: '各头的斜率' },
  start: { en: 'start symbol', zh: '起始符号' },
  table: { en: 'table of positions', zh: '位置表' },
  valueTable: { en: 'table of distances for the values', zh: '值的距离表' },
  weight: { en: 'weight matrix', zh: '权重矩阵' },
  We: { en: 'embedding', zh: '词嵌入' },
  Wk: { en: 'projection of the keys', zh: '键的投影' },
  Wo: { en: 'output projection', zh: '输出投影' },
  Wq: { en: 'projection of the queries', zh: '查询的投影' },
  Wv: { en: 'projection of the values', zh: '值的投影' },
};

/** Arrays of recurrent cells, as PyTorch names them; `_reverse` for the direction from the end. */
const CELLS: readonly (readonly [name: RegExp, Localized])[] = [
  [/^weight_ih_l\d+$/, { en: 'weights of the input', zh: '输入的权重' }],
  [/^weight_ih_l\d+_reverse$/, { en: 'weights of the input, backward', zh: '输入的权重，后向' }],
  [/^weight_hh_l\d+$/, { en: 'weights of the state', zh: '状态的权重' }],
  [/^weight_hh_l\d+_reverse$/, { en: 'weights of the state, backward', zh: '状态的权重，后向' }],
  [/^bias_[ih]h_l\d+$/, { en: 'bias', zh: '偏置' }],
  [/^bias_[ih]h_l\d+_reverse$/, { en: 'bias, backward', zh: '偏置，后向' }],
  // The others are letters of the formula, which stand beside the words.
  [/^b/, { en: 'bias', zh: '偏置' }],
  [/^[a-z]/, { en: 'weight vector', zh: '权重向量' }],
  [/^[A-Z]/, { en: 'weight matrix', zh: '权重矩阵' }],
];

/** An array among a mechanism's arguments in words: "encoder, layer 1, self-attention, output projection, weight matrix". */
export function argumentName(name: string, kind: ArgumentKind): Localized {
  const parts = name.split('.');
  const words = parts.flatMap((part, i): Localized[] => {
    if (/^\d+$/.test(part)) return [];
    const next = parts[i + 1];
    const counted = COUNTED[part];
    if (counted && next !== undefined) return [counted(Number(next))];
    if (next !== undefined) return [GROUPS[part] ?? { en: part, zh: part }];
    return [
      (kind === 'inputs' ? INPUTS[part] : undefined) ?? ARRAYS[part] ?? CELLS.find(([pattern]) => pattern.test(part))![1],
    ];
  });
  return { en: words.map(({ en }) => en).join(', '), zh: words.map(({ zh }) => zh).join('，') };
}
