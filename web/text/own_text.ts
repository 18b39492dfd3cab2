import type { Json } from '../shell/kept.svelte.ts';
import { divide, readEnds, type Ends } from './division.ts';
import type { Splitting, Tokens } from './tokens.ts';

/** More characters than this are not taken from the text field or a link. */
export const TEXT_LIMIT = 2000;

/** Words of a visitor's text that a mechanism reads: as many as a phone draws at once, so that a link shows one picture on every screen. */
export const MOST_WORDS = 24;

/** A visitor's text in place of the words of a mechanism's sample. */
export interface OwnText {
  readonly text: string;
  readonly splitting: Splitting;
  /** Where tokens end that the visitor has split and merged. */
  readonly ends: Ends;
}

/** The words that are read, and how many the text has in all. */
export function readWords({ text, splitting, ends }: OwnText): Tokens {
  const { tokens, total } = divide(text, splitting, ends);
  return { tokens: tokens.slice(0, MOST_WORDS), total };
}

export const writeOwnText = ({ text, splitting, ends }: OwnText): Json => ({
  text,
  ...(splitting === 'word' ? {} : { splitting }),
  ...(ends.length > 0 ? { ends: ends.join('.') } : {}),
});

/** Undefined where it is no text. */
export function readOwnText(json: Json): OwnText | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { text, splitting = 'word', ends = '' } = json as Record<string, Json>;
  if (typeof text !== 'string' || text.length > TEXT_LIMIT || typeof ends !== 'string') return undefined;
  if (splitting !== 'word' && splitting !== 'character') return undefined;
  return { text, splitting, ends: readEnds(ends, text) };
}
