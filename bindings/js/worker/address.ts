/** Addresses that the caller gives: texts and URLs, which may be of another realm. */

import { tagOf } from '../errors/objects.ts';

/** The address as a text; undefined for anything else. */
export function addressOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return tagOf(given) === 'URL' ? (given as URL).href : undefined;
}
