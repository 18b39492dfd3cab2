import type { Localized } from '../../shell/localized.ts';

export const messages = {
  step: { en: 'Step', zh: '步' },
  numbers: { en: 'Numbers, and the weights of the chosen step', zh: '数字，以及所选那一步的权重' },
  number: { en: 'number', zh: '数字' },
  allSteps: { en: 'The weights of all steps', zh: '每一步的权重' },
  inOrder: { en: 'Pointed at, in order:', zh: '依次指向：' },

  coverageWeight: { en: 'Coverage w_c', zh: '覆盖 w_c' },
  less: { en: 'lower w_c', zh: '减小 w_c' },
  more: { en: 'raise w_c', zh: '增大 w_c' },
  source: { en: 'The source', zh: '原文' },
  attention: { en: 'attention', zh: '注意力' },
  coverage: { en: 'coverage so far', zh: '此前的覆盖' },
  generate: { en: 'generate', zh: '生成' },
  copy: { en: 'copy', zh: '拷贝' },
  together: { en: 'together', zh: '合计' },
  unknownWords: {
    en: 'Dashed: out-of-vocabulary words, which can only be copied.',
    zh: '虚线：未登录词，只能拷贝。',
  },

  selectiveRead: { en: 'Selective read', zh: '选择性读取' },
  heard: { en: 'The source', zh: '原文' },
  readAgain: { en: 'selective read: copied last', zh: '选择性读取：上一步拷贝处' },
  vocabulary: { en: 'The vocabulary', zh: '词表' },
  oneSoftmax: {
    en: 'All bars of “copy” and “generate” sum to 1: one softmax.',
    zh: '“拷贝”和“生成”的全部条形加起来等于 1：共用一个 softmax。',
  },

  places: { en: 'The document: a weight for each position', zh: '文档：每个位置一个权重' },
  weight: { en: 'weight', zh: '权重' },
  sums: { en: 'A sum for each word', zh: '每个词求一次和' },
  probability: { en: 'probability', zh: '概率' },

  stage: { en: 'Show', zh: '显示' },
  readsOn: { en: '“who” knows the words after it', zh: '空缺知道后面的词' },
  meanBeta: { en: 'β̄: mean of the rows', zh: 'β̄：各行的平均' },
  sumOfPlaces: { en: 'probability: s summed over all positions of the word', zh: '概率：这个词各处的 s 之和' },
} satisfies Record<string, Localized>;

export const sentences = {
  stepN: { en: (n: number) => `step ${n}`, zh: (n: number) => `第 ${n} 步` },
  place: { en: (n: number) => `position ${n}`, zh: (n: number) => `位置 ${n}` },
  weightAt: { en: (n: number) => `weight, step ${n}`, zh: (n: number) => `第 ${n} 步权重` },
  pointsAt: { en: (n: number, x: string) => `step ${n} points at ${x}`, zh: (n: number, x: string) => `第 ${n} 步指向 ${x}` },
  writes: {
    en: (words: readonly string[]) => `It writes: ${words.join(' ')}`,
    zh: (words: readonly string[]) => `它写出：${words.join(' ')}`,
  },
  coverageLoss: { en: (loss: string) => `coverage loss ${loss}`, zh: (loss: string) => `覆盖损失 ${loss}` },
  mixed: {
    en: (pGen: string) => `The next word: p_gen = ${pGen} generates, the rest copies`,
    zh: (pGen: string) => `下一个词：p_gen = ${pGen} 用于生成，其余用于拷贝`,
  },
  reply: {
    en: (words: readonly string[]) => `It replies: ${words.join(' ')}`,
    zh: (words: readonly string[]) => `它回答：${words.join('')}`,
  },
  asks: { en: (query: string) => `Question: “${query}”`, zh: (query: string) => `问题：“${query}”` },
  atPlace: { en: (n: number) => `Position ${n}: put`, zh: (n: number) => `第 ${n} 处换成` },
  answers: { en: (word: string) => `Answer: “${word}”`, zh: (word: string) => `答案：“${word}”` },
  whoIs: {
    en: (query: readonly string[]) => `Question: “${query.join(' ')}?”`,
    zh: (query: readonly string[]) => `“${query.join('')}”：${query[0]}是谁？`,
  },
} satisfies Record<string, Localized<unknown>>;

export const stages = {
  match: {
    name: { en: '1 scores M', zh: '1 分数 M' },
    letter: { en: 'M: scores', zh: 'M：分数' },
    says: {
      en: 'Each word of the document (row) meets each word of the question (column).',
      zh: '文档的每个词占一行（row），问题的每个词占一列（column），两两相遇。',
    },
  },
  alpha: {
    name: { en: '2 α down', zh: '2 α 竖着' },
    letter: { en: 'α: each column sums to 1', zh: 'α：每列之和为 1' },
    says: {
      en: 'α, softmax down each column: where in the document does this word of the question look?',
      zh: 'α 沿每一列作 softmax：问题里的这个词看文档的哪里？',
    },
  },
  beta: {
    name: { en: '3 β across', zh: '3 β 横着' },
    letter: { en: 'β: each row sums to 1', zh: 'β：每行之和为 1' },
    says: {
      en: 'β, softmax across each row: which word of the question matters to this word? The mean of the rows is β̄.',
      zh: 'β 沿每一行作 softmax：对文档的这个词，问题里哪个词要紧？各行平均得 β̄。',
    },
  },
  product: {
    name: { en: '4 s = α·β̄', zh: '4 s = α·β̄' },
    letter: { en: 's', zh: 's' },
    says: {
      en: 'The columns of α are mixed by β̄: the words of the question that matter count more.',
      zh: '用 β̄ 混合 α 的各列：问题里要紧的词，说话的分量也重。',
    },
  },
} satisfies Record<string, Record<'name' | 'letter' | 'says', Localized>>;
