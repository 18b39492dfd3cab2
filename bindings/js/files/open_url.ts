/** A file behind a URL: fetched whole, and told apart from what servers send in its place. */
import { fail } from '../errors/errors.ts';
import { fromBytes, unreadable, type Source } from './source.ts';

export async function openUrl(fn: string, url: string | URL): Promise<Source> {
  const where = String(url);
  let bytes: Uint8Array;
  try {
    if (typeof fetch !== 'function') throw new Error('this engine has no fetch; pass the bytes');
    const response = await fetch(url, { credentials: 'same-origin' });
    if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`.trimEnd());
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    return unreadable(fn, where, error);
  }
  if (bytes.length === 0) fail('load', fn, `${where} cannot be read: the answer is empty`);
  // No file of ours has this beginning: a safetensors file has zeros among its first eight bytes.
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (start.startsWith('<') && !start.includes('\0'))
    fail(
      'load',
      fn,
      `${where} cannot be read: an HTML page came in its place (${JSON.stringify(start.slice(0, 24))}), as servers answer for files they do not have`,
    );
  return fromBytes(where, bytes);
}
