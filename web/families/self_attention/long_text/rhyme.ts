import type { Localized } from '../../../shell/localized.ts';

/** “This is the house that Jack built”, a nursery rhyme that says its words again and again: each verse adds one to the verse before. */

const ENGLISH = [
  'the house that Jack built',
  'the malt that lay in',
  'the rat that ate',
  'the cat that chased',
  'the dog that worried',
  'the cow with the crumpled horn that tossed',
  'the maiden all forlorn that milked',
  'the man all tattered and torn that kissed',
  'the priest all shaven and shorn that married',
  'the rooster that crowed in the morn that woke',
  'the farmer sowing his corn that kept',
];

const CHINESE: readonly ((inner: string) => string)[] = [
  () => '杰克盖的房子',
  (inner) => `放在${inner}里的麦芽`,
  (inner) => `吃了${inner}的老鼠`,
  (inner) => `追赶${inner}的猫`,
  (inner) => `咬了${inner}的狗`,
  (inner) => `顶翻${inner}的母牛`,
  (inner) => `给${inner}挤奶的女孩`,
  (inner) => `爱上${inner}的男人`,
  (inner) => `祝福${inner}的牧师`,
  (inner) => `叫醒${inner}的公鸡`,
  (inner) => `养着${inner}的农夫`,
];

const verses = <T>(parts: readonly T[], add: (verse: string, part: T) => string): string[] => {
  let verse = '';
  return parts.map((part) => (verse = add(verse, part)));
};

export const RHYME: Localized = {
  en: verses(ENGLISH, (verse, part) => (verse === '' ? part : `${part} ${verse}`))
    .map((verse) => `This is ${verse}.`)
    .join(' '),
  zh: verses(CHINESE, (verse, part) => part(verse))
    .map((verse) => `这是${verse}。`)
    .join(''),
};

/** A word of the rhyme that comes again in each later verse: what it looks at says something, unlike "the". */
export const OPENING_WORD: Localized = { en: 'cat', zh: '猫' };
