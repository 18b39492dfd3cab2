import { plural, type Localized } from '../../../shell/localized.ts';
import { gloss } from '../../../shell/gloss.ts';

export const messages = {
  title: { en: 'A long text', zh: '长文本' },
  question: {
    en: 'Where does each word of a long text look, and what does the whole look like from afar?',
    zh: '长文本里每个词看向哪里？从远处看，整体又是什么样？',
  },
  text: { en: 'Your text', zh: '你的文本' },
  open: { en: 'Open a text file', zh: '打开文本文件' },
  rhyme: { en: 'Back to the rhyme', zh: '换回童谣' },
  splitting: { en: 'Split by', zh: '切分' },
  byWord: { en: 'word', zh: '按词' },
  byCharacter: { en: 'character', zh: '按字' },
  empty: { en: 'Type or paste some words.', zh: '输入或粘贴一些文字。' },
  notText: {
    en: 'This file is not a text. The text shown before is still there.',
    zh: '这个文件不是文本。之前的文本仍然保留。',
  },
  cut: {
    en: 'The first 2,000 words are used. The rest stays in the field.',
    zh: '用了前 2000 个词元，其余留在输入框里。',
  },
  local: { en: 'The text stays in this browser: it is not sent anywhere.', zh: '文本只留在这个浏览器里，不会发送到任何地方。' },
  head: { en: 'Head', zh: '头' },
  seen: { en: 'It sees', zh: '看到' },
  cell: { en: 'A tile shows', zh: '每块显示' },
  mean: { en: 'its mean', zh: '平均' },
  max: { en: 'its largest', zh: '最大' },
  meanWeight: { en: 'mean weight', zh: '平均权重' },
  maxWeight: { en: 'largest weight', zh: '最大权重' },
  weight: { en: 'weight', zh: '权重' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  nearer: { en: 'Zoom in', zh: '放大' },
  farther: { en: 'Zoom out', zh: '缩小' },
  whole: { en: 'Whole text', zh: '全文' },
  stop: { en: 'Stop', zh: '停止' },
  again: { en: 'Compute the picture', zh: '计算这张图' },
  stopped: { en: 'The picture was stopped.', zh: '这张图已停止计算。' },
  back: { en: 'one word back', zh: '前一个词元' },
  on: { en: 'one word on', zh: '后一个词元' },
  passage: { en: 'Words around the chosen one', zh: '所选词元的上下文' },
  passageHelp: {
    en: 'Choose with the arrow keys; M merges the word with the next one, S splits it.',
    zh: '用方向键选择；按 M 与后一个合并，按 S 拆开。',
  },
  word: { en: 'Word', zh: '词元' },
  merge: { en: 'Merge with the next', zh: '与后一个合并' },
  split: { en: 'Split it', zh: '拆开' },
  vectors: {
    en: `Weights set by hand${gloss('手工设定')}: a word’s vector has a number of two digits, each one-hot, the features of a small word list, its sinusoidal position and 1. All weights of all pairs are never held at once: a few rows at a time are computed, where one looks.`,
    zh: `权重手工设定${gloss('set by hand')}：词嵌入由两位独热编号、小词表中的特征、正弦位置和常数 1 组成。从不同时保存所有词元对的权重：看哪里，就只算那几行。`,
  },
  small: { en: 'Self-attention with a few words', zh: '用几个词看自注意力' },
} satisfies Record<string, Localized>;

export const headNames = {
  same: { en: 'same word', zh: '同一个词' },
  previous: { en: 'previous', zh: '前一个' },
  next: { en: 'next', zh: '后一个' },
  first: { en: 'first', zh: '第一个' },
  nearby: { en: 'nearby', zh: '附近' },
  pronoun: { en: 'pronoun → animate noun', zh: '代词 → 有生命的名词' },
} satisfies Record<string, Localized>;

export const seenNames = {
  all: { en: 'all', zh: '全部' },
  before: { en: 'those before it', zh: '之前的' },
  window: { en: 'window ±16', zh: '窗口 ±16' },
  strided: { en: 'strided', zh: '步幅' },
  longformer: { en: 'Longformer', zh: 'Longformer' },
  bigBird: { en: 'BigBird', zh: 'BigBird' },
} satisfies Record<string, Localized>;

export const sentences = {
  words: {
    en: (words: string, pairs: string, all: string) => `${plural(words, 'word')}; ${pairs} of ${plural(all, 'pair')} attend.`,
    zh: (words: string, pairs: string, all: string) => `${words} 个词元；${all} 对中有 ${pairs} 对参与注意。`,
  },
  progress: {
    en: (share: string) => `${share} of the picture is computed.`,
    zh: (share: string) => `这张图已算出 ${share}。`,
  },
  tile: {
    en: (tile: number) => (tile === 1 ? 'A cell is one pair of words.' : `A tile has ${tile} × ${tile} pairs of words.`),
    zh: (tile: number) => (tile === 1 ? '一格就是一对词元。' : `每块有 ${tile} × ${tile} 对词元。`),
  },
  wordAt: {
    en: (n: number, word: string) => `${n} “${word}”`,
    zh: (n: number, word: string) => `第 ${n} 个“${word}”`,
  },
  looks: {
    en: (from: string, to: string, weight: string) => `Word ${from} gives most to word ${to}: ${weight}.`,
    zh: (from: string, to: string, weight: string) => `${from}给${to}的权重最大：${weight}。`,
  },
} satisfies Record<string, Localized<unknown>>;
