/** Text to tokens: by word (Intl.Segmenter) or by character. */

export type Splitting = 'word' | 'character';

/** More tokens than this are counted but not drawn: 64 × 64 is the largest matrix whose cells can still be pointed at. */
export const TOKEN_LIMIT = 64;

export interface Tokens {
  readonly tokens: string[];
  /** How many the text has in all. */
  readonly total: number;
}

export function tokenize(text: string, splitting: Splitting): Tokens {
  const all = (splitting === 'word' ? words(text) : characters(text)).filter((token) => token.trim() !== '');
  return { tokens: all.slice(0, TOKEN_LIMIT), total: all.length };
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
