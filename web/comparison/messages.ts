import { plural, type Localized } from '../shell/localized.ts';

/** Why two mechanisms are not compared. */
export const refusals = {
  same: (a: Localized): Localized => ({
    en: `${a.en} beside itself shows the same numbers twice. Choose another one.`,
    zh: `${a.zh}与自己并列，只会出现两份相同的数字。请另选一个。`,
  }),
  nothing: (a: Localized): Localized => ({
    en: `${a.en} counts work and has no input: there are no weights to lay beside others.`,
    zh: `${a.zh}只计算工作量，没有输入，也就没有可以并列的权重。`,
  }),
  inputs: (a: Localized, ofA: string, b: Localized, ofB: string): Localized => ({
    en: `${a.en} takes ${ofA}, ${b.en} takes ${ofB}: there is no input that both can be given.`,
    zh: `${a.zh}的输入是 ${ofA}，${b.zh}的输入是 ${ofB}：没有两者都能接受的输入。`,
  }),
  twoSequences: (a: Localized, b: Localized): Localized => ({
    en: `${a.en} looks at one sequence; the queries and keys of ${b.en} are two.`,
    zh: `${a.zh}只看一个序列；${b.zh}的查询和键来自两个序列。`,
  }),
  params: (a: Localized, names: string, own: string, b: Localized, brought: string): Localized => ({
    en: `${names} of ${a.en} fit its own input ${own} alone; ${b.en} brings ${brought}.`,
    zh: `${a.zh}的 ${names} 只适合它自己的输入 ${own}；${b.zh}带来的是 ${brought}。`,
  }),
  width: (a: Localized, own: number, b: Localized, brought: string): Localized => ({
    en: `Wq, Wk and Wv of ${a.en} take vectors of ${own} components; ${b.en} brings ${brought}.`,
    zh: `${a.zh}的 Wq、Wk、Wv 要求 ${own} 维向量；${b.zh}带来的是 ${brought}。`,
  }),
  tokens: (a: Localized, b: Localized, queries: number, keys: number): Localized => ({
    en: `${a.en} reads queries and keys in one order; ${b.en} brings ${queries === 1 ? '1 query' : `${queries} queries`} and ${plural(keys, 'key')}.`,
    zh: `${a.zh}按同一顺序读取查询和键；${b.zh}带来 ${queries} 个查询和 ${keys} 个键。`,
  }),
  heads: (a: Localized, b: Localized): Localized => ({
    en: `The vectors of ${b.en} cannot be split into the heads of ${a.en}.`,
    zh: `${b.zh}的向量无法拆成${a.zh}所要的各头。`,
  }),
  pairs: (a: Localized, b: Localized, width: number): Localized => ({
    en: `${a.en} rotates components in pairs; ${b.en} brings vectors${width > 0 ? ` of ${width}` : ' of another form'}.`,
    zh: `${a.zh}把分量两两旋转；${b.zh}带来的向量${width > 0 ? `有 ${width} 维` : '形状不同'}。`,
  }),
  noOwner: {
    en: 'Two by two they compare, but no input fits all of them. Here are the first two.',
    zh: '它们两两可以比较，但没有一个输入适合全部。这里先给出前两个。',
  },
};

export const messages = {
  title: { en: 'Mechanisms side by side', zh: '机制并列对照' },
  question: { en: 'The same input: what does each make of it?', zh: '同一个输入，各个机制怎样处理？' },
  mechanism: { en: 'Mechanism', zh: '机制' },
  comparable: { en: 'Take the same input', zh: '能接受同一输入' },
  refused: { en: 'Do not; choose one to see why', zh: '不能接受；选中可看原因' },
  add: { en: 'Add a mechanism', zh: '添加一个机制' },
  remove: { en: 'Remove', zh: '移除' },
  input: { en: 'Input of', zh: '输入取自' },
  view: { en: 'Show', zh: '显示' },
  weights: { en: 'Weights', zh: '权重' },
  contributions: { en: 'weight × ‖value‖', zh: '权重 × ‖值‖' },
  outputs: { en: 'Outputs', zh: '输出' },
  difference: { en: 'Difference', zh: '差' },
  weight: { en: 'weight', zh: '权重' },
  contribution: { en: 'weight × ‖value‖', zh: '权重 × ‖值‖' },
  output: { en: 'output', zh: '输出' },
  perRow: { en: 'Row by row', zh: '逐行' },
  log: { en: 'Logarithmic', zh: '对数' },
  notComparable: { en: 'These are not compared', zh: '这几个不作比较' },
  instead: { en: 'These are:', zh: '可以比较：' },
  unknown: {
    en: 'The link names mechanisms that are not here; these are shown instead.',
    zh: '链接里的机制不存在，改为显示下面这些。',
  },
  exact: { en: 'Reference: the others are compared with it', zh: '基准：其余各项与它相比' },
  ownInput: { en: 'All of them run on your own matrices.', zh: '各机制都用你自己的矩阵计算。' },
  backToInput: { en: 'Back to the mechanism’s own', zh: '恢复机制自带的输入' },
  nothing: {
    en: 'It has nothing to show here: no such numbers, or not of the shape that the others have.',
    zh: '这里没有可显示的：它没有这类数字，或形状与别的不同。',
  },
  caution: {
    en: 'A large weight is not by itself an explanation: other weights can give the same answer (Jain, Wallace 2019). Whether weights explain depends on what is asked of them (Wiegreffe, Pinter 2019).',
    zh: '权重大本身并不等于解释：别的权重也可能给出同样的结果（Jain、Wallace 2019）；权重能否算作解释，取决于要它回答什么（Wiegreffe、Pinter 2019）。',
  },
} satisfies Record<string, Localized>;

