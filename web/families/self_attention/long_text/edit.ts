import { partsOf } from '../../../text/tokens.ts';

/** The most words that are read: with more, the pairs of a tile are too many to be looked at one by one. */
export const MOST_WORDS = 2000;

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** Tokens as a text: Chinese without spaces, punctuation beside the word before it. */
export function joined(tokens: readonly string[]): string {
  const closes = (token: string, before: string): boolean =>
    /^\p{P}+$/u.test(token) || (isHan(token) && (isHan(before) || /^\p{P}+$/u.test(before)));
  return tokens.map((token, n) => (n === 0 || closes(token, tokens[n - 1]!) ? token : ` ${token}`)).join('');
}

/** The token and the one after it as one. */
export function merged(tokens: readonly string[], place: number): string[] {
  return [...tokens.slice(0, place), joined(tokens.slice(place, place + 2)), ...tokens.slice(place + 2)];
}

/** The token in its words where it has several, else in its characters; no more than may be read. */
export function divided(tokens: readonly string[], place: number): string[] {
  const parts = partsOf(tokens[place] ?? '', MOST_WORDS);
  return [...tokens.slice(0, place), ...parts, ...tokens.slice(place + 1)].slice(0, MOST_WORDS);
}
