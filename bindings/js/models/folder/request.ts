/** Requests for the files of a folder. */
import { fail, messageOf } from '../../errors/errors.ts';
import { ownProperties } from '../../errors/options.ts';
import { policyRemedy } from '../../errors/served.ts';
import type { LoadModelOptions } from '../types/index.ts';

/** How files are fetched. */
export interface Access extends Pick<LoadModelOptions, 'signal' | 'fetch' | 'onProgress' | 'cache'> {
  readonly fn: string;
}

export interface RequestParts {
  readonly method: 'GET' | 'HEAD';
  readonly headers: Readonly<Record<string, string>>;
}

export const PLAIN: RequestParts = { method: 'GET', headers: {} };

/** Whether headers of every name may be sent: a server of another origin would be asked first, and few allow those of conditions. */
export function isOwnOrigin({ origin }: URL): boolean {
  return typeof location === 'undefined' || origin === location.origin;
}

export async function request(access: Access, url: URL, { method, headers }: RequestParts): Promise<Response> {
  const { fn, signal } = access;
  const send = access.fetch ?? globalThis.fetch;
  const name = url.href;
  if (typeof send !== 'function') fail('load', fn, `${name} cannot be read: this engine has no fetch; pass the option fetch`);
  const init: RequestInit = { method, headers: ownProperties(headers), credentials: 'same-origin' };
  try {
    return await send(name, ownProperties({ ...init, signal: (signal as AbortSignal | undefined) ?? null }));
  } catch (error) {
    signal?.throwIfAborted();
    return fail('load', fn, `${name} cannot be read: ${messageOf(error)}${policyRemedy(name)}`, error);
  }
}

/** False where the server says that no copy may be stored (RFC 9111, section 5.2.2.5). */
export const mayBeKept = ({ headers }: Response): boolean => !/\bno-store\b/i.test(headers.get('cache-control') ?? '');

export const isGone = ({ status }: Response): boolean => status === 404 || status === 410;

/** Throws the `load` error of an answer that is none. */
export function checkOk(fn: string, url: URL, { ok, status, statusText }: Response): void {
  if (!ok) fail('load', fn, `${url.href} cannot be read: the server answered ${`${status} ${statusText}`.trimEnd()}`);
}

/** Ends an answer whose body is not read. */
export async function discard(response: Response | null): Promise<void> {
  await response?.body?.cancel().catch(() => undefined);
}
