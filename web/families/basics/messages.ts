import type { Localized } from '../../shell/localized.ts';

/** What the family's picture says. */
export const messages = {
  query: { en: 'query', zh: '查询' },
  token: { en: 'token', zh: '词元' },
  key: { en: 'key', zh: '键' },
  score: { en: 'score', zh: '分数' },
  weight: { en: 'weight', zh: '权重' },
  soft: { en: 'by softmax', zh: '用 softmax' },
  unscaled: { en: 'divided by 1', zh: '除以 1' },
  output: { en: 'output', zh: '输出' },
  draws: { en: 'draws', zh: '采样次数' },
  redraw: { en: 'Draw again', zh: '重新采样' },
  keep: { en: 'keys kept, k', zh: '保留的键数 k' },
  bars: { en: 'Scores and weights of the keys', zh: '各个键的分数与权重' },
  mix: { en: 'values, each times its weight, add up to the output', zh: '值乘以权重再相加，得到输出' },
  axes: { en: 'what each word has; press the query’s numbers', zh: '每个词具有的特征；点查询一行可以改' },
  W: { en: 'W: which country goes with which capital', zh: 'W：国家与首都的对应' },
  places: { en: 'W: a row for each position, no key', zh: 'W：每个位置一行，与键无关' },
  words: { en: 'keys: press a number to change the word', zh: '键：点数字可以改动词' },
  store: { en: 'key K beside value V', zh: '键 K 与值 V' },
  window: { en: 'the window of this word', zh: '这个词的窗口' },
  labels: { en: 'outputs: one for each label', zh: '输出：每个标签一个' },
  plane: { en: 'query and keys as arrows, values as an area, output as a dot', zh: '查询和键是箭头，值围成区域，输出是点' },
  curve: { en: 'weight of the chosen key as its score moves', zh: '所选键的分数变化时，它的权重' },
  units: { en: 'two tanh units and the score they make', zh: '两个 tanh 单元和它们合成的分数' },
  keyNumber: { en: 'number of the key', zh: '键的数值' },
  unitA: { en: 'unit 1', zh: '单元 1' },
  unitB: { en: 'unit 2', zh: '单元 2' },
  here: { en: 'this mechanism', zh: '本机制' },
  scoreOf: { en: 'score', zh: '打分函数' },
  normalizer: { en: 'weights by', zh: '权重来自' },
  scale: { en: 'scores divided by', zh: '分数除以' },
  value: { en: 'value', zh: '值' },
  own: { en: 'price', zh: '价格' },
  tied: { en: 'tied: V = K', zh: '绑定：V = K' },
  mixing: { en: 'each unit sees', zh: '每个单元看到' },
  both: { en: 'verb and noun', zh: '量词与名词' },
  one: { en: 'only one of them', zh: '只有其中一个' },
  table: { en: 'table W', zh: '表 W' },
  capitals: { en: 'by hand', zh: '手工设定' },
  identity: { en: 'identity, W = I', zh: '单位矩阵 W = I' },
  netWindow: { en: 'words seen', zh: '能看到的词' },
  three: { en: 'one on each side', zh: '左右各一个' },
  alone: { en: 'this word alone', zh: '只有这个词' },
  temperature: { en: 'temperature', zh: '温度' },
  sum: { en: 'sum of the weights', zh: '权重之和' },
} satisfies Record<string, Localized>;

/** Sentences with slots. */
export const sentences = {
  keyN: { en: (n: number) => `key ${n}`, zh: (n: number) => `键 ${n}` },
  queryN: { en: (n: number) => `query ${n}`, zh: (n: number) => `查询 ${n}` },
  scale: {
    en: (from: string, to: string, sum: string) =>
      `All keys share one scale: scores ${from} to ${to}, weights 0 to 1. The weights sum to ${sum}.`,
    zh: (from: string, to: string, sum: string) => `所有键共用一个刻度：分数 ${from} 到 ${to}，权重 0 到 1。权重之和 ${sum}。`,
  },
  times: {
    en: (weight: string, name: string) => `${weight} · ${name}`,
    zh: (weight: string, name: string) => `${weight} · ${name}`,
  },
  label: {
    en: (word: string, label: string) => `“${word}” is labeled ${label}.`,
    zh: (word: string, label: string) => `${word} 的标签是 ${label}。`,
  },
  drawn: {
    en: (n: number) => `mean of ${n}`,
    zh: (n: number) => `${n} 次平均`,
  },
} satisfies Record<string, Localized<unknown>>;

/** The words that the window of a word sees. */
export const names: Readonly<Record<string, Localized>> = {
  before: { en: 'before', zh: '前一个' },
  here: { en: 'here', zh: '本词' },
  after: { en: 'after', zh: '后一个' },
};
