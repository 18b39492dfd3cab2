import { plural, type Localized } from '../../shell/localized.ts';

/** What the family's pictures say. */
export const messages = {
  // The state
  stored: { en: 'Stored', zh: '存入' },
  token: { en: 'Read so far', zh: '已读到' },
  next: { en: 'Next token', zh: '下一个词元' },
  back: { en: 'One token back', zh: '后退一个词元' },
  all: { en: 'All tokens', zh: '读完全部' },
  state: { en: 'state S', zh: '状态 S' },
  normalizer: { en: 'z', zh: 'z' },
  axis: { en: 'axis', zh: '轴' },
  component: { en: 'value component', zh: '值的分量' },
  number: { en: 'number in the state', zh: '状态中的数' },
  readings: { en: 'What each query reads from the state', zh: '每个查询从状态中读出什么' },
  tokens: { en: 'The tokens so far, and the weights that the reading stands for', zh: '已读的词元，以及读数所代表的权重' },
  price: { en: 'stored', zh: '存入的值' },
  reads: { en: 'reads', zh: '读出' },
  softmax: { en: 'softmax', zh: 'softmax' },
  delta: { en: 'delta', zh: 'delta' },
  adding: { en: 'adding', zh: '相加' },
  value: { en: 'value', zh: '值' },
  weight: { en: 'weight', zh: '权重' },
  query: { en: 'query', zh: '查询' },
  sees: { en: 'Each token reads', zh: '每个词元读' },
  causal: { en: 'the tokens so far', zh: '到它为止' },
  whole: { en: 'all tokens', zh: '全部词元' },
  beta: { en: 'β, how far a token corrects', zh: 'β：改正多少' },
  less: { en: 'Less', zh: '减小' },
  more: { en: 'More', zh: '增大' },

  // Counting
  count: { en: 'The work for n words', zh: 'n 个词的计算量' },
  words: { en: 'n words', zh: '词数 n' },
  half: { en: 'Half as many words', zh: '词数减半' },
  double: { en: 'Twice as many words', zh: '词数加倍' },
  order: { en: 'Order', zh: '次序' },
  multiplications: { en: 'multiplications', zh: '乘法次数' },
  kept: { en: 'numbers kept', zh: '要存的数' },
  pairs: { en: '(Q Kᵀ) V: all pairs', zh: '(Q Kᵀ) V：所有配对' },
  pairsSoFar: { en: '(Q Kᵀ) V: all pairs so far', zh: '(Q Kᵀ) V：到目前的所有配对' },

  // Topics
  topics: {
    en: 'φ(K), a topic in each column, which sums to 1: press a number. Beside it the weights for the query',
    zh: 'φ(K)：每一列（column）是一个主题，和为 1，点数字可改；右边是这个查询的权重',
  },
  asks: { en: 'The query asks for', zh: '查询要的是' },
  topicWeights: { en: 'Weights of the words for this query', zh: '这个查询给各个词的权重' },

  // Errors
  map: { en: 'Map', zh: '图' },
  exact: { en: 'softmax', zh: 'softmax' },
  approximate: { en: 'approximation', zh: '近似' },
  difference: { en: 'error', zh: '误差' },
  key: { en: 'key', zh: '键' },
  features: { en: 'Random features m', zh: '随机特征 m' },
  halfFeatures: { en: 'Half as many features', zh: '特征数减半' },
  doubleFeatures: { en: 'Twice as many features', zh: '特征数加倍' },
  redraw: { en: 'Draw again', zh: '重新抽取' },
  errorMap: { en: 'where it errs', zh: '错在哪里' },
  errorCurve: { en: 'how much it errs', zh: '错了多少' },
  relativeError: { en: 'Error of all weights, relative', zh: '全部权重的相对误差' },
  logFeatures: { en: 'log₂ m', zh: 'log₂ m' },
  error: { en: 'relative error', zh: '相对误差' },
  thisDraw: { en: 'this draw', zh: '这一次' },
  here: { en: 'here', zh: '当前' },
  keys: { en: 'Months', zh: '月份' },
  smooth: { en: 'in order: smooth', zh: '按顺序：平滑' },
  spiky: { en: 'shuffled: spiky', zh: '打乱：跳跃' },
  mixtures: { en: 'Mixtures', zh: '混合' },
  means: { en: 'means of neighbors', zh: '相邻几个的平均' },
  random: { en: 'random', zh: '随机' },
  rank: { en: 'Rank r', zh: '秩 r' },
  lower: { en: 'Fewer mixtures', zh: '混合减少' },
  higher: { en: 'More mixtures', zh: '混合增多' },
  mixture: { en: 'mixture', zh: '混合' },
  share: { en: 'share of a month', zh: '月份所占的份额' },
  month: { en: 'month', zh: '月份' },

  // Clusters
  iterations: { en: 'Iteration', zh: '迭代' },
  earlier: { en: 'One iteration back', zh: '后退一次' },
  later: { en: 'One more iteration', zh: '再迭代一次' },
  lambda: { en: 'λ, how sharply pixels choose', zh: 'λ：像素选得多果断' },
  plane: { en: 'Pixels by red and blue, and the bases that are fitted to them', zh: '像素按红、蓝排列，以及拟合它们的基' },
  red: { en: 'red', zh: '红' },
  blue: { en: 'blue', zh: '蓝' },
  pixel: { en: 'pixel', zh: '像素' },
  base: { en: 'base', zh: '基' },
  colors: { en: 'colors', zh: '颜色' },
  picture: { en: 'picture', zh: '原图' },
  rebuilt: { en: 'from the bases', zh: '由基重建' },
} satisfies Record<string, Localized>;

