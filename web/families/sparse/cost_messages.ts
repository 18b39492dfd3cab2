import type { Localized } from '../../shell/localized.ts';

/** The kinds of attention whose costs are compared, by their names in the package. */
export const kindNames: Readonly<Record<string, Localized>> = {
  full: { en: 'full', zh: '完整' },
  local: { en: 'local', zh: '局部' },
  atrous: { en: 'atrous', zh: '空洞' },
  sparse: { en: 'sparse', zh: '稀疏' },
  longformer: { en: 'Longformer', zh: 'Longformer' },
  bigBird: { en: 'BigBird', zh: 'BigBird' },
  reformer: { en: 'Reformer', zh: 'Reformer' },
  linformer: { en: 'Linformer', zh: 'Linformer' },
  linear: { en: 'linear', zh: '线性' },
  efficient: { en: 'Efficient', zh: 'Efficient' },
  performer: { en: 'Performer', zh: 'Performer' },
};

export const messages = {
  words: { en: 'Words', zh: '词数' },
  fewer: { en: 'Half as many', zh: '减半' },
  more: { en: 'Twice as many', zh: '加倍' },
  width: { en: 'width d', zh: '维度 d' },
  pairs: { en: 'pairs', zh: '配对数' },
  multiplyAdds: { en: 'multiply-adds', zh: '乘加次数' },
  bars: { en: 'Pairs and multiply-adds of each kind', zh: '各种注意力的配对数与乘加次数' },
  logScale: {
    en: 'Logarithmic scale: a bar longer by the same length means the same factor. Counted, not timed.',
    zh: '对数刻度：条形每长同样一段，就多同样的倍数。这里是计数，不是计时。',
  },
  curve: { en: 'Multiply-adds by the number of words', zh: '乘加次数随词数的变化' },
  xTitle: { en: 'log₂ n', zh: 'log₂ n' },
  yTitle: { en: 'log₁₀ of the multiply-adds', zh: '乘加次数的 log₁₀' },
  others: { en: 'Faint: the other kinds.', zh: '浅色：其他各种。' },
  paysNever: { en: 'Up to 65,536 words it never becomes cheaper for good.', zh: '到 65,536 个词为止，始终没有更省。' },
} satisfies Record<string, Localized>;

export const sentences = {
  itself: { en: (count: string) => `${count} multiply-adds.`, zh: (count: string) => `${count} 次乘加。` },
  less: {
    en: (times: string) => `1/${times} of the multiply-adds of full attention.`,
    zh: (times: string) => `乘加次数是完整注意力的 1/${times}。`,
  },
  more: {
    en: (times: string) => `${times} times as many multiply-adds as full attention.`,
    zh: (times: string) => `乘加次数是完整注意力的 ${times} 倍。`,
  },
  pays: { en: (n: string) => `It is cheaper from ${n} words on.`, zh: (n: string) => `从 ${n} 个词起更省。` },
} satisfies Record<string, Localized<unknown>>;
