import { plural, type Localized } from '../../shell/localized.ts';

/** What the family's pictures say. */
export const messages = {
  step: { en: 'decoder step', zh: '解码器的步骤' },
  next: { en: 'Next word', zh: '下一个词' },
  back: { en: 'Back', zh: '退一步' },
  all: { en: 'All', zh: '全部' },
  target: { en: 'target word', zh: '目标词' },
  source: { en: 'source word', zh: '源词' },
  weight: { en: 'weight', zh: '权重' },
  fixed: { en: 'without attention: the last state, at every step', zh: '没有注意力：每一步都读最后的状态' },
  fixedNumber: { en: 'left of the word', zh: '这个词还剩多少' },
  otherFlag: { en: 'the same steps under the other flag', zh: '同样的步骤，换成另一个标志' },
  flag: { en: 'language flag', zh: '语言标志' },
  French: { en: 'French', zh: '法语' },
  Japanese: { en: 'Japanese', zh: '日语' },
  score: { en: 'score', zh: '打分函数' },
  table: { en: 'Wa: a dictionary; press a cell', zh: 'Wa：一本词典，点格子可以改' },
  noTable: { en: 'dot: h_t · h̄_s as they are, no table between them', zh: 'dot：h_t 与 h̄_s 直接相乘，中间没有词典' },
  units: { en: 'Wa of concat: each unit knows one pair of words', zh: 'concat 的 Wa：每个单元认得一对词' },
  block: { en: 'block', zh: '层' },
  gates: { en: 'gates', zh: '门' },
  open: { en: 'open', zh: '打开' },
  shut: { en: 'shut', zh: '关上' },
  field: { en: 'what the kernels can see', zh: '卷积核看得到的词' },
  second: { en: 'German source', zh: '德语原文' },
  firstSource: { en: 'English', zh: '汉语' },
  german: { en: 'German', zh: '德语' },
  probability: { en: 'probability', zh: '概率' },
  vocabulary: { en: 'the next word', zh: '下一个词的概率' },
  variant: { en: 'center', zh: '中心' },
  predictive: { en: 'local-p: predicted', zh: '预测对齐 local-p' },
  monotonic: { en: 'local-m: the step itself', zh: '单调对齐 local-m' },
  center: { en: 'center p', zh: '中心 p' },
  halfWidth: { en: 'half of the window, D', zh: '窗口半宽 D' },
  gaussian: { en: 'Gaussian', zh: '高斯' },
  toLeft: { en: 'less', zh: '减小' },
  toRight: { en: 'more', zh: '增大' },
  window: { en: 'the window on the source and the weights in it', zh: '原文上的窗口和其中的权重' },
  before: { en: 'before the Gaussian', zh: '乘高斯之前' },
  premise: { en: 'premise', zh: '前提' },
  hypothesis: { en: 'hypothesis', zh: '假设' },
  direction: { en: 'direction', zh: '方向' },
  beta: { en: 'premise → hypothesis', zh: '前提 → 假设' },
  alpha: { en: 'hypothesis → premise', zh: '假设 → 前提' },
  reorder: { en: 'Reorder premise', zh: '前提换词序' },
  exchange: { en: 'Exchange both', zh: '两句对调' },
  verdict: { en: 'verdict', zh: '判断' },
  follows: { en: 'follows', zh: '成立' },
  doesNot: { en: 'does not', zh: '不成立' },
  compared: { en: 'not in the premise', zh: '前提没有说到的' },
  state: { en: 'hidden state', zh: '隐状态' },
  read: { en: 'words read, and the hidden state after each', zh: '读过的词，以及读完每个词的隐状态' },
  nextRead: { en: 'Read the next word', zh: '读下一个词' },
  encoder: { en: 'encoder step', zh: '编码器的步骤' },
  encoderScale: {
    en: 'All rows share one scale: 0 to 1, or −1 to 1 where numbers are negative.',
    zh: '各行共用一个刻度：0 到 1，有负数时 −1 到 1。',
  },
} satisfies Record<string, Localized>;

