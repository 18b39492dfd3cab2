import { plural, type Localized } from '../../shell/localized.ts';

/** What the family's pictures say. */
export const messages = {
  radius: { en: 'window k', zh: '窗口 k' },
  stride: { en: 'stride k', zh: '步幅 k' },
  window: { en: 'window w', zh: '窗口 w' },
  globalTokens: { en: 'global g', zh: '全局词元 g' },
  block: { en: 'block b', zh: '块长 b' },
  globalBlocks: { en: 'global', zh: '全局块' },
  random: { en: 'random r', zh: '随机 r' },
  redraw: { en: 'Draw again', zh: '重新抽取' },
  pattern: { en: 'Pattern', zh: '稀疏掩码' },
  given: { en: 'as given', zh: '原机制' },
  combine: { en: 'combine', zh: '组合' },
  paint: { en: 'paint', zh: '涂画' },
  words: { en: 'Words', zh: '词数' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  pairs: { en: 'Layers until a pair is reached', zh: '到达每一对所需的层数' },
  layers: { en: 'Layers', zh: '层数' },
  fewer: { en: 'One layer less', zh: '少一层' },
  more: { en: 'One layer more', zh: '多一层' },
  net: { en: 'What reaches a word, layer by layer', zh: '逐层到达一个词的内容' },
  input: { en: 'words', zh: '词' },
  hatched: { en: 'hatched: not reached', zh: '斜线：未到达' },
  painted: { en: 'painted by hand', zh: '手工涂画' },
  never: { en: 'not reached', zh: '未到达' },
  table: { en: 'Table', zh: '表格' },
} satisfies Record<string, Localized>;

/** Sentences with slots. */
export const sentences = {
  layer: { en: (n: number) => `layer ${n}`, zh: (n: number) => `第 ${n} 层` },
  ofLayers: { en: (n: number) => `of ${n}`, zh: (n: number) => `共 ${n} 层` },
  kept: {
    en: (kept: string, all: string, density: string) => `${kept} of ${plural(all, 'pair')} are kept, density ${density}.`,
    zh: (kept: string, all: string, density: string) => `${all} 对中保留 ${kept} 对，密度 ${density}。`,
  },
  formula: {
    en: (formula: string, count: string) => `Formula: ${count} = ${formula}.`,
    zh: (formula: string, count: string) => `公式：${count} = ${formula}。`,
  },
  bound: {
    en: (formula: string, count: string) =>
      `Formula: ${formula}, at most ${count}: a draw may meet a pair that is there already.`,
    zh: (formula: string, count: string) => `公式：${formula}，最多 ${count}：抽到的可能是已有的配对。`,
  },
  ends: {
    en: (layers: number) => `Word 1 reaches the last word after ${plural(layers, 'layer')}.`,
    zh: (layers: number) => `第 1 个词经过 ${layers} 层到达最后一个词。`,
  },
  endsNever: {
    en: () => 'Word 1 never reaches the last word, however many layers there are.',
    zh: () => '无论多少层，第 1 个词都到不了最后一个词。',
  },
  reached: {
    en: (layers: number, reached: string, all: string) =>
      `With ${plural(layers, 'layer')}, ${reached} of ${plural(all, 'pair')} are connected.`,
    zh: (layers: number, reached: string, all: string) => `${layers} 层时，${all} 对中有 ${reached} 对连通。`,
  },
  most: {
    en: (layers: number, reached: string) => `Nothing is added after ${layers}: ${reached}.`,
    zh: (layers: number, reached: string) => `${layers} 层之后不再增加：${reached} 对。`,
  },
  way: {
    en: (query: string, key: string, layers: number, way: string) => `query ${query}, key ${key}: layer ${layers}, ${way}`,
    zh: (query: string, key: string, layers: number, way: string) => `查询 ${query}，键 ${key}：第 ${layers} 层，${way}`,
  },
  noWay: {
    en: (query: string, key: string) => `query ${query}, key ${key}: never reached`,
    zh: (query: string, key: string) => `查询 ${query}，键 ${key}：永远到不了`,
  },
  tooMany: {
    en: (layers: number) => `Words drawn layer by layer: up to ${plural(layers, 'layer')}.`,
    zh: (layers: number) => `逐层画出词的图：最多 ${layers} 层。`,
  },
  sees: {
    en: (word: string, count: number, layers: number) =>
      `After ${plural(layers, 'layer')}, ${word} has something of ${plural(count, 'word')}.`,
    zh: (word: string, count: number, layers: number) => `${layers} 层之后，${word} 含有 ${count} 个词的内容。`,
  },
  scale: { en: (most: number) => `layer 1 to ${most}`, zh: (most: number) => `第 1 到第 ${most} 层` },
  pairsName: { en: (n: number) => `pairs (${n}×${n})`, zh: (n: number) => `配对（${n}×${n}）` },
} satisfies Record<string, Localized<unknown>>;
