/** Addresses that the caller gives: texts and URLs, which may be of another realm. */

/** The address as a text; undefined for anything else. */
export function addressOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return Object.prototype.toString.call(given) === '[object URL]' ? (given as URL).href : undefined;
}
