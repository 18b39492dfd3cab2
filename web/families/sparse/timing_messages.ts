import type { Localized } from '../../shell/localized.ts';

/** What is said of the time that a pattern takes. */
export const messages = {
  length: { en: 'Time beside dense, words', zh: '与稠密比时间，词数' },
  measure: { en: 'Measure on this machine', zh: '在这台机器上测量' },
  measuring: { en: 'Measuring …', zh: '测量中……' },
  discarded: {
    en: 'The page was hidden while it measured: nothing is shown. Measure again.',
    zh: '测量时页面被隐藏，结果作废。请重新测量。',
  },
  isolated: { en: 'isolated page', zh: '页面已隔离' },
  notIsolated: { en: 'page not isolated', zh: '页面未隔离' },
} satisfies Record<string, Localized>;

export const sentences = {
  counts: {
    en: (n: number, sparse: string, dense: string) =>
      `${n} words are too few to time. Counted: ${sparse} multiply-adds beside ${dense} of all pairs.`,
    zh: (n: number, sparse: string, dense: string) =>
      `${n} 个词太少，测不准时间。计数：${sparse} 次乘加，所有配对是 ${dense} 次。`,
  },
  before: {
    en: (sparse: string, dense: string) => `Counted: ${sparse} multiply-adds beside ${dense} of all pairs.`,
    zh: (sparse: string, dense: string) => `计数：${sparse} 次乘加，所有配对是 ${dense} 次。`,
  },
  timing: {
    en: (name: string, median: string, lower: string, upper: string, runs: number) =>
      `${name}: ${median} ms (quartiles ${lower} to ${upper}, ${runs} runs)`,
    zh: (name: string, median: string, lower: string, upper: string, runs: number) =>
      `${name}：${median} 毫秒（四分位 ${lower} 到 ${upper}，${runs} 次）`,
  },
  dense: { en: () => 'Dense', zh: () => '稠密' },
  sparse: { en: () => 'This pattern', zh: () => '此稀疏掩码' },
  faster: {
    en: (times: string, counted: string) => `${times} times as fast, with 1/${counted} of the pairs.`,
    zh: (times: string, counted: string) => `速度是稠密的 ${times} 倍，配对数是 1/${counted}。`,
  },
  slower: {
    en: (times: string, counted: string) =>
      `${times} times as slow, though it has 1/${counted} of the pairs: scattered pairs cost more each.`,
    zh: (times: string, counted: string) => `用时是稠密的 ${times} 倍，尽管配对数只有 1/${counted}：零散的配对每一对更费时。`,
  },
  clock: {
    en: (step: string, isolation: string, width: number) => `Timer step ${step} ms, ${isolation}, width ${width}.`,
    zh: (step: string, isolation: string, width: number) => `计时器步长 ${step} 毫秒，${isolation}，维度 ${width}。`,
  },
} satisfies Record<string, Localized<unknown>>;
