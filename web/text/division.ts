import { partsOf, TOKEN_LIMIT, tokenize, type Splitting, type Tokens } from './tokens.ts';

/** Where the visitor's own tokens end in their text, from its beginning on; the text after the last is split as usual. */
export type Ends = readonly number[];

/** The tokens of a text whose beginning is divided by hand. */
export function divide(text: string, splitting: Splitting, ends: Ends): Tokens {
  const own = ends.map((end, n) => text.slice(ends[n - 1] ?? 0, end).trim());
  const rest = tokenize(text.slice(ends.at(-1) ?? 0), splitting);
  return { tokens: [...own, ...rest.tokens].slice(0, TOKEN_LIMIT), total: own.length + rest.total };
}

/** The ends of all tokens that are drawn. */
function endsOf(text: string, tokens: readonly string[]): number[] {
  let end = 0;
  return tokens.map((token) => (end = text.indexOf(token, end) + token.length));
}

/** The token and the one after it as one. */
export function merge(text: string, splitting: Splitting, ends: Ends, place: number): Ends {
  const all = endsOf(text, divide(text, splitting, ends).tokens);
  return place < all.length - 1 ? all.slice(0, Math.max(ends.length, place + 2)).filter((_, n) => n !== place) : ends;
}

/** The token in its words where it has several, else in its characters. */
export function split(text: string, splitting: Splitting, ends: Ends, place: number): Ends {
  const { tokens } = divide(text, splitting, ends);
  const parts = partsOf(tokens[place] ?? '', TOKEN_LIMIT);
  const divided = [...tokens.slice(0, place), ...parts, ...tokens.slice(place + 1)].slice(0, TOKEN_LIMIT);
  return endsOf(text, divided).slice(0, Math.max(ends.length - 1, place) + parts.length);
}

/** `3.7.12`, or nothing where that divides another text. */
export function readEnds(written: string, text: string): Ends {
  if (!/^\d{1,5}(\.\d{1,5})*$/.test(written)) return [];
  const ends = written.split('.', TOKEN_LIMIT + 1).map(Number);
  const fits = ends.every((end, n) => end <= text.length && text.slice(ends[n - 1] ?? 0, end).trim() !== '');
  return fits && ends.length <= TOKEN_LIMIT ? ends : [];
}
