import type { Localized } from '../../shell/localized.ts';

export type PatternName = 'previous' | 'next' | 'same' | 'first' | 'diagonal' | 'uniform';

/** What a map of weights looks like, by its numbers. */
export const patternNames: Readonly<Record<PatternName, Localized>> = {
  previous: { en: 'previous word', zh: '前一个词' },
  next: { en: 'next word', zh: '后一个词' },
  same: { en: 'same word', zh: '相同的词' },
  first: { en: 'first word', zh: '首词' },
  diagonal: { en: 'diagonal: itself', zh: '对角线：自己' },
  uniform: { en: 'uniform', zh: '均匀' },
};

export const mapNames = {
  weights: { en: 'Weights', zh: '权重' },
  head: (n: number): Localized => ({ en: `Head ${n}`, zh: `头 ${n}` }),
  feature: (n: number): Localized => ({ en: `Feature ${n}`, zh: `特征 ${n}` }),
  allFeatures: { en: 'All features, which agree', zh: '全部特征（彼此相同）' },
  forward: (n: number): Localized => directed(n, 'Looking back', '往前看'),
  backward: (n: number): Localized => directed(n, 'Looking ahead', '往后看'),
  encoder: (n: number): Localized => ({ en: `Encoder, layer ${n}`, zh: `编码器第 ${n} 层` }),
  decoder: (n: number): Localized => ({ en: `Decoder, layer ${n}`, zh: `解码器第 ${n} 层` }),
  cross: (n: number): Localized => ({ en: `Cross-attention, layer ${n}`, zh: `交叉注意力第 ${n} 层` }),
} as const;

const directed = (feature: number, en: string, zh: string): Localized =>
  feature === 0 ? { en, zh } : { en: `${en}, feature ${feature}`, zh: `${zh}，特征 ${feature}` };

