import { plural, type Localized } from '../../shell/localized.ts';

export const messages = {
  title: { en: 'Words of this page', zh: '本页的术语' },
  lede: {
    en: 'What each term means, its name in both languages, other names that textbooks use, and where the Chinese word is from.',
    zh: '每个术语的含义、中英文名称、教材里的其他叫法，以及中文译名的出处。',
  },
  find: { en: 'Find a word', zh: '查找术语' },
  none: { en: 'This word is not in the list.', zh: '列表中没有这个词。' },
  count: {
    en: (n: number) => plural(n, 'term'),
    zh: (n: number) => `${n} 个术语`,
  },
  english: { en: 'English', zh: '英文' },
  chinese: { en: 'Chinese', zh: '中文' },
  meaning: { en: 'Meaning', zh: '含义' },
  also: { en: 'Also', zh: '又称' },
  source: { en: 'Source', zh: '出处' },
} satisfies Record<string, Localized<unknown>>;