/** Sentences with slots. */
export const sentences = {
  tokenOf: { en: (t: number, n: number) => `${t} of ${n}`, zh: (t: number, n: number) => `第 ${t} 个，共 ${n} 个` },
  pairs: { en: (n: number) => plural(n, 'pair'), zh: (n: number) => `${n} 对` },
  divided: {
    en: (name: string, num: string, den: string, out: string) => `${name} reads φ(q)·S ÷ φ(q)·z = ${num} ÷ ${den} = ${out}.`,
    zh: (name: string, num: string, den: string, out: string) => `${name} 读出 φ(q)·S ÷ φ(q)·z = ${num} ÷ ${den} = ${out}。`,
  },
  kept: {
    en: (state: number, pairs: number) =>
      `S and z: ${plural(state, 'number')}, as at every token. Keys and values so far: ${pairs}.`,
    zh: (state: number, pairs: number) => `S 和 z 共 ${state} 个数，读多少词元都一样；到目前的键和值有 ${pairs} 个数。`,
  },
  corrected: {
    en: (name: string, old: string, beta: string, value: string, added: string) =>
      `Before this token ${name} read ${old}. The state moves by β (v − ${old}) = ${beta} · (${value} − ${old}) = ${added} along its key.`,
    zh: (name: string, old: string, beta: string, value: string, added: string) =>
      `这个词元之前，${name} 读出 ${old}。状态沿它的键移动 β (v − ${old}) = ${beta} · (${value} − ${old}) = ${added}。`,
  },
  fewer: {
    en: (n: string, times: string) =>
      times === '1'
        ? `For ${plural(n, 'word')} both orders take about as many multiplications.`
        : `For ${plural(n, 'word')} the second order takes about ${times === '2' ? 'half' : `1/${times}`} of the multiplications.`,
    zh: (n: string, times: string) =>
      times === '1'
        ? `${n} 个词时，两种次序的乘法次数差不多。`
        : `${n} 个词时，第二种次序的乘法次数约为${times === '2' ? '一半' : `前一种的 1/${times}`}。`,
  },
  more: {
    en: (n: string, times: string) =>
      `For only ${plural(n, 'word')} it takes ${times} times as many multiplications: nothing is saved yet.`,
    zh: (n: string, times: string) => `只有 ${n} 个词时，乘法反而是 ${times} 倍：还没有省下什么。`,
  },
  mix: {
    en: (positive: string, negative: string) => `φ(q) = ${positive} · positive + ${negative} · negative`,
    zh: (positive: string, negative: string) => `φ(q) = ${positive} · 褒义 + ${negative} · 贬义`,
  },
  norm: {
    en: (relative: string, largest: string) =>
      `Relative error of all weights: ${relative}. The largest error of one: ${largest}.`,
    zh: (relative: string, largest: string) => `全部权重的相对误差：${relative}；单个权重的最大误差：${largest}。`,
  },
  seed: { en: (n: number) => `random by definition, seed ${n}`, zh: (n: number) => `按定义随机，随机种子 ${n}` },
  weightsOf: {
    en: (few: number, all: number) => `${few}/${all} weights`,
    zh: (few: number, all: number) => `${few}/${all} 个权重`,
  },
  baseN: { en: (n: number) => `base ${n}`, zh: (n: number) => `基 ${n}` },
  mixtureN: { en: (n: number) => `mixture ${n}`, zh: (n: number) => `混合 ${n}` },
} satisfies Record<string, Localized<unknown>>;

/** How each mechanism orders its work, in the table of the counts. */
export const orders: Readonly<Record<string, Localized>> = {
  linear: { en: 'φ(Q) (φ(K)ᵀ V): a state', zh: 'φ(Q) (φ(K)ᵀ V)：状态' },
  linear_rnn: { en: 'φ(Q) (φ(K)ᵀ V): a state', zh: 'φ(Q) (φ(K)ᵀ V)：状态' },
  delta_rule: { en: 'delta rule: a state', zh: 'delta 规则：状态' },
  efficient_attention: { en: 'φ(Q) (φ(K)ᵀ V): d topics', zh: 'φ(Q) (φ(K)ᵀ V)：d 个主题' },
  performer: { en: 'φ(Q) (φ(K)ᵀ V): m features', zh: 'φ(Q) (φ(K)ᵀ V)：m 个特征' },
  linformer: { en: 'Q (E K)ᵀ, F V: r mixtures', zh: 'Q (E K)ᵀ、F V：r 个混合' },
  em_attention: { en: 'X μᵀ: K bases, I times', zh: 'X μᵀ：K 个基，I 次' },
};

export const fruits: readonly Localized[] = [
  { en: 'apple', zh: '苹果' },
  { en: 'pear', zh: '梨' },
  { en: 'grape', zh: '葡萄' },
  { en: 'peach', zh: '桃' },
  { en: 'plum', zh: '李子' },
];
export const columns: readonly Localized[] = [
  { en: 'price', zh: '价格' },
  { en: 'sweet', zh: '甜' },
  { en: 'sour', zh: '酸' },
];
/** The sets of pairs, by their ids. */
export const sets: Readonly<Record<string, Localized>> = {
  twice: { en: 'one key twice', zh: '同一个键两次' },
};
/** In their order. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export const months: readonly Localized[] = MONTHS.map((en, n) => ({ en, zh: `${n + 1}月` }));