export const messages = {
  longText: { en: 'A long text of yours, up to 2,000 words', zh: '你的长文本，最多 2000 个词元' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  weight: { en: 'weight', zh: '权重' },
  length: { en: '‖value‖', zh: '‖值‖' },
  contribution: { en: 'weight × ‖value‖', zh: '权重 × ‖值‖' },
  contributionNote: {
    en: 'The key adds weight × value to the output. A large weight is not by itself an explanation.',
    zh: '键给输出加上的是“权重 × 值”。权重大，本身并不是解释。',
  },
  maps: { en: 'All maps, on one scale from 0 to 1', zh: '全部图，共用 0 到 1 的色标' },
  heads: { en: 'Heads on and off', zh: '打开或关掉头' },
  output: { en: 'Output of the chosen word', zh: '所选词的输出' },
  sentence: { en: 'What is chased', zh: '追的是' },
  last: { en: 'How it is', zh: '它怎么了' },
  layers: { en: 'Layer looked at', zh: '看哪一层' },
  layer: (n: number): Localized => ({ en: `layer ${n}`, zh: `第 ${n} 层` }),
  positions: { en: 'Positions E', zh: '位置编码 E' },
  position: { en: 'position', zh: '位置' },
  axis: { en: 'axis', zh: '轴' },
  positionNumber: { en: 'number', zh: '数值' },
  products: { en: 'Dot product of two positions', zh: '两个位置编码的点积' },
  distance: { en: 'distance j − i', zh: '距离 j − i' },
  from: (word: string): Localized => ({ en: `from ${word}`, zh: `从 ${word} 起` }),
  weightByDistance: (word: string): Localized => ({
    en: `Weights of ${word} by distance`,
    zh: `${word} 的权重随距离的变化`,
  }),
  turns: { en: 'Query and key after their rotation, pair by pair', zh: '旋转之后的查询与键，一对一对地看' },
  pair: (n: number): Localized => ({ en: `pair ${n}`, zh: `第 ${n} 对` }),
  queryOf: (word: string): Localized => ({ en: `query ${word}`, zh: `查询 ${word}` }),
  keyOf: (word: string): Localized => ({ en: `key ${word}`, zh: `键 ${word}` }),
  table: { en: 'Table of keys, one score for each distance', zh: '键的表，每个距离一个分数' },
  slope: (n: number): Localized => ({ en: `Slope of head ${n}`, zh: `头 ${n} 的斜率` }),
  alpha: { en: 'α: how much each step costs', zh: 'α：每远一步扣多少分' },
  start: { en: 'First position', zh: '首个位置' },
  scale: { en: 'Scale', zh: '缩放' },
  c: { en: 'c: the range of scores is −c to c', zh: 'c：分数的范围是 −c 到 c' },
  resample: { en: 'Sample again', zh: '重新采样' },
  seed: (n: number): Localized => ({ en: `random seed ${n}`, zh: `随机种子 ${n}` }),
  kept: { en: 'kept as key', zh: '作为键留下' },
  keptQuery: { en: 'kept as query', zh: '作为查询留下' },
  keepProbability: { en: 'probability of keeping', zh: '留下的概率' },
  phrase: { en: 'Phrase', zh: '短语' },
  addWord: (word: string): Localized => ({ en: `Add ${word}`, zh: `加上 ${word}` }),
  removeWord: { en: 'Take the last word away', zh: '去掉最后一个词' },
  next: { en: 'Next word', zh: '下一个词' },
  probability: { en: 'probability', zh: '概率' },
  step: { en: 'Word written', zh: '写出的词' },
  stepBack: { en: 'One word back', zh: '后退一个词' },
  stepOn: { en: 'Write one more word', zh: '再写一个词' },
  stepOf: (n: number, all: number): Localized => ({ en: `${n} of ${all}`, zh: `第 ${n} 个，共 ${all} 个` }),
  written: { en: 'Written so far', zh: '已写出' },
} as const;

/** The two sides of a switch: as the mechanism was designed, and without what it adds. */
export const sides: Readonly<Record<string, { label: Localized; designed: Localized; without: Localized }>> = {
  multi_head: {
    label: { en: 'Heads', zh: '头' },
    designed: { en: 'four', zh: '四个' },
    without: { en: 'all as one', zh: '并成一个' },
  },
  multi_query: {
    label: { en: 'Questions', zh: '查询' },
    designed: { en: 'three', zh: '三个' },
    without: { en: 'their mean', zh: '三者平均' },
  },
  split_heads: {
    label: { en: 'Vectors', zh: '向量' },
    designed: { en: 'split in two', zh: '切成两半' },
    without: { en: 'whole', zh: '不切分' },
  },
  two_stage_heads: {
    label: { en: 'Second stage', zh: '第二级' },
    designed: { en: 'a question for each head', zh: '每头一个问题' },
    without: { en: 'the same word for both', zh: '两头都问同一个词' },
  },
  sinusoidal: {
    label: { en: 'Query matrix W_q', zh: '查询矩阵 W_q' },
    designed: { en: 'turned by one step', zh: '转一步' },
    without: { en: 'not turned', zh: '不转' },
  },
  learned_positions: {
    label: { en: 'Positions', zh: '位置' },
    designed: { en: 'on', zh: '开' },
    without: { en: 'off', zh: '关' },
  },
  recurrent_positions: {
    label: { en: 'The cell', zh: '循环单元' },
    designed: { en: 'moves on', zh: '往前走' },
    without: { en: 'stands still', zh: '不动' },
  },
  relative_positions: {
    label: { en: 'Table', zh: '表' },
    designed: { en: 'high at −1', zh: '在 −1 处高' },
    without: { en: 'high at +1', zh: '在 +1 处高' },
  },
  rope: {
    label: { en: 'Query', zh: '查询' },
    designed: { en: 'one step behind its key', zh: '比键落后一步' },
    without: { en: 'equal to its key', zh: '与键相同' },
  },
  alibi: {
    label: { en: 'Bias', zh: '偏置' },
    designed: { en: 'by distance', zh: '随距离' },
    without: { en: 'off', zh: '关' },
  },
  distance_self_attention: {
    label: { en: 'Distance', zh: '距离' },
    designed: { en: 'counts, α = 1.5', zh: '起作用，α = 1.5' },
    without: { en: 'does not count, α = 0', zh: '不起作用，α = 0' },
  },
  disan: {
    label: { en: 'Features', zh: '特征' },
    designed: { en: 'weights of their own', zh: '各有权重' },
    without: { en: 'the same weights', zh: '权重相同' },
  },
  resa: {
    label: { en: 'Kept', zh: '留下' },
    designed: { en: 'content words', zh: '实词' },
    without: { en: 'all words', zh: '全部词' },
  },
  transformer: {
    label: { en: 'Positions', zh: '位置' },
    designed: { en: 'on', zh: '开' },
    without: { en: 'off', zh: '关' },
  },
  transformer_generate: {
    label: { en: 'Positions', zh: '位置' },
    designed: { en: 'on', zh: '开' },
    without: { en: 'off', zh: '关' },
  },
};
