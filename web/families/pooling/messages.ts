import type { Localized } from '../../shell/localized.ts';

export const messages = {
  question: { en: 'Question (query)', zh: '问题（查询）' },
  withAndWithout: { en: 'Without a question, and with one', zh: '不提问与提问' },
  gate: { en: 'gate: saliency, no question', zh: '门：显著性，没有问题' },
  focused: { en: 'attention weight for the question', zh: '针对问题的注意力权重' },
  opensFor: { en: 'The gate opens for', zh: '门为谁打开' },
  content: { en: 'nouns and verbs', zh: '名词和动词' },
  nouns: { en: 'nouns only', zh: '只有名词' },
  oneVector: { en: 'The text as one vector', zh: '整段文本变成一个向量' },
  gatedSum: { en: 'gated sum', zh: '门控求和' },
  maximum: { en: 'maximum', zh: '逐维最大值' },
  focusedSum: { en: 'attention', zh: '注意力' },

  looksFor: { en: (h: number) => `Hop ${h} looks for`, zh: (h: number) => `第 ${h} 跳找` },
  rowsOfA: { en: 'A: the weights of each hop over the words', zh: 'A：每一跳在各词上的权重' },
  overlap: { en: 'A·Aᵀ − I: how much two hops share', zh: 'A·Aᵀ − I：两跳重叠多少' },
  penalty: { en: 'Penalty', zh: '惩罚项' },
  penaltyIs: { en: 'the sum of the squares of this matrix', zh: '这个矩阵各数的平方和' },
  makeEqual: { en: 'Make hop 2 equal to hop 1', zh: '让第 2 跳与第 1 跳相同' },

  replace: {
    en: (s: number, w: number) => `Sentence ${s}, word ${w}: replace it by`,
    zh: (s: number, w: number) => `第 ${s} 句第 ${w} 个词，换成`,
  },
  sentence: { en: (s: number) => `Sentence ${s}`, zh: (s: number) => `第 ${s} 句` },
  weight: { en: 'weight', zh: '权重' },
  wordsOf: { en: 'weights of its words', zh: '句中各词的权重' },
  verdict: { en: 'The text is', zh: '整段文本' },

  last: { en: 'last state', zh: '最后一个状态' },
  mean: { en: 'mean', zh: '平均' },
  max: { en: 'maximum', zh: '逐维最大值' },
  taken: { en: 'How much of each word is in the summary', zh: '摘要里各词占多少' },
  moveWord: { en: (word: string) => `Move “${word}”`, zh: (word: string) => `移动“${word}”` },
  moveLeft: { en: 'one position to the left', zh: '左移一位' },
  moveRight: { en: 'one position to the right', zh: '右移一位' },
  pairs: { en: 'Pairs of neighbors (bigrams)', zh: '相邻的词对（二元语法）' },
  unit: { en: 'unit for “not good”', zh: '“不好”单元' },
  largest: { en: 'The largest of them goes into the summary:', zh: '其中最大的进入摘要：' },
} satisfies Record<string, Localized<unknown>>;

export const questions = {
  noun: { en: 'Which nouns?', zh: '有哪些名词？' },
  verb: { en: 'Which verb?', zh: '动词是哪个？' },
  mouse: { en: 'Where is “mouse”?', zh: '“老鼠”在哪里？' },
} satisfies Record<string, Localized>;

export const features = {
  positive: { en: 'positive', zh: '褒义' },
  negative: { en: 'negative', zh: '贬义' },
} satisfies Record<string, Localized>;

export const hop: Localized<(h: number) => string> = { en: (h) => `hop ${h}`, zh: (h) => `第 ${h} 跳` };
