import { plural, type Localized } from '../../shell/localized.ts';

/** What the pictures of the family say. */
export const messages = {
  question: { en: 'Question', zh: '问题' },
  film: { en: 'Birthplace of the director of', zh: '求导演的出生地，电影是' },
  tables: { en: 'Embedding tables', zh: '嵌入表' },
  apart: { en: 'one for each hop', zh: '每跳各用一张' },
  shared: { en: 'one shared by all', zh: '全都共用一张' },
  values: { en: 'Values', zh: '值' },
  own: { en: 'of their own', zh: '自成一份' },
  tied: { en: 'tied: V = K', zh: '绑定：V = K' },
  passes: { en: 'passes over the story', zh: '读几遍故事' },
  story: { en: 'memory', zh: '记忆' },
  kept: { en: 'in the memory', zh: '放进记忆' },
  keys: { en: 'key → value', zh: '键 → 值' },
  sentences: { en: 'sentences of the story', zh: '故事里的句子' },
  asks: { en: 'query', zh: '查询' },
  memory: { en: 'memory before it', zh: '此前的记忆' },
  reads: { en: 'it reads', zh: '读出' },
  answer: { en: 'answer', zh: '答案' },
  nothing: { en: 'nothing', zh: '什么也没有' },
  weight: { en: 'weight', zh: '权重' },
  gate: { en: 'gate', zh: '门' },
  place: { en: 'Step', zh: '步' },
  back: { en: 'One less', zh: '减一' },
  on: { en: 'One more', zh: '加一' },
  next: { en: 'Next', zh: '下一步' },
  again: { en: 'From the start', zh: '从头再来' },
  word: { en: 'word', zh: '词' },
  query: { en: 'word that asks', zh: '提问的词' },
  memoryKey: { en: 'word in the memory', zh: '记忆里的词' },
  window: { en: 'Window L', zh: '窗口 L' },
  states: {
    en: 'state of each word: key k, value v, prediction p; filled is 1',
    zh: '每个词的状态：键 k、值 v、预测 p；实心为 1',
  },
  bringsBack: { en: 'value brought back', zh: '取回的值' },
  saysNext: { en: 'predicted next', zh: '预测的下文' },
  changeKey: { en: 'its key', zh: '它的键' },
  changePredict: { en: 'its prediction', zh: '它的预测' },
  person: { en: 'person', zh: '人' },
  thing: { en: 'thing', zh: '物' },
  verb: { en: 'verb', zh: '动词' },
  noun: { en: 'noun', zh: '名词' },
  end: { en: 'end', zh: '句末' },
  seen: { en: 'seen', zh: '看到的' },
  three: { en: 'three words', zh: '三个词' },
  one: { en: 'one word', zh: '一个词' },
  parts: { en: 'parts of the states; those that are read now are outlined', zh: '各状态的三部分；框出的是现在读到的' },
  output: { en: 'h*: how strongly each word is still there', zh: 'h*：每个词还留下多少' },
  strength: { en: 'in h*', zh: 'h* 中' },
} satisfies Record<string, Localized>;

/** Sentences with slots. */
export const sentences = {
  hop: { en: (n: number) => `hop ${n}`, zh: (n: number) => `第 ${n} 跳` },
  pass: { en: (n: number) => `pass ${n}`, zh: (n: number) => `第 ${n} 遍` },
  sum: {
    en: (sum: string) => `All bars are drawn from 0 to 1; the weights of a hop sum to ${sum}.`,
    zh: (sum: string) => `所有条形的刻度都是 0 到 1；一跳的权重之和为 ${sum}。`,
  },
  gates: {
    en: (sum: string) => `All bars are drawn from 0 to 1. Gates are no distribution: here they sum to ${sum}.`,
    zh: (sum: string) => `所有条形的刻度都是 0 到 1。门不是分布：这里它们的和为 ${sum}。`,
  },
  moved: {
    en: (weights: string, output: string) =>
      `Against the start, weights moved by ${weights} at most, the output h* by ${output}.`,
    zh: (weights: string, output: string) => `与初始相比，权重最多变了 ${weights}，输出 h* 最多变了 ${output}。`,
  },
  windowOf: { en: (n: number) => `L = ${n}`, zh: (n: number) => `L = ${n}` },
  words: { en: (n: number) => `${plural(n, 'word')} back`, zh: (n: number) => `往前 ${n} 个词` },
  wordOf: {
    en: (n: number, all: number) => `word ${n} of ${all}`,
    zh: (n: number, all: number) => `第 ${n} 个词，共 ${all} 个`,
  },
  later: {
    en: (n: number) => (n === 0 ? 'read at once' : `read ${n} later`),
    zh: (n: number) => (n === 0 ? '当时读' : `过 ${n} 个词读`),
  },
} satisfies Record<string, Localized<unknown>>;
