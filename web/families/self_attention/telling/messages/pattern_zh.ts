import type { patternEn } from './pattern_en.ts';

/** 稀疏注意力. Sparse attention, in Chinese. */
export const patternZh: typeof patternEn = {
  attention: '注意力',
  dense: '稠密',
  sparse: '稀疏',
  summary: (kept, all) => `保留 ${kept} / ${all} 对`,
  summaryName: (kept, all) => `前往稀疏掩码：${all} 对中保留 ${kept} 对`,

  way: '稀疏掩码',
  ways: { parts: '选择', paint: '涂画' },

  painted: '手工涂画',

  counts: (kept, all, density) => `${all} 对中保留 ${kept} 对，密度 ${density}。`,
  withCausal: (allowed) => `加上因果掩码后为 ${allowed} 对。`,
  noneEmpty: '每个查询都至少保留一个键。',
  someEmpty: (queries) => `${queries} 没有保留任何键：分数全为 −∞，于是权重全为 0，输出也为 0，而不是平均值。`,

  kept: '保留',
  leftOut: '去掉',
  reading: (query, key, kept) => `查询 ${query}，键 ${key}：${kept ? '保留' : '去掉'}`,
  sumsMark: '和为 1 或 0',
  emptySum: '没有保留任何键',
  keptStep: '稀疏掩码保留这一对：它的分数照常使用。',
  leftOutStep: '稀疏掩码去掉这一对：分数变成 −∞，于是权重为 0。',
  emptyStep: '这个查询没有保留任何键，没有可分的权重：权重全为 0，输出也为 0。',

  stage: {
    title: '稀疏掩码',
    body: '只计算保留的对。其余的分数算作 −∞，于是权重为\u00a00。分数设为 0 不行：e⁰\u00a0=\u00a01，仍会分到权重。',
  },
  weightsStage: {
    title: '注意力权重',
    body: '只对保留的键做 softmax：它们重新分享总和 1。下面是同一输入的稠密权重。',
  },
  denseBeside: '对照：稠密',
  textbookNote: ['窗口之外“注意力设为0”', '是权重为 0，也就是分数为 −∞。分数为 0 时 e⁰ = 1，仍会分到权重。'],
};
