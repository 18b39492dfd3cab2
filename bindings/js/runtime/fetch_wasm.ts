/** Fetching the wasm file: streamed where the server names its type, explained where something else came. */
import { fail, messageOf } from '../errors/errors.ts';
import { compileBytes, notFound } from './wasm_bytes.ts';

export async function fetchModule(url: string | URL): Promise<WebAssembly.Module> {
  if (typeof fetch !== 'function') fail('load', 'load', 'this engine has no fetch; pass wasmBinary or wasmModule to load()');
  const where = String(url);
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch (error) {
    return notFound(where, `the request failed (${messageOf(error)})`, error);
  }
  if (!response.ok) notFound(where, `the server answered ${response.status} ${response.statusText}`.trimEnd());
  const mime = response.headers.get('content-type')?.split(';')[0]?.trim();
  if (mime === 'application/wasm' && typeof WebAssembly.compileStreaming === 'function') {
    try {
      return await WebAssembly.compileStreaming(response.clone());
    } catch {
      // The bytes tell what is wrong.
    }
  }
  let bytes: ArrayBuffer;
  try {
    bytes = await response.arrayBuffer();
  } catch (error) {
    return notFound(where, `the answer broke off (${messageOf(error)})`, error);
  }
  return compileBytes(bytes, where);
}