/** Where it is argued what weights explain: Attention is not Explanation; Attention is not not Explanation. */
export const papers = [
  { name: 'arXiv:1902.10186', url: 'https://arxiv.org/abs/1902.10186' },
  { name: 'arXiv:1908.04626', url: 'https://arxiv.org/abs/1908.04626' },
] as const;

/** What one of them lacks. */
export const lacks = {
  weights: { en: 'It has no weights of pairs: only outputs can be compared.', zh: '没有成对的权重：只能比较输出。' },
  values: { en: 'Its trace has no values of their own.', zh: '逐步计算过程里没有单独的值。' },
  output: { en: 'It has no output for each query.', zh: '不是每个查询各有一个输出。' },
  projections: {
    en: 'No Wq, Wk, Wv: it compares the vectors of the input as they are.',
    zh: '没有 Wq、Wk、Wv：直接比较输入向量。',
  },
  heads: { en: 'One head, others have several.', zh: '只有一个头，别的有多个。' },
} satisfies Record<string, Localized>;

export const sentences = {
  projected: {
    en: (owner: string) => `No Wq, Wk, Wv of its own: it gets the queries, keys and values of ${owner}.`,
    zh: (owner: string) => `没有自己的 Wq、Wk、Wv：用的是${owner}的查询、键和值。`,
  },
  slots: {
    en: (names: readonly string[]) => `Differs from standard attention in: ${names.join(', ')}`,
    zh: (names: readonly string[]) => `与标准注意力的不同：${names.join('、')}`,
  },
  spread: {
    en: (entropy: string, largest: string) =>
      `entropy ${plural(entropy, 'nat')}, largest weight of a row ${largest} on average`,
    zh: (entropy: string, largest: string) => `熵 ${entropy} 奈特，每行最大权重平均 ${largest}`,
  },
  noEntropy: {
    en: (largest: string) => `rows do not sum to 1: no entropy; largest weight of a row ${largest} on average`,
    zh: (largest: string) => `各行之和不为 1，没有熵；每行最大权重平均 ${largest}`,
  },
  norm: {
    en: (what: string, relative: string, largest: string, row: string, col: string) =>
      `${what}: ‖difference‖ / ‖reference‖ = ${relative}; largest ${largest}, at ${row}, ${col}`,
    zh: (what: string, relative: string, largest: string, row: string, col: string) =>
      `${what}：‖差‖ / ‖基准‖ = ${relative}；最大 ${largest}，在 ${row}、${col}`,
  },
  scale: {
    en: (scale: string, owner: string) =>
      `Scores are multiplied by ${scale}, the scale of “${owner}”, where a mechanism lets it be chosen; elsewhere as on its own page.`,
    zh: (scale: string, owner: string) =>
      `凡是缩放系数可选的机制，分数都乘以“${owner}”的系数 ${scale}；其余机制与各自的页面相同。`,
  },
  changedScale: {
    en: (used: string, own: string) => `Scale of the scores: ${used} here, ${own} on its own page.`,
    zh: (used: string, own: string) => `分数的缩放系数：这里是 ${used}，它自己的页面上是 ${own}。`,
  },
  slices: {
    en: (axis: string) => `Each ${axis}: entropy H · largest weight of a row, on average`,
    zh: (axis: string) => `各个${axis}：熵 H · 每行最大权重的平均`,
  },
} satisfies Record<string, Localized<unknown>>;

export const scaleText = (scale: unknown): string => (scale === undefined ? '1/√d' : String(scale));