/** Sentences with slots. */
export const sentences = {
  written: {
    en: (words: string) => `Written: ${words}`,
    zh: (words: string) => `已写出：${words}`,
  },
  readSoFar: {
    en: (words: string) => `Read: ${words}`,
    zh: (words: string) => `已读：${words}`,
  },
  after: {
    en: (word: string, state: string) => `After “${word}” the state is ${state}.`,
    zh: (word: string, state: string) => `读完“${word}”，隐状态是 ${state}。`,
  },
  readsTwo: {
    en: (word: string, first: string, second: string) => `“${word}” reads “${first}” and “${second}”.`,
    zh: (word: string, first: string, second: string) => `“${word}”看“${first}”和“${second}”。`,
  },
  stepOf: {
    en: (step: number, count: number) => `step ${step} of ${count}`,
    zh: (step: number, count: number) => `第 ${step} 步，共 ${count} 步`,
  },
  stepN: { en: (n: number) => `step ${n}`, zh: (n: number) => `第 ${n} 步` },
  fixed: {
    en: (kept: string, first: string, left: string) =>
      `A recurrent encoder that keeps ${kept} of its state a word, set by hand: of “${first}” ${left} is left.`,
    zh: (kept: string, first: string, left: string) =>
      `手工设定的循环编码器，每读一个词保留状态的 ${kept}：“${first}”只剩 ${left}。`,
  },
  reads: {
    en: (word: string, source: string, weight: string) => `“${word}” reads “${source}” most, with weight ${weight}.`,
    zh: (word: string, source: string, weight: string) => `“${word}”看得最多的是“${source}”，权重 ${weight}。`,
  },
  translated: {
    en: 'The words written are our translation of the source word read most.',
    zh: '写出的词是我们给“看得最多的源词”配的译文。',
  },
  block: {
    en: (block: number, reach: number) => `After ${plural(block, 'block')} a word sees ${plural(reach, 'word')} back.`,
    zh: (block: number, reach: number) => `经过 ${block} 层，一个词能往前看 ${reach} 个词。`,
  },
  layer: { en: (n: number) => (n === 0 ? 'input' : `block ${n}`), zh: (n: number) => (n === 0 ? '输入' : `第 ${n} 层`) },
  window: {
    en: (center: string, from: string, to: string, words: number, sum: string) =>
      `Center ${center}, window ${from} to ${to}: ${plural(words, 'word')}. Their weights sum to ${sum}.`,
    zh: (center: string, from: string, to: string, words: number, sum: string) =>
      `中心 ${center}，窗口 ${from} 到 ${to}，共 ${words} 个词，权重之和 ${sum}。`,
  },
  edge: {
    en: (factor: string) => `The word furthest from the center is multiplied by ${factor}; at the very edge it is e⁻² = 0.135.`,
    zh: (factor: string) => `离中心最远的词乘以 ${factor}；正好在边缘上时乘以 e⁻² = 0.135。`,
  },
  flat: {
    en: 'No Gaussian: inside all alike, outside 0.',
    zh: '没有高斯：窗口里都一样，窗口外是 0。',
  },
  scale: {
    en: (most: string) => `Bars: weights, 0 to ${most}, one scale for all words.`,
    zh: (most: string) => `条形是权重，0 到 ${most}，所有词同一刻度。`,
  },
  verdict: {
    en: (premise: string, hypothesis: string, probability: string) =>
      `“${premise}” → “${hypothesis}”: follows with probability ${probability}.`,
    zh: (premise: string, hypothesis: string, probability: string) =>
      `“${premise}” → “${hypothesis}”：成立的概率是 ${probability}。`,
  },
} satisfies Record<string, Localized<unknown>>;

/** Our translations of the source words of the task-specific example, by the flag. */
export const translations: readonly (readonly string[])[] = [
  ['je', 'mange', 'des pommes'],
  ['私は', '食べる', 'りんごを'],
];

/** The switch of each recurrent encoder: its defaults, or the catalog's contrast. */
export const encoderChoices = {
  rnn: {
    label: { en: 'of the state is handed on', zh: '传给下一步的状态' },
    own: { en: 'a half', zh: '一半' },
    other: { en: 'nothing', zh: '什么也不传' },
  },
  gru: {
    label: { en: 'update gate', zh: '更新门' },
    own: { en: 'shut between writes', zh: '不写时关上' },
    other: { en: 'half open', zh: '一直半开' },
  },
  lstm: {
    label: { en: 'forget gate', zh: '遗忘门' },
    own: { en: 'open', zh: '打开' },
    other: { en: 'shut', zh: '关上' },
  },
} satisfies Record<string, Record<string, Localized>>;
