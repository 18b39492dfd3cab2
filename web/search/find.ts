import index, { simplified } from 'virtual:search-index';
import texts from 'virtual:search-texts';
import { isHan, wordsOf } from '../shell/written.ts';

export type Found = (typeof index)[number];

const SIMPLIFIED = new Map(Array.from(simplified.match(/../gu) ?? [], ([traditional = '', one = '']) => [traditional, one]));

interface Name {
  readonly words: readonly string[];
  readonly joined: string;
}
const nameOf = (words: readonly string[]): Name => ({ words, joined: words.join('') });
const NAMES = index.map(({ names }) => names.map((name) => nameOf(name.split(' '))));

/** How a name fits what is searched, the best first. */
const SAME = 0;
const WHOLE = 1;
const PREFIX = 2;
const INSIDE = 3;
/** After all names. */
const WHOLE_IN_TEXT = 4;
const PREFIX_IN_TEXT = 5;

/** Where one searched word stands among those of a name. A run of Chinese characters is not parted into words: it begins with the word, or has it inside. */
function fitOf(word: string, { words, joined }: Name): number {
  if (words.includes(word)) return WHOLE;
  if (words.some((one) => one.startsWith(word))) return isHan(word) ? WHOLE : PREFIX;
  return joined.includes(word) ? INSIDE : Infinity;
}

function fitOfName(query: Name, name: Name): number {
  if (name.joined === query.joined || sorted(name.words) === sorted(query.words)) return SAME;
  const fits = Math.max(...query.words.map((word) => fitOf(word, name)));
  const begun = name.joined.startsWith(query.joined) ? PREFIX : name.joined.includes(query.joined) ? INSIDE : Infinity;
  return Math.min(fits, begun);
}

const sorted = (words: readonly string[]): string => [...words].sort().join(' ');

function fitOfText({ words }: Name, text: string): number {
  const has = (before: string, after: string): boolean =>
    words.every((word) => text.includes(isHan(word) ? word : `${before}${word}${after}`));
  return has(' ', ' ') ? WHOLE_IN_TEXT : has(' ', '') ? PREFIX_IN_TEXT : Infinity;
}

/**
 * The pages that are known by a name with all the words of `query`, in any order and however they are joined; then those whose texts have them.
 * Names that are what was typed come first, then whole words, beginnings of words and the shorter names.
 */
export function find(query: string): readonly Found[] {
  const written = query.normalize('NFKC').replace(/\p{Script=Han}/gu, (one) => SIMPLIFIED.get(one) ?? one);
  const searched = nameOf(wordsOf(written));
  if (searched.words.length === 0) return [];
  const ranked = index.map((found, n) => {
    const fits = NAMES[n]!.map((name, at) => ({ fit: fitOfName(searched, name), length: name.joined.length, at }));
    fits.push({ fit: fitOfText(searched, texts[n]!), length: 0, at: 0 });
    return { found, ...fits.reduce((best, one) => (compare(one, best) < 0 ? one : best)) };
  });
  return ranked
    .filter(({ fit }) => fit < Infinity)
    .sort(compare)
    .map(({ found }) => found);
}

interface Fit {
  readonly fit: number;
  /** The length of the name. */
  readonly length: number;
  /** Among the names of its page: titles first, papers last. */
  readonly at: number;
}
const compare = (a: Fit, b: Fit): number => a.fit - b.fit || a.length - b.length || a.at - b.at;
