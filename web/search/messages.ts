import { plural, type Localized } from '../shell/localized.ts';

export const messages = {
  mechanisms: { en: 'Mechanisms', zh: '全部机制' },
  search: { en: 'Search', zh: '搜索' },
  none: {
    en: 'Nothing found. Try the name of a mechanism, a term or an author.',
    zh: '没有找到。试试机制的名称、术语或作者。',
  },
  count: {
    en: (n: number) => plural(n, 'page'),
    zh: (n: number) => `${n} 个页面`,
  },
  step: { en: (n: string) => `step ${n} of the course`, zh: (n: string) => `课程第 ${n} 步` },
  family: { en: 'family', zh: '族' },
  map: { en: 'All mechanisms by family and year', zh: '全部机制：按族与年份' },
  mapLede: {
    en: 'Nine families, each in the order of its papers. Every mechanism has a page that computes it in your browser.',
    zh: '九个族，各按论文的先后排列。每个机制都有一页，在你的浏览器里当场计算。',
  },
  words: { en: 'Words of this page', zh: '本页的术语' },
  from: {
    en: (parent: string) => `made from ${parent}`,
    zh: (parent: string) => `由「${parent}」改来`,
  },
} satisfies Record<string, Localized | Localized<(text: never) => string>>;
