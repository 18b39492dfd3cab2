/** Text to tokens: by word (Intl.Segmenter) or by character. */

export type Splitting = 'word' | 'character';

/** More tokens than this are counted but not drawn: 64 × 64 is the largest matrix whose cells can still be pointed at. */
export const TOKEN_LIMIT = 64;

export interface Tokens {
  readonly tokens: string[];
  /** How many the text has in all. */
  readonly total: number;
}

/** Characters that a token takes at most, with the spaces before it, on the average of a text. */
const LONGEST_TOKEN = 16;

export function tokenize(text: string, splitting: Splitting): Tokens {
  return split(text, splitting, TOKEN_LIMIT);
}

function split(text: string, splitting: Splitting, most: number): Tokens {
  const all = (splitting === 'word' ? words(text) : characters(text)).filter((token) => token.trim() !== '');
  return { tokens: all.slice(0, most), total: all.length };
}

/** The first `most` tokens of a text of any length; no more of it is split than they can need. `cut` where there are more. */
export function firstTokens(text: string, splitting: Splitting, most: number): { tokens: string[]; cut: boolean } {
  const reach = most * LONGEST_TOKEN;
  const { tokens, total } = split(text.slice(0, reach), splitting, most);
  return { tokens, cut: total > most || text.slice(reach).trim() !== '' };
}

/** The words of a token that has several, else its characters; no more than `most`. */
export function partsOf(token: string, most: number): string[] {
  const words = split(token, 'word', most).tokens;
  return words.length > 1 ? words : split(token, 'character', most).tokens;
}

/** The form under which two tokens count as the same word. */
export function normalForm(token: string): string {
  return token.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'");
}

function words(text: string): string[] {
  if (typeof Intl.Segmenter !== 'function') return text.match(/[\p{Script=Han}]|[\p{L}\p{N}'’]+|[^\s]/gu) ?? [];
  return segments(text, 'word');
}

function characters(text: string): string[] {
  return typeof Intl.Segmenter === 'function' ? segments(text, 'grapheme') : Array.from(text);
}

function segments(text: string, granularity: 'word' | 'grapheme'): string[] {
  const locale = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  return Array.from(new Intl.Segmenter(locale, { granularity }).segment(text), ({ segment }) => segment);
}
