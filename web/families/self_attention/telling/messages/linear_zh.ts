import { gloss } from '../../../../shell/gloss.ts';
import type { linearEn } from './linear_en.ts';

/** 线性注意力. Linear attention, in Chinese. */
export const linearZh: typeof linearEn = {
  linear: '线性',
  goTo: '前往特征映射',

  map: '特征映射',
  maps: {
    elu1: 'elu + 1',
    relu: 'relu',
    squaredRelu: 'relu 的平方',
    exp: 'exp',
    softmax: 'softmax：Efficient Attention',
    favor: 'FAVOR+：随机特征',
    taylor: '泰勒展开，二阶',
  },
  notes: {
    elu1: 'x 为正时取 x + 1，否则取 eˣ：总是大于 0。',
    relu: 'x 为正时取 x，否则取 0。相似度全为 0 时，分母也是 0。',
    squaredRelu: 'relu 的平方：大的特征更突出，权重也就更尖锐。',
    exp: '对每个分量取 e 的幂。c 是缩放系数的平方根；m 让数字不致过大，最后会约去。',
    softmax: '对每个查询的各个分量做 softmax；对键的每个分量，则在所有词元上做 softmax。',
    favor:
      '随机特征：平均而言，它们的乘积就是 softmax 里 e 的（缩放后的分数）次方。特征越多，误差越小；查询和键越长，需要的特征越多。c 是缩放系数的平方根；m 会约去。',
    taylor: '乘积是缩放后的分数 x 的 1 + x + x²/2：在 0 附近接近 eˣ，分数大时偏小。c 是缩放系数的平方根。',
  },
  needsAllKeys: 'Efficient Attention 要同时看到所有的键，不能与因果掩码同用。这里改为显示 elu + 1。',
  fields: { features: '特征数', seed: '随机种子' },
  tooMany: (drawn, all) => `共 ${all} 个特征，只画出前 ${drawn} 个；求和时用到全部。`,
  axis: `特征${gloss('feature')}`,
  sumAxis: `和${gloss('sum')}`,

  matrices: {
    queryFeatures: '查询的特征',
    keyFeatures: '键的特征',
    before: '之前的状态',
    state: '状态',
    normalizer: '归一化项',
    numerator: '分子',
    denominator: '分母',
    similarity: '相似度',
    exact: 'softmax 权重',
    error: '差',
  },

  stages: {
    features: {
      title: '特征',
      body: '特征映射 φ 作用于每个查询和每个键。两者的相似度就是特征的乘积，不再对每一对做 softmax。',
    },
    state: {
      title: '状态',
      body: '先把键和值相乘。查询要读的一切都在 S 和 z 里；文本再长，它们也一样小。',
    },
    statePlain: {
      title: '状态',
      body: '先把键和值相乘。查询要读的一切都在 S 里；文本再长，它也一样小。',
    },
    stateCausal: {
      title: '状态',
      body: '每个词元把自己的特征乘以值加进状态，再把特征加进 z。状态从不变大：这就是循环神经网络的状态。',
    },
    output: {
      title: '输出',
      body: '每个查询去读状态：分子是 φ(q)·S，分母是 φ(q)·z。从头到尾不需要算出任何一对查询和键。',
    },
    outputCausal: {
      title: '输出',
      body: '每个查询去读自己的词元之后的状态：分子是 φ(q)·S，分母是 φ(q)·z。从头到尾不需要算出任何一对查询和键。',
    },
    outputPlain: {
      title: '输出',
      body: '每个查询去读状态。特征的和已经是 1，所以不用再除。从头到尾不需要算出任何一对查询和键。',
    },
    weights: {
      title: '它所代表的注意力权重',
      body: '线性注意力从不算出这些权重。它们是会给出同样输出的权重。',
    },
  },
  pronounNote: '代词寻找“名词”和“有生命”。其他词元什么也不找：softmax 会让它们的权重均匀，特征映射却未必。',
  step: '状态：读完词元',
  earlier: '后退一个词元',
  later: '前进一个词元',
  place: (n, all) => `第 ${n} 个，共 ${all} 个`,
  readBy: (token) => `${token} 的查询读它之后的状态`,
  allQueries: '所有的查询',
  beside: '对照：精确的 softmax 权重',
  errorsOf: { weights: '权重的误差', output: '输出的误差' },
  largest: '最大误差',
  relative: '相对 Frobenius 误差',
  at: (row, col) => `在 ${row}，${col}`,
  zero: (queries) => `${queries}：相似度全为 0，分母也就是 0。没有可分的权重，而 0 ÷ 0 不是一个数（NaN）。`,
  cost: (pairs, linear, tokens, features, from, divided) =>
    `${tokens} 个词元、${features} 个特征时，(QKᵀ)V 需要 ${pairs} 次乘法，φ(Q)\u2060(φ(K)ᵀV)${divided ? '连同分母' : ''}需要 ${linear} 次；从 ${from} 个词元起后者更少。`,

  mapSteps: {
    elu1: (x) => (x > 0 ? 'x 为正，取 x + 1' : 'x 不为正，取 eˣ'),
    relu: (x) => (x > 0 ? 'x 为正，取 x 本身' : 'x 不为正，取 0'),
    squaredRelu: (x) => (x > 0 ? 'x 为正，取 x²' : 'x 不为正，取 0'),
    exp: () => 'e 的（c·x − m）次方',
  },
  unseenStep: '这个键在查询之后：它还不在状态里，所以权重为 0。',
  startStep: '第一个词元之前，状态为 0。',
};
