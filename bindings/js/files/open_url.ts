/** A file behind a URL: fetched whole. */
import { policyRemedy } from '../errors/served.ts';
import { fromResponse, unreadable, type Source } from './source.ts';

export async function openUrl(fn: string, url: string | URL): Promise<Source> {
  const where = String(url);
  if (typeof fetch !== 'function') return unreadable(fn, where, 'this engine has no fetch; pass the bytes');
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch (error) {
    return unreadable(fn, where, error, policyRemedy(where));
  }
  return fromResponse(fn, where, response);
}
